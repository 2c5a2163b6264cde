// RapidCheck generators of valid policies, with a shrinker that knows the language.
//
//   RC_GTEST_PROP(Suite, property, (const nd7::test::PolicyModel& policy)) { … to_source(policy) …
//   }
//
// Generated files compile without errors (warnings are possible). A counterexample is printed as
// its source text, ready to be pasted into a file.
#pragma once

#include <rapidcheck.h>

#include <iosfwd>
#include <string>
#include <vector>

#include "tests/support/policy_model.hpp"

namespace nd7::test {

/// What a generator may use. Sizes are upper bounds.
struct PolicyShape {
  std::size_t rules = 8;
  bool floor = true;  ///< may extend the shipped floor
  bool relax = true;
  bool expressions = true;  ///< rules by operation and `where`
};

namespace gen {
[[nodiscard]] rc::Gen<PolicyModel> policy(PolicyShape shape = {});
/// One rule that stands alone: an allow or a deny.
[[nodiscard]] rc::Gen<RuleModel> rule(RuleModel::Effect effect, std::string id,
                                      PolicyShape shape = {});
/// A physical absolute path, near the places that policies speak of.
[[nodiscard]] rc::Gen<std::string> physical_path();
/// Any UTF-8 text without control characters that a TOML file may hold; never empty.
[[nodiscard]] rc::Gen<std::string> hostile_text();
/// Any bytes from 0x20 on but 0x7f, in any encoding; never empty.
[[nodiscard]] rc::Gen<std::string> hostile_bytes();
}  // namespace gen

/// Policies that are one step simpler, the boldest first; all valid.
[[nodiscard]] std::vector<PolicyModel> simpler(const PolicyModel& policy);

void showValue(const PolicyModel& policy, std::ostream& out);
void showValue(const RuleModel& rule, std::ostream& out);

}  // namespace nd7::test

namespace rc {
template <>
struct Arbitrary<nd7::test::PolicyModel> {
  static Gen<nd7::test::PolicyModel> arbitrary() { return nd7::test::gen::policy(); }
};
}  // namespace rc
