// A rules file as written: keys known, types right, nothing resolved yet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/seatbelt/tables/verb.hpp"
#include "compiler/source/source_map.hpp"
#include "compiler/syntax/toml_document.hpp"

namespace nd7 {

/// A scalar: a string, or an integer kept as its decimal text.
struct StringNode {
  std::string text;
  Span span;
  std::uint32_t content_begin = 0;
  bool literal_form = false;  ///< written as '…' or '''…''': byte positions inside are exact
  bool integer = false;
};

/// One value or a list of them.
struct ValuesNode {
  std::vector<StringNode> items;
  Span span;
  bool list = false;
};

struct VerbNode {
  seatbelt::Verb verb;
  Span key;
  ValuesNode values;
};

struct OptionNode {
  bool value = false;
  Span span;
};

/// The body of allow, deny, never, relax and expect tables: verbs with `except`, or ops with where.
struct RuleBody {
  std::vector<VerbNode> verbs;
  std::optional<ValuesNode> except;
  std::optional<ValuesNode> ops;
  std::optional<StringNode> where;
};

struct RuleNode {
  enum class Kind : std::uint8_t { allow, deny, never, relax };
  Kind kind = Kind::allow;
  std::string id;  ///< relax: the key "set/id"
  Span id_span;
  RuleBody body;
  std::optional<ValuesNode> on;
  std::optional<StringNode> why;
  std::optional<OptionNode> names_only;
};

struct ExpectNode {
  Span span;
  StringNode is;
  std::optional<StringNode> by;
  RuleBody body;
};

struct ParamNode {
  std::string name;
  Span name_span;
  std::optional<StringNode> environment;
  std::optional<StringNode> git;
  std::optional<StringNode> fallback;  ///< `default`
  std::optional<OptionNode> optional;
};

struct LetNode {
  std::string name;
  Span name_span;
  ValuesNode values;
};

struct UseNode {
  StringNode set;
  std::vector<std::pair<StringNode, StringNode>> arguments;  ///< name, value
};

/// `[drop]` and `[accept]`: a quoted key and the reason for it.
struct ReasonNode {
  std::string key;
  Span key_span;
  StringNode reason;
};

struct RulesFile {
  FileId file;
  std::string name;
  Span name_span;
  std::optional<StringNode> extends;
  std::vector<UseNode> use;
  std::optional<StringNode> within;
  std::vector<ParamNode> params;
  std::vector<LetNode> lets;
  std::vector<RuleNode> rules;  ///< allow, deny, never and relax, in document order
  std::vector<ReasonNode> drops;
  std::vector<ReasonNode> accepts;
  std::vector<ExpectNode> expects;
};

/// The keys that a rules file may have at the top, in the order of the reference.
[[nodiscard]] const std::vector<std::string_view>& top_level_keys();

/// nullopt if an error (ND2xxx) was added.
[[nodiscard]] std::optional<RulesFile> read_rules_file(const TomlValue& root, FileId file,
                                                       Diagnostics& diagnostics);

}  // namespace nd7
