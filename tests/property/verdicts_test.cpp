// Laws about verdicts: rules are a set, a deny wins, a relaxation opens what it says and no more,
// and no reading of Seatbelt's precedence changes an answer.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/boundary_requests.hpp"
#include "tests/support/judge.hpp"
#include "tests/support/policy_generator.hpp"

namespace nd7::test {
namespace {

using namespace seatbelt::read;
using Effect = RuleModel::Effect;

constexpr std::size_t kRequests = 300;

void require_same(const Judge& one, const Judge& other, const std::vector<Request>& requests) {
  for (const Request& request : requests) {
    const Decision first = one.decide(request);
    const Decision second = other.decide(request);
    if (first.verdict == second.verdict && first.unconfined == second.unconfined) continue;
    RC_FAIL(describe(request) + " was decided by `" + one.decider(first) + "`, now by `" +
            other.decider(second) + "`\n" + one.text() + "\n----\n" + other.text());
  }
}

bool is_relaxed(const PolicyModel& policy, const RuleModel& rule) {
  return rule.effect == Effect::deny &&
         std::any_of(policy.rules.begin(), policy.rules.end(), [&](const RuleModel& other) {
           return other.effect == Effect::relax && other.id == rule.id;
         });
}

/// One rule for every verb and value, or every operation.
std::vector<RuleModel> split(const RuleModel& rule) {
  std::vector<RuleModel> result;
  const auto add = [&](RuleModel part) {
    part.id += "-" + std::to_string(result.size());
    result.push_back(std::move(part));
  };
  for (const VerbEntry& verb : rule.verbs) {
    for (const Value& value : verb.values) {
      RuleModel part = rule;
      part.verbs = {{verb.verb, {value}}};
      add(std::move(part));
    }
  }
  for (const seatbelt::Op op : rule.ops) {
    RuleModel part = rule;
    part.ops = {op};
    add(std::move(part));
  }
  return result;
}

RC_GTEST_PROP(Verdicts, OrderOfRulesChangesNothing, (PolicyModel policy)) {
  const Judge before = judge(to_source(policy));
  const auto requests = boundary_requests(policy, kRequests);
  std::reverse(policy.rules.begin(), policy.rules.end());
  require_same(before, judge(to_source(policy)), requests);
}

RC_GTEST_PROP(Verdicts, DuplicatedRulesChangeNothing, (PolicyModel policy)) {
  const Judge before = judge(to_source(policy));
  const auto requests = boundary_requests(policy, kRequests);
  const std::size_t count = policy.rules.size();
  for (std::size_t i = 0; i < count; ++i) {
    RuleModel copy = policy.rules[i];
    if (copy.effect == Effect::relax || is_relaxed(policy, copy)) continue;
    copy.id += "-again";
    policy.rules.push_back(std::move(copy));
  }
  require_same(before, judge(to_source(policy)), requests);
}

RC_GTEST_PROP(Verdicts, SplitRulesChangeNothing, (PolicyModel policy)) {
  const Judge before = judge(to_source(policy));
  const auto requests = boundary_requests(policy, kRequests);
  std::vector<RuleModel> rules;
  for (const RuleModel& rule : policy.rules) {
    if (rule.effect == Effect::relax || is_relaxed(policy, rule)) {
      rules.push_back(rule);
      continue;
    }
    for (RuleModel& part : split(rule)) rules.push_back(std::move(part));
  }
  policy.rules = std::move(rules);
  require_same(before, judge(to_source(policy)), requests);
}

RC_GTEST_PROP(Verdicts, EveryReadingOfPrecedenceAgrees, (const PolicyModel& policy)) {
  for (const Imports imports : {Imports::left_out, Imports::kept}) {
    const Judge judged = judge(to_source(policy), laws::Profile::floor, {}, imports);
    for (const Request& request : boundary_requests(policy, kRequests)) {
      std::set<Verdict> verdicts;
      for (std::size_t model = 0; model < kModels.size(); ++model) {
        verdicts.insert(judged.decide(request, model).verdict);
      }
      // Where only the import could allow, whether it can depends on the reading.
      if (imports == Imports::kept && verdicts.count(Verdict::allow) == 0) continue;
      if (verdicts.size() > 1)
        RC_FAIL("readings differ about " + describe(request) + "\n" + judged.text());
    }
  }
}

/// A policy in which everything about the families of a deny is open.
PolicyModel everything_open() {
  PolicyModel policy;
  const auto open = [&](std::string id, std::vector<seatbelt::Op> ops) {
    RuleModel rule;
    rule.id = std::move(id);
    rule.ops = std::move(ops);
    policy.rules.push_back(std::move(rule));
  };
  using seatbelt::Op;
  open("files", {Op::file_all, Op::file_link, Op::file_clone, Op::file_map_executable,
                 Op::file_test_existence, Op::fs_rename});
  open("others",
       {Op::process_all, Op::network_all, Op::mach_all, Op::signal, Op::sysctl_all, Op::ipc_all,
        Op::user_preference_all, Op::process_info_all, Op::pseudo_tty, Op::lsopen});
  return policy;
}

RC_GTEST_PROP(Verdicts, ADenyAlwaysWins, (PolicyModel policy)) {
  const RuleModel deny = *gen::rule(Effect::deny, "new");
  const std::string source = to_source({policy.floor, policy.list, {deny}});
  RC_LOG() << source;
  PolicyModel alone = everything_open();
  alone.list = policy.list;
  const Judge open = judge(to_source(alone));
  alone.rules.push_back(deny);
  const Judge closed = judge(to_source(alone));
  policy.rules.push_back(deny);
  const Judge judged = judge(to_source(policy));
  for (const Request& request : boundary_requests(policy, kRequests)) {
    if (!open.allows(request) || closed.allows(request)) continue;
    if (judged.allows(request)) {
      RC_FAIL(describe(request) + " is allowed by `" + judged.decider(judged.decide(request)) +
              "`\n" + judged.text());
    }
  }
}

RC_GTEST_PROP(Verdicts, AnAllowRemovesNothing, (PolicyModel policy)) {
  const Judge before = judge(to_source(policy));
  policy.rules.push_back(*gen::rule(Effect::allow, "new"));
  const Judge after = judge(to_source(policy));
  for (const Request& request : boundary_requests(policy, kRequests)) {
    if (before.allows(request) && !after.allows(request)) {
      RC_FAIL(describe(request) + " is denied now\n" + before.text() + "\n----\n" + after.text());
    }
  }
}

/// `policy` without the relaxation at `index`, and without the deny that it relaxes.
struct Without {
  PolicyModel relaxation;
  PolicyModel deny;
};
Without without(const PolicyModel& policy, std::size_t index) {
  Without result{policy, policy};
  const std::string id = policy.rules[index].id;
  result.relaxation.rules.erase(result.relaxation.rules.begin() +
                                static_cast<std::ptrdiff_t>(index));
  std::erase_if(result.deny.rules, [&](const RuleModel& rule) {
    return rule.id == id && rule.effect != Effect::allow;
  });
  return result;
}

RC_GTEST_PROP(Verdicts, ARelaxationOpensItsSetAndNoMore, (PolicyModel policy)) {
  const auto relaxation =
      std::find_if(policy.rules.begin(), policy.rules.end(),
                   [](const RuleModel& rule) { return rule.effect == Effect::relax; });
  RC_PRE(relaxation != policy.rules.end());
  const auto deny =
      std::find_if(policy.rules.begin(), policy.rules.end(), [&](const RuleModel& rule) {
        return rule.effect == Effect::deny && rule.id == relaxation->id;
      });
  // What the relaxation lifts, where nothing else decides.
  PolicyModel alone = everything_open();
  alone.list = policy.list;
  alone.rules.push_back(*deny);
  const Judge closed = judge(to_source(alone));
  alone.rules.push_back(*relaxation);
  const Judge lifted = judge(to_source(alone));
  const Without parts =
      without(policy, static_cast<std::size_t>(relaxation - policy.rules.begin()));
  const Judge relaxed = judge(to_source(policy));
  const Judge strict = judge(to_source(parts.relaxation));
  const Judge free = judge(to_source(parts.deny));
  for (const Request& request : boundary_requests(policy, kRequests)) {
    const bool in_set = lifted.allows(request) && !closed.allows(request);
    const bool expected = strict.allows(request) || (in_set && free.allows(request));
    if (relaxed.allows(request) != expected) {
      RC_FAIL(describe(request) + (expected ? " should be" : " should not be") + " allowed\n" +
              relaxed.text());
    }
  }
}

}  // namespace
}  // namespace nd7::test
