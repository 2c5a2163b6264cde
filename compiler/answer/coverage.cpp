#include "compiler/answer/coverage.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "compiler/answer/invariants.hpp"

namespace nd7::answer {
namespace {

using decide::Answer;

bool is_own(const ir::Policy& policy, const ir::Rule& rule) {
  return rule.effect != ir::Effect::never && rule.unit + 1 == policy.units.size();
}

bool meet(View& matches, View& subject) {
  for (const seatbelt::Op op : operations_of_interest(subject.side, matches.side)) {
    if (find(subject.side, matches.side, op, Relation::both).answer == Answer::yes) return true;
  }
  return false;
}

/// True if some expectation of `policy` fails at one of the first placements.
bool fails(const ir::Policy& policy, const SourceMap& sources, std::size_t placements) {
  Quantifiers quantifiers;
  quantifiers.placements = placements;
  Prover prover{policy, sources, quantifiers};
  return std::any_of(
      policy.expectations.begin(), policy.expectations.end(),
      [&](const ir::Expectation& expectation) {
        const Proof proof = expectation.allow ? prover.always(expectation.clauses)
                                              : prover.nowhere(expectation.clauses);
        if (proof.failure) return true;
        if (expectation.by.empty()) return false;
        std::string by = expectation.by;
        if (by != "default" && by.find('/') == std::string::npos) {
          by = policy.units[expectation.unit].set + "/" + by;
        }
        return prover.decided_by(expectation.clauses, expectation.allow, by).failure.has_value();
      });
}

/// At the standard placements; most that fail anywhere do at the first.
bool fails(const ir::Policy& policy, const SourceMap& sources) {
  return fails(policy, sources, 1) || fails(policy, sources, kStandardPlacements);
}

}  // namespace

Coverage coverage(const ir::Policy& policy, const SourceMap& sources) {
  Coverage result;
  ir::Policy placed = policy;
  const std::vector<laws::Term> terms = placed_terms(placed, example_placement(policy), {});
  std::string bug;
  std::vector<std::optional<View>> subjects;
  for (const ir::Expectation& expectation : policy.expectations) {
    subjects.push_back(view_of_clauses(placed, expectation.clauses, false, sources, bug));
  }
  for (const ir::Rule& rule : policy.rules) {
    if (!is_own(policy, rule)) continue;
    ++result.rules;
    const std::string label = rule_key(rule);
    std::vector<laws::Term> own;
    std::copy_if(terms.begin(), terms.end(), std::back_inserter(own),
                 [&](const laws::Term& term) { return term.label == label; });
    auto matches = view_of_terms(placed, std::move(own), sources, bug);
    const bool met =
        matches && std::any_of(subjects.begin(), subjects.end(), [&](std::optional<View>& subject) {
          return subject && meet(*matches, *subject);
        });
    if (met) {
      ++result.covered;
    } else {
      result.missed.push_back(label);
    }
  }
  return result;
}

Mutations mutate(const ir::Policy& policy, const SourceMap& sources,
                 const std::function<void(std::size_t, std::size_t)>& progress) {
  Mutations result;
  const auto all = 2 * static_cast<std::size_t>(std::count_if(
                           policy.rules.begin(), policy.rules.end(),
                           [&](const ir::Rule& rule) { return is_own(policy, rule); }));
  const auto judge = [&](const ir::Policy& mutant, std::string name) {
    if (progress) progress(result.made, all);
    ++result.made;
    if (fails(mutant, sources)) {
      ++result.noticed;
    } else {
      result.survived.push_back(std::move(name));
    }
  };
  for (std::size_t i = 0; i < policy.rules.size(); ++i) {
    if (!is_own(policy, policy.rules[i])) continue;
    const std::string label = rule_key(policy.rules[i]);
    ir::Policy dropped = policy;
    for (ir::Clause& clause : dropped.rules[i].clauses) clause.cond = ir::kNever;
    judge(dropped, label + " dropped");
    ir::Policy turned = policy;
    turned.rules[i].effect =
        policy.rules[i].effect == ir::Effect::allow ? ir::Effect::deny : ir::Effect::allow;
    judge(turned, label + " turned round");
  }
  return result;
}

}  // namespace nd7::answer
