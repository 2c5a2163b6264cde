#include "compiler/answer/effect.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "compiler/answer/invariants.hpp"
#include "compiler/answer/prepared.hpp"

namespace nd7::answer {
namespace {

using decide::Answer;
using seatbelt::Op;

/// What is still possible for a rule after some placements.
struct Suspicion {
  bool empty = true;
  bool taken_back = true;
  bool redundant = true;

  [[nodiscard]] bool none() const { return !empty && !taken_back && !redundant; }
};

/// The concrete operations of terms, each once.
std::vector<Op> operations_of(const std::vector<laws::Term>& terms) {
  std::vector<Op> result;
  for (const laws::Term& term : terms) {
    for (const Op op : term.ops) {
      for (const Op below : seatbelt::family(op)) {
        if (seatbelt::is_concrete(below)) result.push_back(below);
      }
    }
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// Of one search. Less than a proof may take: what is not found within it is not said.
constexpr decide::Budget kBudget{20'000, 500'000};

bool opens(laws::Role role) {
  return role == laws::Role::allow || role == laws::Role::grant || role == laws::Role::exit;
}

/// The policy at one placement, for questions about each of its rules.
class Place {
 public:
  Place(const ir::Policy& policy, const SourceMap& sources, const Placement& placement)
      : policy_(policy), sources_(sources) {
    terms_ = placed_terms(policy_, placement, {});
    for (std::size_t i = 0; i < terms_.size(); ++i) by_label_[terms_[i].label].push_back(i);
    // In full, so that taking out the text of one rule leaves what the other rules say.
    ViewOptions options;
    options.complete = true;
    std::string bug;
    whole_ = answer::view_of(policy, placement, sources_, options, bug);
    for (seatbelt::read::RuleId i = 0; whole_ && i < whole_->origins.size(); ++i) {
      if (whole_->origins[i]) rules_of_[whole_->origins[i]->label].insert(i);
    }
  }

  /// False if nothing can be said.
  bool look(const std::string& label, Suspicion& suspicion) {
    const std::vector<laws::Term> terms =
        terms_of(label, [](const laws::Term& term) { return term.role != laws::Role::kept; });
    auto matches = view_of(terms);
    if (!matches || !whole_) return false;
    std::set<std::vector<std::uint64_t>> seen;
    for (const Op op : operations_of(terms)) {
      const auto answers = answers_for(*matches, op);
      if (answers && !seen.insert(*answers).second) continue;
      look(label, *matches, op, suspicion);
      if (suspicion.none()) return true;
    }
    return true;
  }

  /// Who decides some request of the rule `label` in its place.
  std::optional<std::string> decider_instead_of(const std::string& label) {
    const std::vector<laws::Term> terms =
        terms_of(label, [](const laws::Term& term) { return term.role != laws::Role::kept; });
    auto matches = view_of(terms);
    if (!matches || !whole_) return std::nullopt;
    for (const Op op : operations_of(terms)) {
      const Found some = find(matches->side, matches->side, op, Relation::both, kBudget);
      if (some.answer != Answer::yes) continue;
      if (const Origin* const by = origin(decide_without(label, some.request))) return by->label;
    }
    return std::nullopt;
  }

 private:
  /// The prepared answers about `op`; operations that share them behave alike. None where more than
  /// them decides.
  std::optional<std::vector<std::uint64_t>> answers_for(View& matches, Op op) {
    std::vector<std::uint64_t> result;
    for (Side* const side : {&matches.side, &whole_->side}) {
      if (!side->facts(op).empty()) return std::nullopt;
      for (const seatbelt::Variant variant : variants(info(op).subject)) {
        if (variant != seatbelt::Variant::path && variant != seatbelt::Variant::global_name &&
            variant != seatbelt::Variant::local_name) {
          return std::nullopt;
        }
        result.push_back(side->prepared(op, variant).id);
      }
    }
    return result;
  }

  void look(const std::string& label, View& matches, Op op, Suspicion& suspicion) {
    Found open;
    open.answer = Answer::no;
    if (suspicion.taken_back || suspicion.redundant) {
      open = find(matches.side, whole_->side, op, Relation::both, kBudget);
    }
    if (open.answer != Answer::no) {
      suspicion.empty = suspicion.taken_back = false;
    } else if (suspicion.empty &&
               find(matches.side, matches.side, op, Relation::both, kBudget).answer != Answer::no) {
      suspicion.empty = false;
    }
    if (suspicion.redundant && open.answer != Answer::no) {
      suspicion.redundant = open.answer == Answer::yes && covered(label, matches, op, open.request);
    }
  }

  /// Whether every request of `op` that the rule matches is answered as it would be without the
  /// rule. Requests are met one by one, each time with all that the rule deciding it covers taken
  /// out: a few rules cover most others. In doubt the answer is no.
  bool covered(const std::string& label, View& matches, Op op, seatbelt::read::Request request) {
    std::set<Cover> covers;
    for (std::size_t round = 0; round < kMaxCovers; ++round) {
      const auto cover = cover_of(label, op, request);
      if (!cover || !covers.insert(*cover).second) return false;
      View* const covering = view_of_covers(covers, op);
      if (covering == nullptr) return false;
      Found next = find(matches.side, covering->side, op, Relation::above, kBudget);
      if (next.answer != Answer::yes) return next.answer == Answer::no;
      request = std::move(next.request);
    }
    return false;
  }

  /// Terms of one label, those that open or those that close.
  using Cover = std::pair<std::string, bool>;

  /// Terms that decide `request` and all else that they match alike with and without the rule.
  std::optional<Cover> cover_of(const std::string& label, Op op,
                                const seatbelt::read::Request& request) {
    const seatbelt::read::Decision with = whole_->side.decide(request);
    const seatbelt::read::Decision without = decide_without(label, request);
    if (with.verdict == seatbelt::read::Verdict::allow) {
      const Origin* const by = origin(without);
      if (without.verdict != seatbelt::read::Verdict::allow || by == nullptr || !opens(by->role) ||
          without.unconfined != with.unconfined || !neighbours(label, op, without.by.rule)) {
        return std::nullopt;
      }
      return Cover{by->label, true};
    }
    // Denied by a rule for this very operation, which all of its kind precede every allow.
    const Origin* const by = origin(with);
    if (with.verdict != seatbelt::read::Verdict::deny || by == nullptr || opens(by->role) ||
        with.by.level != op) {
      return std::nullopt;
    }
    return Cover{by->label, false};
  }

  /// No deny stands between the rules of `label` and rule `other` for `op`.
  bool neighbours(const std::string& label, Op op, seatbelt::read::RuleId other) {
    bool inside = false;  // between the first and the last of them
    std::size_t denies = 0;
    for (const seatbelt::read::Step& step : whole_->side.steps(op)) {
      if (step.kind != seatbelt::read::Step::Kind::rule) continue;
      const auto& from = whole_->origins[step.rule];
      if (step.rule == other || (from && from->label == label && opens(from->role))) {
        if (inside && denies != 0) return false;
        inside = true;
      }
      if (inside && step.action == seatbelt::read::Action::deny) ++denies;
    }
    return true;
  }

  seatbelt::read::Decision decide_without(const std::string& label,
                                          const seatbelt::read::Request& request) {
    const auto own = rules_of_.find(label);
    std::vector<seatbelt::read::Step> steps = whole_->side.steps(request.op);
    std::erase_if(steps, [&](const seatbelt::read::Step& step) {
      return step.kind == seatbelt::read::Step::Kind::rule && own != rules_of_.end() &&
             own->second.count(step.rule) != 0;
    });
    return seatbelt::read::decide(whole_->side.base(), request, steps);
  }

  const Origin* origin(const seatbelt::read::Decision& decision) const {
    if (decision.by.kind != seatbelt::read::Step::Kind::rule) return nullptr;
    const auto& from = whole_->origins[decision.by.rule];
    return from ? &*from : nullptr;
  }

  template <class Picks>
  std::vector<laws::Term> terms_of(const std::string& label, Picks picks) const {
    std::vector<laws::Term> result;
    const auto at = by_label_.find(label);
    if (at == by_label_.end()) return result;
    for (const std::size_t i : at->second) {
      if (picks(terms_[i])) result.push_back(terms_[i]);
    }
    return result;
  }

  std::optional<View> view_of(const std::vector<laws::Term>& terms) {
    std::string bug;
    return view_of_terms(policy_, terms, sources_, bug);
  }

  /// Of the few sets of covers that most rules share. Closing terms count for what they name.
  View* view_of_covers(const std::set<Cover>& covers, Op op) {
    const bool closes =
        std::any_of(covers.begin(), covers.end(), [](const Cover& cover) { return !cover.second; });
    auto key = std::make_pair(covers, closes ? op : Op::default_);
    if (const auto at = covering_.find(key); at != covering_.end()) return &at->second;
    std::vector<laws::Term> terms;
    for (const auto& [label, opening] : covers) {
      auto more = terms_of(label, [&, opening = opening](const laws::Term& term) {
        const bool named = std::find(term.ops.begin(), term.ops.end(), op) != term.ops.end();
        return opens(term.role) == opening && (opening || named);
      });
      terms.insert(terms.end(), more.begin(), more.end());
    }
    auto view = view_of(terms);
    if (!view) return nullptr;
    if (covering_.size() >= kMaxKept) covering_.clear();
    return &covering_.emplace(std::move(key), std::move(*view)).first->second;
  }

  static constexpr std::size_t kMaxCovers = 16;
  static constexpr std::size_t kMaxKept = 64;

  ir::Policy policy_;  ///< placed; questions add conditions
  const SourceMap& sources_;
  std::vector<laws::Term> terms_;
  std::map<std::string, std::vector<std::size_t>> by_label_;
  std::optional<View> whole_;
  std::map<std::string, std::set<seatbelt::read::RuleId>> rules_of_;  ///< of whole_, by label
  std::map<std::pair<std::set<Cover>, Op>, View> covering_;
};

class Examiner {
 public:
  Examiner(const ir::Policy& policy, const SourceMap& sources)
      : policy_(policy), sources_(sources), placements_(placements(policy)) {
    placements_.resize(std::min(placements_.size(), kStandardPlacements));
  }

  std::vector<Idle> run() {
    std::vector<Idle> result;
    const std::size_t most = std::min(
        kMaxRulesLookedAt, kMaxPairsLookedAt / std::max<std::size_t>(1, policy_.rules.size()));
    std::size_t looked_at = 0;
    for (std::uint32_t i = 0; i < policy_.rules.size(); ++i) {
      const ir::Rule& rule = policy_.rules[i];
      const bool own = rule.unit + 1 == policy_.units.size();
      if (!own || rule.effect == ir::Effect::never) continue;
      if (++looked_at > most) break;
      const auto idle = examine(i);
      if (idle) result.push_back(*idle);
    }
    return result;
  }

 private:
  std::optional<Idle> examine(std::uint32_t index) {
    const ir::Rule& rule = policy_.rules[index];
    const std::string label = rule_key(rule);
    Suspicion suspicion;
    // A deny may stand for what no rule allows yet; only one that matches nothing is idle.
    if (rule.effect == ir::Effect::deny) {
      suspicion.taken_back = false;
      suspicion.redundant = false;
    }
    for (std::size_t i = 0; i < placements_.size(); ++i) {
      if (!place(i).look(label, suspicion) || suspicion.none()) return std::nullopt;
    }
    Idle idle;
    idle.rule = index;
    for (std::size_t i = 0; i < placements_.size() && !idle.other; ++i) {
      idle.other = place(i).decider_instead_of(label);
    }
    idle.why = suspicion.empty        ? Idle::Why::empty
               : suspicion.taken_back ? Idle::Why::taken_back
                                      : Idle::Why::redundant;
    return idle;
  }

  Place& place(std::size_t index) {
    if (index == places_.size()) {
      places_.push_back(std::make_unique<Place>(policy_, sources_, placements_[index]));
    }
    return *places_[index];
  }

  const ir::Policy& policy_;
  const SourceMap& sources_;
  std::vector<Placement> placements_;
  std::vector<std::unique_ptr<Place>> places_;
};

}  // namespace

std::vector<Idle> idle_rules(const ir::Policy& policy, const SourceMap& sources) {
  return Examiner{policy, sources}.run();
}

}  // namespace nd7::answer
