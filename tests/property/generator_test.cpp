// What the generator makes is worth checking laws on.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/boundary_requests.hpp"
#include "tests/support/compile.hpp"
#include "tests/support/judge.hpp"
#include "tests/support/policy_generator.hpp"

namespace nd7::test {
namespace {

using namespace seatbelt::read;

/// Some request is allowed, and some is denied, by a rule of a rules file.
bool says_something(const PolicyModel& policy) {
  const Judge judged = judge(to_source(policy));
  bool allowed = false;
  bool denied = false;
  for (const Request& request : boundary_requests(policy, 1500)) {
    const Decision decision = judged.decide(request);
    const std::string decider = judged.decider(decision);
    const bool by_file = decider.find(".toml:") != std::string::npos;
    allowed = allowed || (by_file && decision.verdict == Verdict::allow);
    denied = denied || (by_file && decision.verdict == Verdict::deny);
    if (allowed && denied) return true;
  }
  return false;
}

TEST(Generator, MoreThanNineInTenPoliciesAreNotTrivial) {
  std::size_t total = 0;
  std::size_t telling = 0;
  const bool valid =
      rc::check("every policy compiles, and is read back", [&](const PolicyModel& policy) {
        ++total;
        telling += says_something(policy) ? 1 : 0;
      });
  EXPECT_TRUE(valid);
  EXPECT_GE(total, 50U);
  EXPECT_GT(static_cast<double>(telling), 0.9 * static_cast<double>(total))
      << telling << " of " << total;
}

RC_GTEST_PROP(Generator, EverySimplerPolicyIsValid, (const PolicyModel& policy)) {
  const std::vector<PolicyModel> all = simpler(policy);
  RC_PRE(!all.empty());
  const PolicyModel one = *rc::gen::elementOf(all);
  const Compilation compilation = compile_text(to_source(one), bound_options());
  if (!compilation.result) RC_FAIL(to_source(one) + compilation.log());
}

}  // namespace
}  // namespace nd7::test
