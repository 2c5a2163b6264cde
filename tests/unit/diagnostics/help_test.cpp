#include "compiler/diagnostics/help.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

namespace nd7 {
namespace {

TEST(HelpPages, EveryCodeHasOneWithItsTitleAndSections) {
  for (std::size_t i = 0; i < code_count(); ++i) {
    const CodeInfo& code = info(code_at(i));
    const std::string name{code.name};
    const auto page = help_page(code_at(i));
    if (!page) {
      ADD_FAILURE() << "docs/codes/" << name << ".md is missing";
      continue;
    }
    EXPECT_EQ(page->substr(0, page->find('\n')), "# " + name + ": " + std::string{code.title});
    std::size_t before = 0;
    for (const std::string_view section : {"\n## Avoid\n", "\n## Prefer\n", "\n## Why\n"}) {
      const std::size_t at = page->find(section);
      EXPECT_NE(at, page->npos) << name << " lacks" << section;
      EXPECT_GT(at, before) << name << ": sections out of order";
      before = at;
    }
    EXPECT_TRUE(page->ends_with('\n')) << name;
    const auto lines = std::count(page->begin(), page->end(), '\n');
    EXPECT_GE(lines, 15) << name;
    EXPECT_LE(lines, 45) << name;
  }
}

TEST(HelpPages, FencesAreClosedAndKnown) {
  for (std::size_t i = 0; i < code_count(); ++i) {
    const auto page = help_page(code_at(i));
    if (!page) continue;
    bool open = false;
    int blocks = 0;
    for (std::size_t at = 0; at < page->size();) {
      const std::size_t end = page->find('\n', at);
      const std::string_view line = page->substr(at, end - at);
      if (line.starts_with("```")) {
        open = !open;
        blocks += open ? 1 : 0;
        // What follows the language is for those who try the example.
        const std::string_view kind = line.substr(3, line.find(' ') - 3);
        EXPECT_TRUE(open ? kind == "toml" || kind == "sh" || kind == "text" || kind == "sbpl"
                         : kind.empty())
            << info(code_at(i)).name << ": " << line;
      }
      EXPECT_LE(line.size(), 120U) << info(code_at(i)).name << ": " << line;
      at = end + 1;
    }
    EXPECT_FALSE(open) << info(code_at(i)).name;
    EXPECT_GE(blocks, 2) << info(code_at(i)).name;
  }
}

TEST(HelpPages, AreEmbeddedByteForByte) {
  for (const Code code : {Code::ND1001, Code::ND3001, Code::ND9001}) {
    const std::string path =
        std::string{ND7_SOURCE_DIR} + "/docs/codes/" + std::string{info(code).name} + ".md";
    std::ifstream in{path, std::ios::binary};
    const std::string text{std::istreambuf_iterator<char>{in}, {}};
    EXPECT_EQ(help_page(code), text);
  }
}

}  // namespace
}  // namespace nd7
