// The examples of docs/codes: what a page says to avoid yields the page's code, what it prefers
// does not.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compiler/diagnostics/help.hpp"
#include "tests/docs/markdown.hpp"
#include "tests/golden/code_runs.hpp"
#include "tests/support/spawn.hpp"

namespace nd7::test {
namespace {

std::vector<std::string> code_names() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < code_count(); ++i) names.emplace_back(info(code_at(i)).name);
  return names;
}

/// The run of an example; nothing is run for blocks in other languages.
std::vector<Outcome> run_block(const std::string& code, const Block& block) {
  std::vector<Outcome> runs;
  if (block.language == "toml") {
    const Scratch scratch;
    scratch.put("page.toml", block.text);
    std::vector<std::string> args;
    if (block.has("target")) args = {"--target", block.get("target", "")};
    runs.push_back(run_rules(code, scratch.path(), "page.toml", args));
  } else if (block.language == "sbpl") {
    // Parameters are open, but where a profile says what it does without one.
    std::vector<std::string> args;
    if (block.text.find("(not (param") == std::string::npos) {
      args = {"-D", "ROOT", "-D", "MODE", "-D", "HOME"};
    }
    runs.push_back(run_reader(block.text, args));
  }
  return runs;
}

class Pages : public testing::TestWithParam<std::string> {};

TEST_P(Pages, HaveExamplesThatHold) {
  const auto code = find_code(GetParam());
  ASSERT_TRUE(code);
  const auto page = help_page(*code);
  ASSERT_TRUE(page);
  const std::string title = "# " + GetParam() + ": " + std::string{info(*code).title} + "\n";
  EXPECT_EQ(page->substr(0, title.size()), title);
  bool avoid = false;
  bool prefer = false;
  for (const Block& block : blocks_of(*page)) {
    avoid = avoid || block.section == "Avoid";
    prefer = prefer || block.section == "Prefer";
    for (const Outcome& ran : run_block(GetParam(), block)) {
      EXPECT_EQ(ran.has(GetParam()), block.section == "Avoid") << "line " << block.line << '\n'
                                                               << ran.log;
      if (block.section == "Prefer") {
        EXPECT_EQ(ran.code, 0) << ran.log;
      }
    }
  }
  EXPECT_TRUE(avoid) << "nothing to avoid";
  EXPECT_TRUE(prefer) << "nothing to prefer";
}

INSTANTIATE_TEST_SUITE_P(Codes, Pages, testing::ValuesIn(code_names()),
                         [](const auto& param) { return param.param; });

}  // namespace
}  // namespace nd7::test
