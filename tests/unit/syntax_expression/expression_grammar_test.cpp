#include <gtest/gtest.h>
#include <tao/pegtl/contrib/analyze.hpp>
#include <tao/pegtl/contrib/coverage.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "grammar/expression.hpp"

namespace nd7 {
namespace {

using grammar::expression::whole;

TEST(ExpressionGrammar, MakesProgress) { EXPECT_EQ(tao::pegtl::analyze<whole>(-1), 0U); }

TEST(ExpressionGrammar, EveryRuleIsReachable) {
  const std::vector<std::string> inputs{
      "true and not a(x, 1, \"s\\\\ \\u{41}\") or (b == 2) and p in [1, 2,] or q in 1..2",
      "a && b() || c() | d() & !e()",
      "x = 1 or x != 2 or f('s') or g(12ab, \xc3\xa9, true)",
      "\xc3\xa9() or foo bar((\"z\\\"\" w) ;) or h(,) or h(1 2 or (i()",
      "a(\"\\q\" \"\\\n) and p in [, 1 2, [ or q in 1 or q in 1.. or q in x or q ==",
      "a()) and b()) c() or",
      std::string("a(\"\0\")", 6),
      "p in [, 1 2, [3]] or p in [1",
      "q in 1 or q in 1.. or q in x or q ==",
      "a(\"x\\",
  };
  tao::pegtl::coverage_result result;
  for (const std::string& input : inputs) {
    tao::pegtl::memory_input<> in(input, "");
    EXPECT_TRUE(tao::pegtl::coverage<whole>(in, result)) << input;
  }
  std::size_t rules = 0;
  for (const auto& [name, entry] : result) {
    // Rules of the grammar by name; what they are made of inside the library has other names.
    if (std::string_view{name}.substr(0, 5) != "nd7::") continue;
    ++rules;
    EXPECT_GT(entry.success, 0U) << name;
  }
  EXPECT_GT(rules, 80U);
}

}  // namespace
}  // namespace nd7
