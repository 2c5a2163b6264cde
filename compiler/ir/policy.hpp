// The policy IR: what a composed set of rules files means, before any target is chosen for it.
// Every node says where it came from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/condition.hpp"
#include "compiler/ir/text.hpp"
#include "compiler/seatbelt/tables/operation.hpp"
#include "compiler/source/source_map.hpp"

namespace nd7::ir {

enum class Target : std::uint8_t { seatbelt, linux };

/// Where a parameter's value comes from when a program is started.
enum class ParamSource : std::uint8_t {
  builtin,         ///< HOME, PROJ, TMP, EXIT
  given,           ///< `-D` only
  environment,     ///< `env = "NAME"`
  git_common_dir,  ///< `git = "common-dir"`
};

struct Param {
  std::string key;  ///< "HOME", "team.agent"; the name in a profile and for -D
  ParamSource source = ParamSource::given;
  std::string environment;           ///< ParamSource::environment: the variable
  bool optional = false;             ///< unset: filters that hold it match nothing
  std::optional<std::string> value;  ///< bound at compile time: a default, `use`, or -D
  Span span;                         ///< the declaration; empty for builtin
};

/// One union member of a rule. All operations have one subject kind.
struct Clause {
  std::vector<seatbelt::Op> ops;  ///< as written or as the verb says; classes stay classes
  CondId cond;
  Span span;
};

enum class Effect : std::uint8_t { allow, deny, never };

/// A file that takes part, in order of composition (a base before what extends it).
struct Unit {
  std::string set;  ///< its `name`
  FileId file;
  std::string display;  ///< last component of the file's name: "team.toml"
  std::string sha256;   ///< of the text, in hexadecimal
  /// How it was reached from the root: spans of `extends` or `use` values, outermost first.
  std::vector<Span> chain;
  bool in_base_chain = false;  ///< the root file and its bases; false for additive sets
};

struct Rule {
  Effect effect = Effect::allow;
  std::string set;
  std::string id;
  std::uint32_t unit = 0;  ///< index into Policy::units
  Span span;               ///< the id in the rule's header
  std::string why;
  std::vector<Clause> clauses;
  bool names_only = false;  ///< a deny that is known to hold for names only (law 7)
};
[[nodiscard]] inline std::string rule_key(const Rule& rule) { return rule.set + "/" + rule.id; }

/// `[relax."set/id"]`: what is taken out of a deny.
struct Relaxation {
  std::uint32_t rule = 0;  ///< index into Policy::rules
  std::vector<Clause> clauses;
  std::uint32_t unit = 0;
  Span span;
};

/// `[accept]`: a loss that the author knows of.
struct Acceptance {
  std::string loss;
  std::string reason;
  Span span;
};

/// `[[expect]]`.
struct Expectation {
  bool allow = false;
  std::string by;  ///< "", "default", an id, or set/id
  std::vector<Clause> clauses;
  std::uint32_t unit = 0;
  Span span;
};

/// `within = FILE`.
struct Limit {
  std::string file;
  Span span;
};

/// A directory that `nd7 run` makes if it is missing (a plain path with a trailing slash).
struct Directory {
  Text path;
  std::uint32_t rule = 0;
};

struct Policy {
  std::string name;
  Target target = Target::seatbelt;
  std::vector<Unit> units;
  std::vector<Param> params;
  Conditions conditions;
  std::vector<Rule> rules;  ///< in order of composition and of the files; dropped rules are gone
  std::vector<Relaxation> relaxations;
  std::vector<Acceptance> acceptances;
  std::vector<Expectation> expectations;
  std::vector<Limit> limits;
  std::vector<Directory> directories;
};

/// The parameter's key, for messages.
[[nodiscard]] inline std::string param_key(const Policy& policy, ParamId id) {
  return policy.params[id.value].key;
}

/// The invariants that every pass keeps; empty if they hold, else what is broken (a bug in nd7c).
[[nodiscard]] std::vector<std::string> verify(const Policy& policy);

}  // namespace nd7::ir
