// A rules file as a small model: what generators make, properties transform and shrinkers cut down.
// It prints as a rules file, in any of many styles.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "compiler/seatbelt/tables/filter.hpp"
#include "compiler/seatbelt/tables/operation.hpp"
#include "compiler/seatbelt/tables/verb.hpp"

namespace nd7::test {

/// Where a path begins. `directory`, `agent` and `list` are names that the file declares when some
/// path uses them: a parameter with a default, an optional parameter, and a list of `[let]`.
enum class Place : std::uint8_t { root, home, project, tmp, directory, agent, list };

/// The values of the places on the machine that the tests know (bound_options() has the first
/// three).
inline constexpr std::string_view kHomePath = "/Users/dev";
inline constexpr std::string_view kProjectPath = "/Users/dev/project";
inline constexpr std::string_view kTmpPath = "/private/var/folders/ab/cd/T";
inline constexpr std::string_view kDirectoryPath = "/opt/data";
inline constexpr std::string_view kAgentPath = "/Users/dev/agent.sock";
inline constexpr std::string_view kExitPath = "/usr/local/bin/nd7-exec";

struct PathValue {
  enum class Form : std::uint8_t {
    plain,
    directory,  ///< plain, with a slash at the end
    subpath,
    literal,
    prefix,
    glob,
    regex,      ///< `^/parts(/|$)`; Place::root only
    name,       ///< the last of `parts`, anywhere
    ancestors,  ///< in expressions only
  };
  Form form = Form::plain;
  Place place = Place::root;
  std::vector<std::string> parts;  ///< components; those of globs and names may be patterns
  friend bool operator==(const PathValue&, const PathValue&) = default;
};

/// `prefix:/tmp`, which a build refuses: what lies below the alias is elsewhere than its
/// neighbours.
[[nodiscard]] inline bool ends_inside_alias(const PathValue& path) {
  return path.form == PathValue::Form::prefix && path.place == Place::root &&
         path.parts == std::vector<std::string>{"tmp"};
}

/// A value of `connect` and `bind`.
struct AddressValue {
  std::string proto;  ///< empty: none written
  std::string host = "*";
  int first = -1;  ///< -1: any port
  int last = -1;
  friend bool operator==(const AddressValue&, const AddressValue&) = default;
};
struct SocketValue {
  PathValue path;
  friend bool operator==(const SocketValue&, const SocketValue&) = default;
};
/// A service, a target of signals, a sysctl; a symbol or name in an expression.
struct NameValue {
  std::string kind;  ///< "", "local:", "xpc:"
  std::string name;
  bool star = false;
  friend bool operator==(const NameValue&, const NameValue&) = default;
};
using Value = std::variant<PathValue, AddressValue, SocketValue, NameValue, std::int64_t>;

struct VerbEntry {
  seatbelt::Verb verb = seatbelt::Verb::read;
  std::vector<Value> values;
};

/// A `where` expression. A test is one filter over values that fit it; path filters take the form
/// of their first value.
struct Expression {
  enum class Kind : std::uint8_t { truth, all, any, negation, test };
  Kind kind = Kind::truth;
  std::vector<Expression> kids;
  seatbelt::Filter filter = seatbelt::Filter::subpath;
  std::vector<Value> values;
};

struct RuleModel {
  enum class Effect : std::uint8_t { allow, deny, relax };
  Effect effect = Effect::allow;
  std::string id;   ///< relax: of the deny, which is in the same file
  std::string why;  ///< may be empty
  std::vector<VerbEntry> verbs;
  std::vector<Value> except;
  std::vector<seatbelt::Op> ops;  ///< instead of verbs
  Expression where;
};

struct PolicyModel {
  bool floor = false;  ///< extends the shipped floor
  std::vector<PathValue> list;
  std::vector<RuleModel> rules;
};

/// How a file is laid out. Equal seeds lay out equally; 0 is the plain style.
struct Style {
  std::uint32_t seed = 0;
};

/// The rules file. It is valid wherever the model keeps the rules of the language.
[[nodiscard]] std::string to_source(const PolicyModel& policy, Style style = {});

/// As a value of a verb: `glob:~/x/*.log`, before TOML quotes it.
[[nodiscard]] std::string to_text(const Value& value);
/// An expression, before TOML quotes it.
[[nodiscard]] std::string to_text(const Expression& expression);

/// False if no truth of its tests makes the expression true: the compiler refuses such a rule.
[[nodiscard]] bool is_satisfiable(const Expression& expression);

/// Physical paths that the value matches: one, or one for each member of the list.
[[nodiscard]] std::vector<std::string> samples(const PathValue& path, const PolicyModel& policy);

/// The alias /tmp itself, whose physical form is another: no prefix can end there.
[[nodiscard]] bool is_alias(const std::vector<std::string>& parts);

/// Every value of a rule: verbs, except, and those of its expression.
[[nodiscard]] std::vector<Value> values_of(const RuleModel& rule);
/// The operations that a rule names, by verb or by name.
[[nodiscard]] std::vector<seatbelt::Op> operations_of(const RuleModel& rule);
/// Whether some path of the policy begins with `place`.
[[nodiscard]] bool uses(const PolicyModel& policy, Place place);

}  // namespace nd7::test
