#include "compiler/seatbelt/lower/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "compiler/pattern/regex.hpp"
#include "compiler/seatbelt/lower/losses.hpp"
#include "compiler/seatbelt/lower/tautology.hpp"

namespace nd7::seatbelt {
namespace {

using ir::CondId;
using ir::CondKind;
using laws::Role;
using laws::Term;

constexpr std::size_t kMaxOptional = 4;

/// The printed order of the roles. Later rules win under every reading of precedence in which order
/// counts, and the others are met by naming every operation.
constexpr std::array kOrder{Role::allow, Role::grant,   Role::deny, Role::kept,
                            Role::exit,  Role::protect, Role::seal};

class Lowering {
 public:
  Lowering(ir::Policy& policy, const std::vector<Term>& terms, laws::Profile kind,
           const SourceMap& sources, Diagnostics& diagnostics, Style style)
      : policy_(policy),
        terms_(terms),
        sources_(sources),
        losses_(policy, diagnostics),
        diagnostics_(diagnostics),
        style_(style) {
    profile_.kind = kind;
  }

  SeatbeltProfile run() {
    std::vector<Term> closed;
    for (const Term& term : terms_) {
      Term copy = term;
      copy.cond = losses_.apply(close(term.cond), term);
      if (denies(term.role)) losses_.report_total_deny(unnamed(term), term);
      if (copy.cond != ir::kNever) closed.push_back(std::move(copy));
    }
    subtract_total_denies(closed);
    if (style_ == Style::compact) drop_what_is_open_anyway(closed);
    deny_links();
    for (const Role role : kOrder) {
      for (const Term& term : closed) {
        if (term.role == role) emit(term);
      }
    }
    losses_.report_unused();
    return std::move(profile_);
  }

 private:
  ir::Conditions& conditions() { return policy_.conditions; }

  static bool denies(Role role) {
    return role == Role::deny || role == Role::kept || role == Role::protect || role == Role::seal;
  }

  /// Operations that a deny closes by a class above them alone, since not every release has them.
  static std::vector<Op> unnamed(const Term& term) {
    std::vector<Op> result;
    for (const Op op : term.ops) {
      for (const Op below : family(op)) {
        const bool named = std::find(term.ops.begin(), term.ops.end(), below) != term.ops.end();
        const bool everywhere = info(below).releases == ReleaseSet::all();
        if (is_concrete(below) && !named && !everywhere) result.push_back(below);
      }
    }
    return result;
  }

  /// Bound parameters replaced by their values; in regular expressions by the quoted values.
  CondId close(CondId cond) {
    const ir::CondNode node = conditions().node(cond);
    if (node.kind == CondKind::never || node.kind == CondKind::always) return cond;
    if (node.kind == CondKind::atom) {
      ir::Atom atom = conditions().get(node.atom);
      if (!ir::has_holes(atom.text)) return cond;
      const bool regex = info(atom.filter).value == FilterValue::regex;
      atom.text = ir::substitute(atom.text, [&](ir::ParamId id) {
        std::optional<std::string> value = policy_.params[id.value].value;
        if (value && regex) value = pattern::quote_regex(*value);
        return value;
      });
      return conditions().atom(std::move(atom));
    }
    std::vector<CondId> kids;
    kids.reserve(node.kids.size());
    for (const CondId kid : node.kids) kids.push_back(close(kid));
    switch (node.kind) {
      case CondKind::negation: return conditions().negate(kids.front());
      case CondKind::all: return conditions().all(std::move(kids));
      default: return conditions().any(std::move(kids));
    }
  }

  /// A deny of every request of an operation needs a filter that always matches. Where none exists,
  /// the operation is taken out of the allows; one that Seatbelt allows by itself is then denied
  /// without a filter, which decides since no other rule is left for it.
  void subtract_total_denies(std::vector<Term>& terms) {
    std::vector<bool> shut(kOpCount, false);
    std::vector<Term> result;
    for (Term& term : terms) {
      if (denies(term.role) && term.cond == ir::kAlways) {
        deny_everything(term, result, shut);
      } else {
        result.push_back(std::move(term));
      }
    }
    for (Term& term : result) {
      if (!denies(term.role)) term.ops = without(term.ops, shut);
    }
    std::erase_if(result, [](const Term& term) { return term.ops.empty(); });
    terms = std::move(result);
  }

  /// One term for each filter that matches everything: the operations below one class may be about
  /// different things.
  void deny_everything(const Term& term, std::vector<Term>& result, std::vector<bool>& shut) {
    const std::size_t first = result.size();
    std::vector<Op> bare;
    for (const Op op : term.ops) {
      const auto tautology = tautology_of(info(op).subject, conditions());
      if (!tautology) {
        bare.push_back(op);
        continue;
      }
      auto at = std::find_if(result.begin() + static_cast<std::ptrdiff_t>(first), result.end(),
                             [&](const Term& other) { return other.cond == *tautology; });
      if (at == result.end()) {
        at = result.insert(at, term);
        at->ops.clear();
        at->cond = *tautology;
      }
      at->ops.push_back(op);
    }
    losses_.report_total_deny(bare, term);
    ProfileRule rule = rule_of(term);
    for (const Op op : bare) {
      for (const Op below : family(op)) {
        const bool filtered = tautology_of(info(below).subject, conditions()).has_value();
        if (!filtered) shut[static_cast<std::size_t>(below)] = true;
      }
      if (builtin_answer(op) == Builtin::allow) rule.ops.push_back(op);
    }
    if (!rule.ops.empty()) first_denies_.push_back(std::move(rule));
  }

  /// `ops` with the members of `shut` taken out; a class that holds one is replaced by its parts.
  static std::vector<Op> without(const std::vector<Op>& ops, const std::vector<bool>& shut) {
    std::vector<Op> result;
    for (const Op op : ops) {
      const auto family_of_op = family(op);
      const bool hit = std::any_of(family_of_op.begin(), family_of_op.end(),
                                   [&](Op below) { return shut[static_cast<std::size_t>(below)]; });
      if (!hit) {
        result.push_back(op);
        continue;
      }
      for (const Op below : family_of_op) {
        const auto parts = family(below);
        const bool whole = std::none_of(parts.begin(), parts.end(), [&](Op part) {
          return shut[static_cast<std::size_t>(part)];
        });
        if (is_concrete(below) && whole) result.push_back(below);
      }
    }
    return result;
  }

  /// An operation that some rule allows without condition needs no second allow: the union is
  /// exact, and the text stays short.
  void drop_what_is_open_anyway(std::vector<Term>& terms) {
    std::vector<bool> open(kOpCount, false);
    for (const Term& term : terms) {
      if (denies(term.role) || term.role == Role::exit || term.cond != ir::kAlways) continue;
      for (const Op op : term.ops) {
        for (const Op below : family(op)) open[static_cast<std::size_t>(below)] = true;
      }
    }
    for (Term& term : terms) {
      if (denies(term.role) || term.role == Role::exit || term.cond == ir::kAlways) continue;
      std::erase_if(term.ops, [&](Op op) { return open[static_cast<std::size_t>(op)]; });
    }
    std::erase_if(terms, [](const Term& term) { return term.ops.empty(); });
    links_open_ = open[static_cast<std::size_t>(Op::file_link)];
  }

  void deny_links() {
    if (!links_open_) {
      ProfileRule rule;
      rule.ops = {Op::file_link};
      rule.role = Role::kept;
      rule.label = "nd7/links";
      profile_.rules.push_back(std::move(rule));
    }
    for (ProfileRule& rule : first_denies_) profile_.rules.push_back(std::move(rule));
  }

  ProfileRule rule_of(const Term& term) const {
    ProfileRule rule;
    rule.allow = !denies(term.role);
    rule.no_sandbox = term.role == Role::exit;
    rule.role = term.role;
    rule.label = term.label;
    if (term.span && term.rule) {
      const ir::Unit& unit = policy_.units[policy_.rules[*term.rule].unit];
      rule.place = fmt::format("{}:{}", unit.display,
                               sources_.file(term.span->file).line_of(term.span->begin));
    }
    return rule;
  }

  void emit(const Term& term) {
    ProfileRule base = rule_of(term);
    base.ops = term.ops;
    if (term.cond == ir::kAlways) {
      push(std::move(base));
      return;
    }
    if (negates_address(term)) return;
    const ir::CondNode node = conditions().node(term.cond);
    const std::vector<CondId> filters =
        node.kind == CondKind::any ? node.kids : std::vector<CondId>{term.cond};
    // Filters with the same optional parameters share a rule.
    std::vector<std::pair<std::vector<ir::ParamId>, std::vector<CondId>>> groups;
    for (const CondId filter : filters) {
      auto optional = optional_params(filter);
      const auto at = std::find_if(groups.begin(), groups.end(),
                                   [&](const auto& group) { return group.first == optional; });
      if (at == groups.end()) {
        groups.push_back({std::move(optional), {filter}});
      } else {
        at->second.push_back(filter);
      }
    }
    for (const auto& [optional, members] : groups) emit_group(base, optional, members, term);
  }

  /// Below `require-not` an address with a wildcard port never matches, so none may stand there.
  bool negates_address(const Term& term) {
    auto positive = conditions().positive_atoms_of(term.cond);
    std::sort(positive.begin(), positive.end());
    for (const ir::AtomId id : conditions().atoms_of(term.cond)) {
      if (info(conditions().get(id).filter).value != FilterValue::address) continue;
      if (std::binary_search(positive.begin(), positive.end(), id)) continue;
      diagnostics_
          .add(Code::ND2029, term.span,
               fmt::format("`{}` comes to \"every address but these\", which Seatbelt cannot say",
                           term.label))
          .helps.emplace_back(
              "a relaxation cannot lift single addresses of a deny; narrow the deny");
      return true;
    }
    return false;
  }

  void emit_group(const ProfileRule& base, const std::vector<ir::ParamId>& optional,
                  const std::vector<CondId>& filters, const Term& term) {
    if (optional.size() > kMaxOptional) {
      diagnostics_.add(
          Code::ND9004, term.span,
          fmt::format("a condition holds more than {} optional parameters", kMaxOptional));
      return;
    }
    for (std::size_t unset = 0; unset < (std::size_t{1} << optional.size()); ++unset) {
      ProfileRule rule = base;
      for (std::size_t i = 0; i < optional.size(); ++i) {
        ((unset >> i & 1U) != 0 ? rule.if_unset : rule.if_set).push_back(optional[i]);
      }
      for (const CondId filter : filters) {
        const CondId left = assume_unset(filter, rule.if_unset);
        if (left == ir::kAlways) {
          const auto tautology = tautology_of(info(base.ops.front()).subject, conditions());
          if (tautology) rule.filters.push_back(*tautology);
        } else if (left != ir::kNever) {
          rule.filters.push_back(left);
        }
      }
      if (!rule.filters.empty()) push(std::move(rule));
    }
  }

  std::vector<ir::ParamId> optional_params(CondId cond) const {
    std::vector<ir::ParamId> result;
    for (const ir::AtomId id : policy_.conditions.atoms_of(cond)) {
      for (const ir::ParamId param : ir::params_of(policy_.conditions.get(id).text)) {
        if (!policy_.params[param.value].optional) continue;
        if (std::find(result.begin(), result.end(), param) == result.end()) result.push_back(param);
      }
    }
    std::sort(result.begin(), result.end());
    return result;
  }

  /// A filter that holds an unset optional parameter matches nothing.
  CondId assume_unset(CondId cond, const std::vector<ir::ParamId>& unset) {
    if (unset.empty()) return cond;
    const ir::CondNode node = conditions().node(cond);
    if (node.kind == CondKind::atom) {
      for (const ir::ParamId param : ir::params_of(conditions().get(node.atom).text)) {
        if (std::find(unset.begin(), unset.end(), param) != unset.end()) return ir::kNever;
      }
      return cond;
    }
    if (node.kids.empty()) return cond;
    std::vector<CondId> kids;
    for (const CondId kid : node.kids) kids.push_back(assume_unset(kid, unset));
    switch (node.kind) {
      case CondKind::negation: return conditions().negate(kids.front());
      case CondKind::all: return conditions().all(std::move(kids));
      default: return conditions().any(std::move(kids));
    }
  }

  /// Clauses of one rule that differ in operations only become one rule.
  void push(ProfileRule rule) {
    if (!profile_.rules.empty()) {
      ProfileRule& last = profile_.rules.back();
      if (last.allow == rule.allow && last.role == rule.role && last.label == rule.label &&
          last.place == rule.place && last.filters == rule.filters && last.if_set == rule.if_set &&
          last.if_unset == rule.if_unset && !last.filters.empty() &&
          info(last.ops.front()).subject == info(rule.ops.front()).subject) {
        last.ops.insert(last.ops.end(), rule.ops.begin(), rule.ops.end());
        std::sort(last.ops.begin(), last.ops.end());
        last.ops.erase(std::unique(last.ops.begin(), last.ops.end()), last.ops.end());
        return;
      }
    }
    profile_.rules.push_back(std::move(rule));
  }

  ir::Policy& policy_;
  const std::vector<Term>& terms_;
  const SourceMap& sources_;
  Losses losses_;
  Diagnostics& diagnostics_;
  Style style_;
  SeatbeltProfile profile_;
  std::vector<ProfileRule> first_denies_;
  bool links_open_ = false;
};

}  // namespace

SeatbeltProfile lower(ir::Policy& policy, const std::vector<Term>& terms, laws::Profile kind,
                      const SourceMap& sources, Diagnostics& diagnostics, Style style) {
  return Lowering{policy, terms, kind, sources, diagnostics, style}.run();
}

}  // namespace nd7::seatbelt
