// The judge of every build finds every mutant, and finds nothing where there is nothing.
#include "tests/mutants/mutants.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <ostream>
#include <set>

#include "compiler/validate/validate.hpp"
#include "tests/support/compile.hpp"

namespace nd7::test {

Compiled compile_rich(laws::Profile kind) {
  std::ifstream in{std::string{ND7_SOURCE_DIR} + "/tests/mutants/rich.toml", std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{in}, {}};
  CompileOptions options;
  options.profile = kind;
  if (kind == laws::Profile::command) options.grants = {"/opt/data", "/srv"};
  Compilation compilation = compile_text(text, options);
  EXPECT_TRUE(compilation.result) << compilation.log();
  return compilation.result ? std::move(*compilation.result) : Compiled{};
}

void PrintTo(const Mutant& mutant, std::ostream* out) { *out << mutant.name; }

namespace {

using Outcome = validate::Result::Outcome;

std::vector<Mutant> all_mutants() {
  std::vector<Mutant> all = profile_mutants();
  for (Mutant& mutant : text_mutants()) all.push_back(std::move(mutant));
  return all;
}

class Mutants : public testing::TestWithParam<Mutant> {};

TEST_P(Mutants, Is) {
  const Mutant& mutant = GetParam();
  Compiled compiled = compile_rich(mutant.kind);
  std::string text = compiled.printed.text;
  if (mutant.in_profile) {
    ASSERT_TRUE(mutant.in_profile(compiled.policy, compiled.profile)) << "nothing to damage";
    text = seatbelt::print(compiled.policy, compiled.profile, {}).text;
  } else {
    ASSERT_TRUE(mutant.in_text(text)) << "nothing to damage\n" << text;
  }
  ASSERT_NE(text, compiled.printed.text);
  const auto result = validate::validate(compiled.policy, compiled.terms, text, std::nullopt);
  if (result.outcome == Outcome::unreadable) {
    EXPECT_FALSE(result.reason.empty());
    RecordProperty("killed", result.reason);
    return;
  }
  ASSERT_EQ(result.outcome, Outcome::different) << "it lives";
  ASSERT_TRUE(result.difference);
  const validate::Difference& difference = *result.difference;
  EXPECT_NE(difference.op, seatbelt::Op::default_);
  EXPECT_FALSE(difference.request.empty());
  EXPECT_NE(difference.meant, difference.emitted);
  RecordProperty("killed", std::string{seatbelt::name(difference.op)} + " where " +
                               difference.request + ": " + difference.meant + " became " +
                               difference.emitted);
}

INSTANTIATE_TEST_SUITE_P(Killed, Mutants, testing::ValuesIn(all_mutants()),
                         [](const testing::TestParamInfo<Mutant>& mutant) {
                           return mutant.param.name;
                         });

TEST(JudgeOfMutants, FindsTheRightTextEqual) {
  for (const laws::Profile kind : {laws::Profile::floor, laws::Profile::command}) {
    const Compiled compiled = compile_rich(kind);
    EXPECT_TRUE(compiled.bugs.empty());
    EXPECT_EQ(compiled.validation.outcome, Outcome::equal) << compiled.validation.reason;
    // Printing once more, as the mutants do, changes nothing that counts.
    const std::string again = seatbelt::print(compiled.policy, compiled.profile, {}).text;
    EXPECT_EQ(validate::validate(compiled.policy, compiled.terms, again, std::nullopt).outcome,
              Outcome::equal);
  }
}

TEST(JudgeOfMutants, SeesManyWithNames) {
  std::set<std::string> names;
  for (const Mutant& mutant : all_mutants()) names.insert(mutant.name);
  EXPECT_EQ(names.size(), all_mutants().size());
  EXPECT_GE(names.size(), 80U);
}

}  // namespace
}  // namespace nd7::test
