#include "compiler/seatbelt/lower/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/seatbelt/lower/encode.hpp"

namespace nd7::seatbelt {
namespace {

using ir::CondId;
using ir::CondKind;
using laws::Role;

std::string_view heading(Role role) {
  switch (role) {
    case Role::allow: return "what the rules allow";
    case Role::grant: return "what was granted while the session runs";
    case Role::deny:
      return "what the rules deny: named for every operation, so that no allow is nearer";
    case Role::kept:
      return "what is denied stays where it is: no unlink, no link, no move of a parent";
    case Role::exit: return "the one way out: nd7-exec, which confines itself again";
    case Role::protect: return "the programs and rules files themselves";
    case Role::seal: return "the seal: nd7's own records, for every operation";
  }
  return {};
}

class Printer {
 public:
  Printer(const ir::Policy& policy, const SeatbeltProfile& profile, const PrintOptions& options)
      : policy_(policy),
        profile_(profile),
        options_(options),
        key_([this](ir::ParamId id) { return policy_.params[id.value].key; }) {}

  PrintedProfile run() {
    head();
    operative("(version 1)\n(deny default)\n(import \"system.sb\")\n", "nd7");
    const Role* section = nullptr;
    for (const ProfileRule& rule : profile_.rules) {
      // The unfiltered denies of the compiler stand before the allows.
      const bool preamble = rule.filters.empty() && !rule.allow;
      if (!preamble && (section == nullptr || *section != rule.role)) {
        result_.text += fmt::format("\n; -- {}\n", heading(rule.role));
        section = &rule.role;
      }
      print_rule(rule, preamble);
    }
    return std::move(result_);
  }

 private:
  void comment(std::string_view text) {
    result_.text += fmt::format("; {}\n", encode_comment(text));
  }

  void operative(const std::string& text, const std::string& label) {
    result_.text += text;
    result_.operative_bytes += text.size();
    result_.bytes_by_label[label] += text.size();
  }

  void head() {
    comment(fmt::format("{}: {}", policy_.name,
                        profile_.kind == laws::Profile::floor
                            ? "the floor, which a program and all it starts runs under"
                            : "the command profile, which nd7-exec applies to one command"));
    comment(fmt::format("compiled by nd7c {} for {}; change the rules, not this file",
                        options_.version,
                        options_.release ? std::string{to_string(*options_.release)}
                                         : std::string{"macos-13 and later"}));
    for (const ir::Unit& unit : policy_.units) {
      comment(fmt::format("from {} sha256:{}", unit.display, unit.sha256));
    }
    comment(
        "proved, given that system.sb adds filtered allows only: for every operation this text");
    comment("decides what the rules say, under every known reading of Seatbelt's precedence");
    std::vector<std::string> open;
    for (const ir::ParamId id : open_params()) {
      const ir::Param& param = policy_.params[id.value];
      open.push_back(param.optional ? param.key + " (may be unset)" : param.key);
    }
    if (!open.empty()) comment(fmt::format("parameters: {}", fmt::join(open, ", ")));
    result_.text += "\n";
  }

  /// Every parameter that some rule still names, in the order of their indices.
  std::vector<ir::ParamId> open_params() const {
    std::vector<ir::ParamId> result;
    for (const ProfileRule& rule : profile_.rules) {
      for (const CondId filter : rule.filters) {
        for (const ir::AtomId id : policy_.conditions.atoms_of(filter)) {
          const auto params = ir::params_of(policy_.conditions.get(id).text);
          result.insert(result.end(), params.begin(), params.end());
        }
      }
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  void print_rule(const ProfileRule& rule, bool preamble) {
    std::string note = rule.label;
    if (!rule.place.empty()) {
      const std::size_t slash = rule.label.find('/');
      note = rule.place + " " + rule.label.substr(slash == std::string::npos ? 0 : slash + 1);
    }
    if (preamble) result_.text += "\n";
    comment(note);
    std::string text = rule_text(rule);
    const std::size_t guards = rule.if_set.size() + rule.if_unset.size();
    if (guards != 0) text = fmt::format("(if {}\n  {})", guard(rule), text);
    const auto lines = [](std::string_view part) {
      return static_cast<std::uint32_t>(std::count(part.begin(), part.end(), '\n'));
    };
    line_ += lines(std::string_view{result_.text}.substr(counted_));
    counted_ = result_.text.size();
    result_.lines.push_back({line_, line_ + lines(text)});
    operative(text + "\n", rule.label);
  }

  std::string guard(const ProfileRule& rule) const {
    std::vector<std::string> parts;
    for (const ir::ParamId id : rule.if_set) {
      parts.push_back(fmt::format("(param {})", encode_string(key_(id))));
    }
    for (const ir::ParamId id : rule.if_unset) {
      parts.push_back(fmt::format("(not (param {}))", encode_string(key_(id))));
    }
    if (parts.size() == 1) return parts.front();
    return fmt::format("(and {})", fmt::join(parts, " "));
  }

  std::string rule_text(const ProfileRule& rule) const {
    std::string text = rule.allow ? "(allow" : "(deny";
    for (const Op op : rule.ops) text += fmt::format(" {}", name(op));
    if (rule.no_sandbox) text += " (with no-sandbox)";
    if (rule.filters.size() == 1) {
      const std::string filter = filter_text(rule.filters.front());
      const bool wide = text.size() + filter.size() > 100;
      return text + (wide ? "\n  " : " ") + filter + ")";
    }
    for (const CondId filter : rule.filters) text += "\n  " + filter_text(filter);
    return text + ")";
  }

  // Depth is bounded by the parser's limit for expressions.
  std::string filter_text(CondId cond) const {
    const ir::CondNode& node = policy_.conditions.node(cond);
    switch (node.kind) {
      case CondKind::atom: return atom_text(policy_.conditions.get(node.atom));
      case CondKind::negation:
        return fmt::format("(require-not {})", filter_text(node.kids.front()));
      case CondKind::all: return "(require-all" + kids_text(node) + ")";
      case CondKind::any: return "(require-any" + kids_text(node) + ")";
      case CondKind::never:
      case CondKind::always: break;
    }
    return {};  // lowering leaves no constant inside a filter
  }

  std::string kids_text(const ir::CondNode& node) const {
    std::string text;
    for (const CondId kid : node.kids) text += " " + filter_text(kid);
    return text;
  }

  std::string atom_text(const ir::Atom& atom) const {
    const std::string_view filter = name(atom.filter);
    switch (info(atom.filter).value) {
      case FilterValue::none: return fmt::format("({})", filter);
      case FilterValue::path:
      case FilterValue::name: return fmt::format("({} {})", filter, encode_text(atom.text, key_));
      case FilterValue::regex:
        return fmt::format("({} {})", filter, encode_regex_text(atom.text, key_));
      case FilterValue::integer: return fmt::format("({} {})", filter, atom.integer);
      case FilterValue::symbol: return fmt::format("({} {})", filter, atom.text);
      case FilterValue::address: {
        const std::string port = atom.address.port < 0 ? "*" : std::to_string(atom.address.port);
        return fmt::format("({} {} {})", filter, to_string(atom.address.proto),
                           encode_string(atom.address.host + ":" + port));
      }
    }
    return {};
  }

  const ir::Policy& policy_;
  const SeatbeltProfile& profile_;
  const PrintOptions& options_;
  ParamKey key_;
  PrintedProfile result_;
  std::size_t counted_ = 0;  ///< bytes of the text whose lines `line_` counts
  std::uint32_t line_ = 1;
};

}  // namespace

PrintedProfile print(const ir::Policy& policy, const SeatbeltProfile& profile,
                     const PrintOptions& options) {
  return Printer{policy, profile, options}.run();
}

}  // namespace nd7::seatbelt
