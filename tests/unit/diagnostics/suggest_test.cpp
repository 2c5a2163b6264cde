#include "compiler/diagnostics/suggest.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace nd7 {
namespace {

std::string near(std::string_view word, std::vector<std::string> names) {
  return nearest(word, names).value_or("(none)");
}

TEST(Nearest, FindsSlips) {
  const std::vector<std::string> filters{"subpath", "literal", "prefix", "regex", "glob", "name"};
  EXPECT_EQ(near("subpth", filters), "subpath");
  EXPECT_EQ(near("litteral", filters), "literal");
  EXPECT_EQ(near("prefxi", filters), "prefix");  // neighbours swapped
  EXPECT_EQ(near("nane", filters), "name");
  EXPECT_EQ(near("Regex", filters), "regex");
  EXPECT_EQ(near("glob", filters), "glob");
}

TEST(Nearest, LeavesOtherWordsAlone) {
  EXPECT_EQ(near("banana", {"subpath", "literal"}), "(none)");
  EXPECT_EQ(near("", {"a"}), "(none)");
  EXPECT_EQ(near("on", {"is", "by"}), "(none)");
  EXPECT_EQ(near("a", {"b"}), "(none)");
  EXPECT_EQ(near("ab", {}), "(none)");
}

TEST(Nearest, CaseAndDashesAreCheap) {
  EXPECT_EQ(near("FILE_READ_DATA", {"file-read-xattr", "file-read-data"}), "file-read-data");
  EXPECT_EQ(near("A", {"b", "a"}), "a");
  EXPECT_EQ(near("names_only", {"name-sonly", "names-only"}), "names-only");
}

TEST(Nearest, TiesGoToTheFirst) {
  EXPECT_EQ(near("bat", {"cat", "hat"}), "cat");
  EXPECT_EQ(near("bat", {"hat", "cat"}), "hat");
}

TEST(Nearest, LongWordsCostNothing) {
  const std::string huge(1U << 20U, 'a');
  EXPECT_EQ(near(huge, {"a"}), "(none)");
  EXPECT_EQ(near("abc", {huge, "abd"}), "abd");
}

TEST(Nearest, TakesViews) {
  constexpr std::array<std::string_view, 2> names{"allow", "deny"};
  EXPECT_EQ(nearest("alow", std::span<const std::string_view>{names}), "allow");
}

}  // namespace
}  // namespace nd7
