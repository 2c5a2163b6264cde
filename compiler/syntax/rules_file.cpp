#include "compiler/syntax/rules_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "compiler/diagnostics/suggest.hpp"

namespace nd7 {
namespace {

constexpr std::array<std::string_view, 5> kBodyKeys{"except", "ops", "where", "on", "why"};

bool is_identifier(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto more = [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return !text.empty() && text.size() <= 128 && (letter(text.front()) || text.front() == '_') &&
         std::all_of(text.begin(), text.end(), more);
}

class Reader {
 public:
  Reader(FileId file, Diagnostics& diagnostics) : diagnostics_(diagnostics) { result_.file = file; }

  std::optional<RulesFile> run(const TomlValue& root) {
    const std::size_t errors = diagnostics_.error_count();
    check_version(root);
    for (const TomlEntry& entry : root.entries) top_level(entry);
    if (result_.name.empty() && root.find("name") == nullptr) {
      auto& d = diagnostics_.add(Code::ND2008, start_of_file(), "the file has no `name`");
      d.helps.push_back("add `name = \"team\"`: rules are known as `team/id` in other files");
    }
    check_duplicate_ids();
    if (diagnostics_.error_count() != errors) return std::nullopt;
    return std::move(result_);
  }

 private:
  Span start_of_file() const { return {result_.file, 0, 0}; }

  void check_version(const TomlValue& root) {
    const TomlEntry* const entry = root.find("nd7");
    if (entry == nullptr) {
      auto& d = diagnostics_.add(Code::ND2001, start_of_file(),
                                 "the file does not say its language version");
      d.fixits.push_back({start_of_file(), "nd7 = 1\n", "begin the file with `nd7 = 1`"});
      return;
    }
    if (entry->value.kind == TomlValue::Kind::integer && entry->value.integer == 1) return;
    auto& d = diagnostics_.add(Code::ND2001, entry->value.span,
                               "this is not a language version that nd7c knows");
    d.fixits.push_back({entry->value.span, "1", "write `1`"});
  }

  void top_level(const TomlEntry& entry) {
    const std::string_view key = entry.key;
    const TomlValue& value = entry.value;
    if (key == "nd7") return;
    if (key == "name") {
      read_name(value);
    } else if (key == "extends") {
      result_.extends = string_of(value, "extends");
    } else if (key == "within") {
      result_.within = string_of(value, "within");
    } else if (key == "use") {
      read_use(value);
    } else if (key == "param") {
      each(entry, [&](const TomlEntry& item) { read_param(item); });
    } else if (key == "let") {
      each(entry, [&](const TomlEntry& item) { read_let(item); });
    } else if (key == "allow") {
      each(entry, [&](const TomlEntry& item) { read_rule(item, RuleNode::Kind::allow); });
    } else if (key == "deny") {
      each(entry, [&](const TomlEntry& item) { read_rule(item, RuleNode::Kind::deny); });
    } else if (key == "never") {
      each(entry, [&](const TomlEntry& item) { read_rule(item, RuleNode::Kind::never); });
    } else if (key == "relax") {
      each(entry, [&](const TomlEntry& item) { read_rule(item, RuleNode::Kind::relax); });
    } else if (key == "drop") {
      each(entry, [&](const TomlEntry& item) { read_reason(item, result_.drops); });
    } else if (key == "accept") {
      each(entry, [&](const TomlEntry& item) { read_reason(item, result_.accepts); });
    } else if (key == "expect") {
      read_expects(value);
    } else {
      unknown_key(entry, top_level_keys(), "a rules file");
    }
  }

  template <class Function>
  void each(const TomlEntry& entry, Function&& function) {
    if (entry.value.kind != TomlValue::Kind::table) {
      wrong_type(entry.value, fmt::format("`{}`", entry.key), "a table of named entries");
      return;
    }
    for (const TomlEntry& item : entry.value.entries) function(item);
  }

  Diagnostic& wrong_type(const TomlValue& value, std::string_view what, std::string_view wanted) {
    return diagnostics_.add(
        Code::ND2002, value.span,
        fmt::format("{} is {}, {} is wanted here", what, to_string(value.kind), wanted));
  }

  void unknown_key(const TomlEntry& entry, std::span<const std::string_view> known,
                   std::string_view where) {
    auto& d = diagnostics_.add(Code::ND2003, entry.key_span,
                               fmt::format("`{}` is not a key of {}", entry.key, where));
    if (const auto near = nearest(entry.key, known)) {
      d.fixits.push_back({entry.key_span, *near, fmt::format("did you mean `{}`?", *near)});
    } else {
      d.helps.push_back(fmt::format("the keys are `{}`", fmt::join(known, "`, `")));
    }
  }

  static StringNode node_of(const TomlValue& value) {
    StringNode node;
    node.span = value.span;
    node.content_begin = value.content_begin;
    if (value.kind == TomlValue::Kind::integer) {
      node.text = std::to_string(value.integer);
      node.integer = true;
    } else {
      node.text = value.text;
      node.literal_form = value.form == TomlValue::StringForm::literal ||
                          value.form == TomlValue::StringForm::multiline_literal;
    }
    return node;
  }

  std::optional<StringNode> string_of(const TomlValue& value, std::string_view key) {
    if (value.kind != TomlValue::Kind::string) {
      wrong_type(value, fmt::format("`{}`", key), "a string");
      return std::nullopt;
    }
    if (value.text.empty()) {
      diagnostics_.add(Code::ND2012, value.span, fmt::format("`{}` is empty", key));
      return std::nullopt;
    }
    return node_of(value);
  }

  std::optional<OptionNode> boolean_of(const TomlValue& value, std::string_view key) {
    if (value.kind != TomlValue::Kind::boolean) {
      wrong_type(value, fmt::format("`{}`", key), "`true` or `false`");
      return std::nullopt;
    }
    return OptionNode{value.boolean, value.span};
  }

  std::optional<StringNode> scalar_of(const TomlValue& value, std::string_view key) {
    if (value.kind == TomlValue::Kind::integer) return node_of(value);
    if (value.kind == TomlValue::Kind::string) return string_of(value, key);
    wrong_type(value, fmt::format("a value of `{}`", key), "a string or an integer");
    return std::nullopt;
  }

  /// A string or integer, or a non-empty list of them.
  std::optional<ValuesNode> values_of(const TomlValue& value, std::string_view key) {
    ValuesNode node;
    node.span = value.span;
    if (value.kind != TomlValue::Kind::array) {
      auto item = scalar_of(value, key);
      if (!item) return std::nullopt;
      node.items.push_back(std::move(*item));
      return node;
    }
    node.list = true;
    if (value.items.empty()) {
      diagnostics_.add(Code::ND2012, value.span, fmt::format("`{}` is an empty list", key));
      return std::nullopt;
    }
    for (const TomlValue& item : value.items) {
      auto scalar = scalar_of(item, key);
      if (!scalar) return std::nullopt;
      node.items.push_back(std::move(*scalar));
    }
    return node;
  }

  bool check_identifier(std::string_view text, Span span, std::string_view what) {
    if (is_identifier(text)) return true;
    auto& d = diagnostics_.add(Code::ND2009, span, fmt::format("`{}` cannot be {}", text, what));
    d.helps.push_back("use letters, digits, `-` and `_`, beginning with a letter");
    return false;
  }

  void read_name(const TomlValue& value) {
    const auto node = string_of(value, "name");
    if (!node || !check_identifier(node->text, node->span, "the name of a rules file")) return;
    result_.name = node->text;
    result_.name_span = node->span;
    if (node->text == "nd7" || node->text == "builtin") {
      diagnostics_.add(
          Code::ND2014, node->span,
          fmt::format("the name `{}` belongs to the compiler's own rules", node->text));
    }
  }

  void read_use(const TomlValue& value) {
    if (value.kind != TomlValue::Kind::array) {
      wrong_type(value, "`use`", "a list of sets");
      return;
    }
    for (const TomlValue& item : value.items) {
      UseNode use;
      if (item.kind == TomlValue::Kind::string) {
        auto set = string_of(item, "use");
        if (!set) continue;
        use.set = std::move(*set);
      } else if (item.kind == TomlValue::Kind::table) {
        if (!read_use_table(item, use)) continue;
      } else {
        wrong_type(item, "an entry of `use`", "a set's name or `{ set = …, parameter = … }`");
        continue;
      }
      result_.use.push_back(std::move(use));
    }
  }

  bool read_use_table(const TomlValue& table, UseNode& use) {
    bool good = true;
    bool named = false;
    for (const TomlEntry& entry : table.entries) {
      if (entry.key == "set") {
        auto set = string_of(entry.value, "set");
        if (set) use.set = std::move(*set);
        named = true;
        good = good && set.has_value();
        continue;
      }
      auto value = scalar_of(entry.value, entry.key);
      good = good && value.has_value();
      if (!value) continue;
      StringNode key;
      key.text = entry.key;
      key.span = entry.key_span;
      use.arguments.emplace_back(std::move(key), std::move(*value));
    }
    if (!named) {
      diagnostics_.add(Code::ND2008, table.span, "this entry of `use` has no `set`");
      return false;
    }
    return good;
  }

  void read_param(const TomlEntry& entry) {
    static constexpr std::array<std::string_view, 4> kKeys{"env", "git", "default", "optional"};
    if (!check_identifier(entry.key, entry.key_span, "the name of a parameter")) return;
    if (entry.value.kind != TomlValue::Kind::table) {
      wrong_type(entry.value, fmt::format("parameter `{}`", entry.key),
                 "a table such as `{ env = \"NAME\" }` or `{ default = 5432 }`");
      return;
    }
    ParamNode node;
    node.name = entry.key;
    node.name_span = entry.key_span;
    for (const TomlEntry& item : entry.value.entries) {
      if (item.key == "env") {
        node.environment = string_of(item.value, "env");
      } else if (item.key == "git") {
        node.git = string_of(item.value, "git");
        if (node.git && node.git->text != "common-dir") {
          auto& d = diagnostics_.add(Code::ND2009, node.git->span,
                                     fmt::format("git cannot be asked for `{}`", node.git->text));
          d.fixits.push_back({node.git->span, "\"common-dir\"", "write `\"common-dir\"`"});
        }
      } else if (item.key == "default") {
        node.fallback = scalar_of(item.value, "default");
      } else if (item.key == "optional") {
        node.optional = boolean_of(item.value, "optional");
      } else {
        unknown_key(item, kKeys, "a parameter");
      }
    }
    if (node.environment && node.git) {
      diagnostics_.add(Code::ND2010, node.git->span, "a parameter has one source: `env` or `git`");
    }
    result_.params.push_back(std::move(node));
  }

  void read_let(const TomlEntry& entry) {
    if (!check_identifier(entry.key, entry.key_span, "a name")) return;
    auto values = values_of(entry.value, entry.key);
    if (!values) return;
    result_.lets.push_back({entry.key, entry.key_span, std::move(*values)});
  }

  /// True if `entry` was a key of rule bodies.
  bool read_body_key(const TomlEntry& entry, RuleBody& body) {
    if (const auto verb = seatbelt::find_verb(entry.key)) {
      if (auto values = values_of(entry.value, entry.key)) {
        // In the order of the table, so that the order of keys means nothing.
        const auto at = std::find_if(body.verbs.begin(), body.verbs.end(),
                                     [&](const VerbNode& node) { return *verb < node.verb; });
        body.verbs.insert(at, {*verb, entry.key_span, std::move(*values)});
      }
      return true;
    }
    if (entry.key == "except") {
      body.except = values_of(entry.value, "except");
      return true;
    }
    if (entry.key == "ops") {
      body.ops = values_of(entry.value, "ops");
      return true;
    }
    if (entry.key == "where") {
      body.where = string_of(entry.value, "where");
      if (body.where && !body.where->literal_form) {
        auto& d = diagnostics_.add(Code::ND1013, body.where->span,
                                   "an expression stands in a literal string, between `'` and `'`");
        if (body.where->text.find('\'') == std::string::npos &&
            body.where->text.find('\n') == std::string::npos) {
          d.fixits.push_back({body.where->span, "'" + body.where->text + "'", "use single quotes"});
        }
        body.where.reset();
      }
      return true;
    }
    return false;
  }

  /// The two forms do not mix, and each is complete.
  void check_body(const RuleBody& body, const TomlValue& table, Span at, std::string_view what) {
    const bool has_ops = table.find("ops") != nullptr;
    const bool has_where = table.find("where") != nullptr;
    const bool has_verbs =
        std::any_of(table.entries.begin(), table.entries.end(),
                    [](const auto& e) { return seatbelt::find_verb(e.key).has_value(); });
    if (has_verbs && (has_ops || has_where)) {
      auto& d = diagnostics_.add(Code::ND2010, at,
                                 fmt::format("{} mixes a verb with `ops` and `where`", what));
      for (const VerbNode& verb : body.verbs) d.labels.push_back({verb.key, "the verb"});
      d.helps.push_back("write two rules, or say it all with verbs or all with `ops` and `where`");
    } else if (has_ops != has_where) {
      auto& d = diagnostics_.add(Code::ND2011, at,
                                 fmt::format("{} has `{}` without `{}`", what,
                                             has_ops ? "ops" : "where", has_ops ? "where" : "ops"));
      d.helps.push_back(has_ops ? "add `where = 'true'` if every request is meant"
                                : "name the operations: `ops = [\"file-read*\"]`");
    } else if (!has_verbs && !has_ops) {
      auto& d = diagnostics_.add(Code::ND2012, at, fmt::format("{} says nothing", what));
      d.helps.push_back("give it a verb such as `read = \"~/notes\"`, or `ops` and `where`");
    }
    if (table.find("except") != nullptr && has_ops) {
      auto& d =
          diagnostics_.add(Code::ND2010, at, fmt::format("{} has `except` beside `ops`", what));
      d.helps.push_back("`except` belongs to verbs; in `where`, write `and not (…)`");
    }
  }

  void read_rule(const TomlEntry& entry, RuleNode::Kind kind) {
    static constexpr std::array<std::string_view, 4> kKinds{"allow", "deny", "never", "relax"};
    const std::string_view word = kKinds[static_cast<std::size_t>(kind)];
    if (entry.value.kind != TomlValue::Kind::table) {
      wrong_type(entry.value, fmt::format("`{}.{}`", word, entry.key), "a table")
          .helps.push_back(
              fmt::format("rules have names: `[{}.some-name]`, then `{} = …`", word, entry.key));
      return;
    }
    if (kind != RuleNode::Kind::relax &&
        !check_identifier(entry.key, entry.key_span, "the name of a rule")) {
      return;
    }
    RuleNode rule;
    rule.kind = kind;
    rule.id = entry.key;
    rule.id_span = entry.key_span;
    bool known_keys = true;
    for (const TomlEntry& item : entry.value.entries) {
      if (read_body_key(item, rule.body)) continue;
      if (item.key == "on") {
        rule.on = values_of(item.value, "on");
      } else if (item.key == "why") {
        rule.why = string_of(item.value, "why");
      } else if (item.key == "names-only" && kind == RuleNode::Kind::deny) {
        rule.names_only = boolean_of(item.value, "names-only");
      } else {
        std::vector<std::string_view> known;
        for (const seatbelt::Verb verb : seatbelt::kVerbs) known.push_back(name(verb));
        known.insert(known.end(), kBodyKeys.begin(), kBodyKeys.end());
        if (kind == RuleNode::Kind::deny) known.emplace_back("names-only");
        unknown_key(item, known, fmt::format("`[{}.*]`", word));
        known_keys = false;
      }
    }
    // What a misspelt key was meant to be is not known, so nothing else is missed.
    if (known_keys) {
      check_body(rule.body, entry.value, entry.key_span, fmt::format("`{}.{}`", word, entry.key));
    }
    result_.rules.push_back(std::move(rule));
  }

  void read_reason(const TomlEntry& entry, std::vector<ReasonNode>& into) {
    auto reason = string_of(entry.value, entry.key);
    if (!reason) return;
    into.push_back({entry.key, entry.key_span, std::move(*reason)});
  }

  void read_expects(const TomlValue& value) {
    if (value.kind != TomlValue::Kind::array) {
      wrong_type(value, "`expect`", "a list of tables, `[[expect]]`");
      return;
    }
    for (const TomlValue& item : value.items) {
      if (item.kind != TomlValue::Kind::table) {
        wrong_type(item, "an entry of `expect`", "a table");
        continue;
      }
      read_expect(item);
    }
  }

  void read_expect(const TomlValue& table) {
    ExpectNode node;
    node.span = table.span;
    bool has_is = false;
    bool known_keys = true;
    for (const TomlEntry& entry : table.entries) {
      if (entry.key != "except" && read_body_key(entry, node.body)) continue;
      if (entry.key == "is") {
        has_is = true;
        if (auto is = string_of(entry.value, "is")) {
          node.is = std::move(*is);
          if (node.is.text != "allow" && node.is.text != "deny") {
            auto& d = diagnostics_.add(Code::ND2009, node.is.span,
                                       fmt::format("`{}` is not a verdict", node.is.text));
            d.helps.push_back("write `\"allow\"` or `\"deny\"`");
          }
        }
      } else if (entry.key == "by") {
        node.by = string_of(entry.value, "by");
      } else if (entry.key == "why") {
        (void)string_of(entry.value, "why");
      } else {
        std::vector<std::string_view> known{"is", "by", "why", "ops", "where"};
        for (const seatbelt::Verb verb : seatbelt::kVerbs) known.push_back(name(verb));
        unknown_key(entry, known, "`[[expect]]`");
        known_keys = false;
      }
    }
    if (!has_is) {
      diagnostics_.add(Code::ND2008, table.span, "this expectation has no `is`")
          .helps.emplace_back("say what it expects: `is = \"allow\"` or `is = \"deny\"`");
    }
    if (known_keys) check_body(node.body, table, table.span, "this expectation");
    result_.expects.push_back(std::move(node));
  }

  void check_duplicate_ids() {
    for (std::size_t i = 0; i < result_.rules.size(); ++i) {
      const RuleNode& rule = result_.rules[i];
      if (rule.kind == RuleNode::Kind::relax) continue;
      const auto [at, fresh] = ids_.try_emplace(rule.id, rule.id_span);
      if (fresh) continue;
      auto& d = diagnostics_.add(Code::ND2013, rule.id_span,
                                 fmt::format("two rules are called `{}`", rule.id));
      d.labels.push_back({at->second, "the other one"});
      d.helps.push_back("allow, deny and never share one set of names");
    }
  }

  RulesFile result_;
  std::map<std::string, Span, std::less<>> ids_;
  Diagnostics& diagnostics_;
};

}  // namespace

const std::vector<std::string_view>& top_level_keys() {
  static const std::vector<std::string_view> keys{"nd7",   "name",  "extends", "use",   "within",
                                                  "param", "let",   "allow",   "deny",  "relax",
                                                  "drop",  "never", "accept",  "expect"};
  return keys;
}

std::optional<RulesFile> read_rules_file(const TomlValue& root, FileId file,
                                         Diagnostics& diagnostics) {
  return Reader{file, diagnostics}.run(root);
}

}  // namespace nd7
