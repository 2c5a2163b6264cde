#include "compiler/ir/json.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "compiler/diagnostics/render.hpp"

namespace nd7::ir {
namespace {

constexpr std::array<std::string_view, 3> kEffects{"allow", "deny", "never"};
constexpr std::array<std::string_view, 4> kSources{"builtin", "given", "environment",
                                                   "git-common-dir"};

class Writer {
 public:
  Writer(const Policy& policy, const SourceMap& sources) : policy_(policy), sources_(sources) {}

  std::string run() {
    out_ = "{\n  \"ir\": 1,\n";
    out_ += fmt::format("  \"name\": {},\n", json_string(policy_.name));
    out_ += fmt::format("  \"target\": \"{}\",\n",
                        policy_.target == Target::seatbelt ? "seatbelt" : "linux");
    list("units", policy_.units, [&](const Unit& unit) { return unit_json(unit); });
    list("params", policy_.params, [&](const Param& param) { return param_json(param); });
    list("rules", policy_.rules, [&](const Rule& rule) { return rule_json(rule); });
    list("relax", policy_.relaxations, [&](const Relaxation& relaxation) {
      return fmt::format("{{\"rule\": {}, \"place\": {}, \"clauses\": {}}}",
                         json_string(rule_key(policy_.rules[relaxation.rule])),
                         place(relaxation.span), clauses_json(relaxation.clauses));
    });
    list("accept", policy_.acceptances, [&](const Acceptance& acceptance) {
      return fmt::format("{{\"loss\": {}, \"reason\": {}}}", json_string(acceptance.loss),
                         json_string(acceptance.reason));
    });
    list("directories", policy_.directories, [&](const Directory& directory) {
      return fmt::format("{{\"path\": {}, \"rule\": {}}}", text(directory.path),
                         json_string(rule_key(policy_.rules[directory.rule])));
    });
    list("expect", policy_.expectations, [&](const Expectation& expectation) {
      return fmt::format("{{\"is\": \"{}\", \"by\": {}, \"place\": {}, \"clauses\": {}}}",
                         expectation.allow ? "allow" : "deny", json_string(expectation.by),
                         place(expectation.span), clauses_json(expectation.clauses));
    });
    list("within", policy_.limits, [&](const Limit& limit) {
      return fmt::format("{{\"file\": {}, \"place\": {}}}", json_string(limit.file),
                         place(limit.span));
    });
    out_.erase(out_.size() - 2);  // the last comma
    return out_ + "\n}\n";
  }

 private:
  template <class Items, class Function>
  void list(std::string_view key, const Items& items, Function&& function) {
    out_ += fmt::format("  \"{}\": [", key);
    bool first = true;
    for (const auto& item : items) {
      out_ += first ? "\n    " : ",\n    ";
      out_ += function(item);
      first = false;
    }
    out_ += first ? "],\n" : "\n  ],\n";
  }

  std::string text(std::string_view value) const {
    return json_string(to_display(value, [&](ParamId id) { return param_key(policy_, id); }));
  }

  std::string place(const Span& span) const {
    const SourceFile& file = sources_.file(span.file);
    for (const Unit& unit : policy_.units) {
      if (unit.file != span.file) continue;
      const Position at = file.position(span.begin);
      return fmt::format("{{\"file\": {}, \"line\": {}, \"column\": {}}}",
                         json_string(unit.display), at.line, at.column);
    }
    return "null";
  }

  std::string chain_json(const std::vector<Span>& chain) const {
    std::string result = "[";
    for (const Span& span : chain) {
      if (result.size() > 1) result += ", ";
      result += place(span);
    }
    return result + "]";
  }

  std::string unit_json(const Unit& unit) const {
    return fmt::format(
        "{{\"set\": {}, \"file\": {}, \"sha256\": \"{}\", \"base\": {}, \"chain\": {}}}",
        json_string(unit.set), json_string(unit.display), unit.sha256, unit.in_base_chain,
        chain_json(unit.chain));
  }

  static std::string param_json(const Param& param) {
    return fmt::format(
        "{{\"key\": {}, \"source\": \"{}\", \"environment\": {}, \"optional\": {}, \"value\": {}}}",
        json_string(param.key), kSources[static_cast<std::size_t>(param.source)],
        param.environment.empty() ? "null" : json_string(param.environment), param.optional,
        param.value ? json_string(*param.value) : "null");
  }

  std::string rule_json(const Rule& rule) const {
    return fmt::format(
        "{{\"id\": {}, \"effect\": \"{}\", \"place\": {}, \"why\": {}, \"names_only\": {}, "
        "\"clauses\": {}}}",
        json_string(rule_key(rule)), kEffects[static_cast<std::size_t>(rule.effect)],
        place(rule.span), json_string(rule.why), rule.names_only, clauses_json(rule.clauses));
  }

  std::string clauses_json(const std::vector<Clause>& clauses) const {
    std::string result = "[";
    for (const Clause& clause : clauses) {
      if (result.size() > 1) result += ", ";
      std::string ops;
      for (const seatbelt::Op op : clause.ops) {
        ops += fmt::format("{}\"{}\"", ops.empty() ? "" : ", ", name(op));
      }
      result += fmt::format("{{\"ops\": [{}], \"where\": {}}}", ops, cond_json(clause.cond));
    }
    return result + "]";
  }

  // Depth is bounded by the parser's limit for expressions.
  std::string cond_json(CondId id) const {
    const CondNode& node = policy_.conditions.node(id);
    switch (node.kind) {
      case CondKind::never: return "false";
      case CondKind::always: return "true";
      case CondKind::atom: return atom_json(policy_.conditions.get(node.atom));
      case CondKind::negation: return fmt::format("{{\"not\": {}}}", cond_json(node.kids.front()));
      case CondKind::all:
      case CondKind::any: break;
    }
    std::string kids;
    for (const CondId kid : node.kids) kids += (kids.empty() ? "" : ", ") + cond_json(kid);
    return fmt::format("{{\"{}\": [{}]}}", node.kind == CondKind::all ? "all" : "any", kids);
  }

  std::string atom_json(const Atom& atom) const {
    const std::string filter = json_string(name(atom.filter));
    switch (info(atom.filter).value) {
      case seatbelt::FilterValue::none: return fmt::format("{{\"filter\": {}}}", filter);
      case seatbelt::FilterValue::integer:
        return fmt::format("{{\"filter\": {}, \"value\": {}}}", filter, atom.integer);
      case seatbelt::FilterValue::address:
        return fmt::format("{{\"filter\": {}, \"proto\": \"{}\", \"host\": {}, \"port\": {}}}",
                           filter, to_string(atom.address.proto), json_string(atom.address.host),
                           atom.address.port < 0 ? "null" : std::to_string(atom.address.port));
      default: return fmt::format("{{\"filter\": {}, \"value\": {}}}", filter, text(atom.text));
    }
  }

  const Policy& policy_;
  const SourceMap& sources_;
  std::string out_;
};

}  // namespace

std::string to_json(const Policy& policy, const SourceMap& sources) {
  return Writer{policy, sources}.run();
}

}  // namespace nd7::ir
