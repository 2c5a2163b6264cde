// Every code has a page, something that yields it at the right place, and something close to that
// which does not. A refusal leaves an older output as it was.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>
#include <string>

#include "compiler/diagnostics/help.hpp"
#include "tests/golden/code_runs.hpp"
#include "tests/golden/command_cases.hpp"

namespace nd7::test {
namespace {

struct Case {
  std::string code;
  std::string file;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.code << '/' << c.file; }

std::string folder_of(const std::string& code) { return "codes/" + code; }

Outcome run_fixture(const Case& c) {
  const Fixture fixture = read_fixture(folder_of(c.code), c.file);
  if (c.file.ends_with(".sb")) return run_reader(fixture.text, fixture.args);
  return run_rules(c.code, golden_path(folder_of(c.code)), c.file, fixture.args);
}

std::vector<Case> cases(const std::string& prefix) {
  std::vector<Case> result;
  for (std::size_t i = 0; i < code_count(); ++i) {
    const std::string code{info(code_at(i)).name};
    for (const char* ending : {".toml", ".sb"}) {
      for (const std::string& file : fixtures_in(folder_of(code), prefix, ending)) {
        result.push_back({code, file});
      }
    }
  }
  return result;
}

std::string case_name(const testing::TestParamInfo<Case>& param) {
  std::string name = param.param.code + "_" + param.param.file;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '.' || c == '-'; }, '_');
  return name;
}

class Yielded : public testing::TestWithParam<Case> {};

TEST_P(Yielded, AtThePlaceThatIsToBlame) {
  const Case& c = GetParam();
  const Fixture fixture = read_fixture(folder_of(c.code), c.file);
  ASSERT_FALSE(fixture.expect.empty()) << "the fixture says no place";
  const Outcome ran = run_fixture(c);
  const Said* const first = ran.first(c.code);
  ASSERT_NE(first, nullptr) << ran.log;
  EXPECT_EQ(first->code, c.code) << ran.log;
  EXPECT_EQ(first->place, fixture.expect) << ran.log;
  if (first->severity != "error") return;
  const bool undecided = c.code == "ND4002" || c.code == "ND4006";
  EXPECT_EQ(ran.code, undecided ? 4 : 1) << ran.log;
  EXPECT_TRUE(ran.output_untouched);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, Yielded, testing::ValuesIn(cases("fail_")), case_name);

class NotYielded : public testing::TestWithParam<Case> {};

TEST_P(NotYielded, ByWhatIsRight) {
  const Case& c = GetParam();
  const Outcome ran = run_fixture(c);
  EXPECT_FALSE(ran.has(c.code)) << ran.log;
  EXPECT_EQ(ran.code, 0) << ran.log;
}

INSTANTIATE_TEST_SUITE_P(Fixtures, NotYielded, testing::ValuesIn(cases("ok_")), case_name);

class Commands : public testing::TestWithParam<CommandCase> {};

TEST_P(Commands, YieldTheCode) {
  const CommandCase& c = GetParam();
  const Outcome ran = c.run();
  EXPECT_EQ(ran.has(c.code), c.fails) << ran.log;
  EXPECT_EQ(ran.code, c.exit) << ran.log;
  EXPECT_TRUE(ran.output_untouched || !c.fails);
}

INSTANTIATE_TEST_SUITE_P(Cases, Commands, testing::ValuesIn(command_cases()),
                         [](const auto& param) {
                           return std::string{param.param.code} + "_" + param.param.name;
                         });

std::set<std::string> covered(bool failing) {
  std::set<std::string> codes;
  for (const Case& c : cases(failing ? "fail_" : "ok_")) codes.insert(c.code);
  for (const CommandCase& c : command_cases()) {
    if (c.fails == failing) codes.insert(c.code);
  }
  return codes;
}

TEST(Codes, HaveAPageAndBothKindsOfFixtures) {
  const std::set<std::string> yielded = covered(true);
  const std::set<std::string> near = covered(false);
  for (std::size_t i = 0; i < code_count(); ++i) {
    const std::string name{info(code_at(i)).name};
    EXPECT_TRUE(help_page(code_at(i))) << name << " has no page";
    EXPECT_TRUE(yielded.count(name)) << name << " is yielded by no fixture";
    EXPECT_TRUE(near.count(name)) << name << " has no near miss";
  }
}

TEST(Codes, OwnTheirFixtures) {
  for (const auto& entry : std::filesystem::directory_iterator{golden_path("codes")}) {
    const std::string name = entry.path().filename();
    EXPECT_TRUE(find_code(name)) << "no code is called " << name;
    for (const auto& file : std::filesystem::directory_iterator{entry}) {
      const std::string stem = file.path().filename();
      EXPECT_TRUE(stem.starts_with("fail_") || stem.starts_with("ok_") || stem.starts_with("with_"))
          << file.path();
    }
  }
}

}  // namespace
}  // namespace nd7::test
