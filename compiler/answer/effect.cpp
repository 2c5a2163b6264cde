#include "compiler/answer/effect.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "compiler/answer/invariants.hpp"

namespace nd7::answer {
namespace {

using decide::Answer;
using seatbelt::Op;

/// What is still possible for a rule after some placements.
struct Suspicion {
  bool empty = true;
  bool taken_back = true;
  bool redundant = true;
  std::optional<std::string> other;

  [[nodiscard]] bool none() const { return !empty && !taken_back && !redundant; }
};

class Examiner {
 public:
  Examiner(const ir::Policy& policy, const SourceMap& sources)
      : policy_(policy), sources_(sources) {}

  std::vector<Idle> run() {
    std::vector<Idle> result;
    std::size_t looked_at = 0;
    for (std::uint32_t i = 0; i < policy_.rules.size(); ++i) {
      const ir::Rule& rule = policy_.rules[i];
      const bool own = rule.unit + 1 == policy_.units.size();
      if (!own || rule.effect == ir::Effect::never) continue;
      if (++looked_at > kMaxRulesLookedAt) break;
      const auto idle = examine(i);
      if (idle) result.push_back(*idle);
    }
    return result;
  }

 private:
  std::optional<Idle> examine(std::uint32_t index) {
    const ir::Rule& rule = policy_.rules[index];
    Suspicion suspicion;
    // A deny may stand for what no rule allows yet; only one that matches nothing is idle.
    if (rule.effect == ir::Effect::deny) {
      suspicion.taken_back = false;
      suspicion.redundant = false;
    }
    std::vector<Placement> places = placements(policy_);
    places.resize(std::min(places.size(), kStandardPlacements));
    for (const Placement& placement : places) {
      if (!look(index, placement, suspicion) || suspicion.none()) return std::nullopt;
    }
    Idle idle;
    idle.rule = index;
    idle.other = suspicion.other;
    idle.why = suspicion.empty        ? Idle::Why::empty
               : suspicion.taken_back ? Idle::Why::taken_back
                                      : Idle::Why::redundant;
    return idle;
  }

  /// False if nothing can be said.
  bool look(std::uint32_t index, const Placement& placement, Suspicion& suspicion) {
    const std::string label = rule_key(policy_.rules[index]);
    std::string bug;
    auto matches = view_of_matches(
        policy_, {},
        [&](const laws::Term& term) {
          return term.label == label && term.role != laws::Role::kept;
        },
        placement, sources_, bug);
    View* const whole = whole_at(placement);
    ir::Policy reduced = policy_;
    for (ir::Clause& clause : reduced.rules[index].clauses) clause.cond = ir::kNever;
    auto without = view_of(std::move(reduced), placement, sources_, {}, bug);
    if (!matches || whole == nullptr || !without) return false;
    for (const Op op : operations_of_interest(matches->side, whole->side)) {
      const Found some = find(matches->side, matches->side, op, Relation::both);
      if (some.answer != Answer::no) suspicion.empty = false;
      if (some.answer == Answer::yes && !suspicion.other) {
        const auto by = answer::decided_by(*without, some.request);
        if (by) suspicion.other = by->label;
      }
      if (suspicion.taken_back &&
          find(matches->side, whole->side, op, Relation::both).answer != Answer::no) {
        suspicion.taken_back = false;
      }
      if (suspicion.redundant &&
          find(whole->side, without->side, op, Relation::above).answer != Answer::no) {
        suspicion.redundant = false;
      }
      if (suspicion.none()) return true;
    }
    return true;
  }

  View* whole_at(const Placement& placement) {
    const std::string key = placement_text(placement) + "\n" + placement.meaning;
    auto [at, fresh] = whole_.try_emplace(key);
    std::string bug;
    if (fresh) at->second = view_of(policy_, placement, sources_, {}, bug);
    return at->second ? &*at->second : nullptr;
  }

  const ir::Policy& policy_;
  const SourceMap& sources_;
  std::map<std::string, std::optional<View>> whole_;
};

}  // namespace

std::vector<Idle> idle_rules(const ir::Policy& policy, const SourceMap& sources) {
  return Examiner{policy, sources}.run();
}

}  // namespace nd7::answer
