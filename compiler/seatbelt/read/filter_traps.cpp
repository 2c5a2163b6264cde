// Filters that mean something else than they seem to.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/seatbelt/read/condition.hpp"
#include "compiler/seatbelt/read/traps.hpp"

namespace nd7::seatbelt::read {
namespace {

/// The spelling that the kernel uses for a path below one of macOS's aliases. The alias itself
/// is seen in its own spelling, by `file-read-metadata`.
std::optional<std::string> physical(std::string_view path) {
  static constexpr std::array kAliases{
      std::pair<std::string_view, std::string_view>{"/tmp", "/private/tmp"},
      std::pair<std::string_view, std::string_view>{"/var", "/private/var"},
      std::pair<std::string_view, std::string_view>{"/etc", "/private/etc"},
      std::pair<std::string_view, std::string_view>{"/System/Volumes/Data", ""}};
  for (const auto& [alias, target] : kAliases) {
    if (!test_text(TextTest::subpath, alias, path)) continue;
    return std::string{target} + std::string{path.substr(alias.size())};
  }
  return std::nullopt;
}

bool is_alias_itself(std::string_view path) {
  return path == "/tmp" || path == "/var" || path == "/etc" || path == "/System/Volumes/Data";
}

std::string_view fault_of_path(Filter filter, std::string_view text) {
  if (text.empty() || (text.front() != '/' && text.front() != '\0')) return "no absolute path";
  if (text.find("//") != std::string_view::npos) return "a path with `//`";
  std::string whole{text};
  whole += '/';
  if (whole.find("/../") != std::string::npos) return "a path with `..`";
  if (whole.find("/./") != std::string::npos) return "a path with `.`";
  if (filter != Filter::prefix && text.size() > 1 && text.back() == '/') {
    return "a path that ends in `/`";
  }
  return {};
}

class FilterTraps {
 public:
  FilterTraps(const RuleBase& base, Diagnostics& diagnostics)
      : base_(base), diagnostics_(diagnostics), seen_(base.atoms.size()) {}

  void run() {
    for (const Rule& rule : base_.rules) {
      if (!rule.filter) continue;
      const std::vector<AtomId> atoms = base_.atoms_of(*rule.filter);
      spellings_.clear();
      for (const AtomId id : atoms) look_at(rule, atoms, id);
      local_on_outbound(rule, atoms);
      negated_ports(rule, *rule.filter);
    }
    for (const Span& trace : base_.traces) {
      diagnostics_.add(Code::ND6107, trace, "`(trace ...)` writes nothing on current macOS");
    }
  }

 private:
  void look_at(const Rule& rule, const std::vector<AtomId>& atoms, AtomId id) {
    const Atom& atom = base_.atoms[id];
    const bool path = atom.kind == Atom::Kind::text && info(atom.filter).value == FilterValue::path;
    const bool regex = atom.kind == Atom::Kind::regex && atom.filter == Filter::regex;
    if ((!path && !regex) || seen_[id]) return;
    seen_[id] = true;
    if (regex) return dead_regex(rule, atoms, atom);
    const std::string_view fault = fault_of_path(atom.filter, atom.text);
    if (!fault.empty()) {
      Diagnostic& warning = diagnostics_.add(
          Code::ND6106, atom.span, fmt::format("{}, which no path of the kernel equals", fault));
      warning.labels.push_back({rule.span, "so this rule does not apply"});
      warning.helps.emplace_back("write the path without `.`, `..`, `//` and a final `/`");
      return;
    }
    dead_path(rule, atoms, atom);
  }

  void dead_path(const Rule& rule, const std::vector<AtomId>& atoms, const Atom& atom) {
    const bool itself = is_alias_itself(atom.text);
    if (itself && family_of(atom.filter).test == TextTest::exact) return;
    const std::optional<std::string> seen = physical(atom.text);
    if (!seen) return;
    if (!has_twin(atoms, atom.filter, *seen)) report_dead(rule, atom, atom.text, *seen);
  }

  void dead_regex(const Rule& rule, const std::vector<AtomId>& atoms, const Atom& atom) {
    const std::optional<std::string> start =
        pattern::anchored_prefix(base_.regexes[atom.regex].syntax);
    if (!start || is_alias_itself(*start)) return;
    const std::optional<std::string> seen = physical(*start);
    if (!seen) return;
    if (!has_twin(atoms, atom.filter, *seen)) report_dead(rule, atom, *start, *seen);
  }

  /// The same rule names the physical spelling, too: the alias beside it does no harm.
  bool has_twin(const std::vector<AtomId>& atoms, Filter filter, const std::string& text) {
    if (spellings_.empty()) {
      for (const AtomId id : atoms) {
        const Atom& atom = base_.atoms[id];
        if (atom.kind == Atom::Kind::text) spellings_.emplace(atom.filter, atom.text);
        if (atom.kind != Atom::Kind::regex) continue;
        const auto start = pattern::anchored_prefix(base_.regexes[atom.regex].syntax);
        if (start) spellings_.emplace(atom.filter, *start);
      }
    }
    return spellings_.count({filter, text}) != 0;
  }

  void report_dead(const Rule& rule, const Atom& atom, std::string_view text,
                   std::string_view seen) {
    Diagnostic& warning =
        diagnostics_.add(Code::ND6105, atom.span,
                         fmt::format("the kernel never sees `{}`: it is an alias", shown(text)));
    warning.labels.push_back({rule.span, "so this rule does not apply"});
    warning.helps.push_back(fmt::format("write `{}`", seen.empty() ? "/" : shown(seen)));
  }

  void local_on_outbound(const Rule& rule, const std::vector<AtomId>& atoms) {
    for (const Op op : rule.ops) {
      if (op != Op::network_outbound && op != Op::network_all) continue;
      for (const AtomId id : atoms) {
        const Atom& atom = base_.atoms[id];
        const bool narrow = atom.address.port || atom.address.host != Address::Host::any;
        if (atom.filter != Filter::local || (op == Op::network_all && !narrow)) continue;
        Diagnostic& warning = diagnostics_.add(
            Code::ND6104, atom.span,
            fmt::format("on outgoing connections `local` matches every destination: this {} them "
                        "all",
                        rule.action == Action::allow ? "allows" : "denies"));
        warning.labels.push_back({rule.span, "the socket has no own address yet when it connects"});
        warning.helps.emplace_back("use `remote`, or name `network-bind` and `network-inbound`");
        return;
      }
    }
  }

  void negated_ports(const Rule& rule, FilterId root) {
    std::vector<std::pair<FilterId, bool>> work{{root, false}};
    while (!work.empty()) {
      const auto [id, negated] = work.back();
      work.pop_back();
      const FilterNode& node = base_.filters[id];
      if (node.kind != FilterNode::Kind::atom) {
        const bool below = negated || node.kind == FilterNode::Kind::negation;
        for (const FilterId kid : base_.kids_of(id)) work.emplace_back(kid, below);
        continue;
      }
      const Atom& atom = base_.atoms[node.first];
      if (!negated || atom.kind != Atom::Kind::address || atom.address.port || seen_[node.first]) {
        continue;
      }
      seen_[node.first] = true;
      Diagnostic& warning = diagnostics_.add(
          Code::ND6103, atom.span, "a wildcard port inside `require-not` is said never to match");
      warning.labels.push_back({rule.span, "this rule may match more than it says"});
      warning.helps.emplace_back("turn the condition round, or name the ports");
    }
  }

  const RuleBase& base_;
  Diagnostics& diagnostics_;
  std::vector<bool> seen_;                              ///< atoms that are done: rules share them
  std::set<std::pair<Filter, std::string>> spellings_;  ///< of the rule at hand, once asked for
};

}  // namespace

void find_filter_traps(const RuleBase& base, Diagnostics& diagnostics) {
  FilterTraps(base, diagnostics).run();
}

}  // namespace nd7::seatbelt::read
