#include "compiler/answer/coverage.hpp"

#include <algorithm>
#include <utility>

#include "compiler/answer/invariants.hpp"

namespace nd7::answer {
namespace {

using decide::Answer;

bool is_own(const ir::Policy& policy, const ir::Rule& rule) {
  return rule.effect != ir::Effect::never && rule.unit + 1 == policy.units.size();
}

bool meets(const ir::Policy& policy, const SourceMap& sources, const ir::Rule& rule,
           const ir::Expectation& expectation) {
  const Placement placement = example_placement(policy);
  const std::string label = rule_key(rule);
  std::string bug;
  auto subject = view_of_clauses(policy, expectation.clauses, false, placement, sources, bug);
  auto matches = view_of_matches(
      policy, {}, [&](const laws::Term& term) { return term.label == label; }, placement, sources,
      bug);
  if (!subject || !matches) return false;
  for (const seatbelt::Op op : operations_of_interest(subject->side, matches->side)) {
    if (find(subject->side, matches->side, op, Relation::both).answer == Answer::yes) return true;
  }
  return false;
}

/// True if some expectation of `policy` fails.
bool fails(const ir::Policy& policy, const SourceMap& sources) {
  Prover prover{policy, sources, {}};
  return std::any_of(
      policy.expectations.begin(), policy.expectations.end(),
      [&](const ir::Expectation& expectation) {
        const Proof proof = expectation.allow ? prover.always(expectation.clauses)
                                              : prover.never(expectation.clauses);
        if (proof.failure) return true;
        if (expectation.by.empty()) return false;
        std::string by = expectation.by;
        if (by != "default" && by.find('/') == std::string::npos) {
          by = policy.units[expectation.unit].set + "/" + by;
        }
        return prover.decided_by(expectation.clauses, expectation.allow, by).failure.has_value();
      });
}

}  // namespace

Coverage coverage(const ir::Policy& policy, const SourceMap& sources) {
  Coverage result;
  for (const ir::Rule& rule : policy.rules) {
    if (!is_own(policy, rule)) continue;
    ++result.rules;
    const bool met = std::any_of(policy.expectations.begin(), policy.expectations.end(),
                                 [&](const ir::Expectation& expectation) {
                                   return meets(policy, sources, rule, expectation);
                                 });
    if (met) {
      ++result.covered;
    } else {
      result.missed.push_back(rule_key(rule));
    }
  }
  return result;
}

Mutations mutate(const ir::Policy& policy, const SourceMap& sources) {
  Mutations result;
  const auto judge = [&](const ir::Policy& mutant, std::string name) {
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
