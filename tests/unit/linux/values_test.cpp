#include "compiler/linux/values.hpp"

#include <gtest/gtest.h>

namespace nd7::linux_plan {
namespace {

Plan open_plan() {
  Plan plan;
  plan.params = {{"HOME", false}, {"a.socket", true}, {"a.data", false}};
  plan.read = {{ir::hole(ir::ParamId{0}) + "/x", false, "a/b"},
               {ir::hole(ir::ParamId{2}), false, "a/c"}};
  plan.sockets = {{ir::hole(ir::ParamId{1}), false, "a/d"}};
  plan.closed = {{{ir::hole(ir::ParamId{1}), false, "a/e"}, {}},
                 {{"/srv", false, "a/f"}, {{ir::hole(ir::ParamId{1}) + "/y", true, "a/f"}}}};
  plan.directories = {ir::hole(ir::ParamId{1}), ir::hole(ir::ParamId{0})};
  return plan;
}

TEST(PlanValues, FillEveryHole) {
  const Plan plan =
      with_values(open_plan(), {{"HOME", "/h"}, {"a.socket", "/s"}, {"a.data", "/d"}});
  EXPECT_TRUE(plan.params.empty());
  EXPECT_EQ(plan.read[0].path, "/h/x");
  EXPECT_EQ(plan.read[1].path, "/d");
  EXPECT_EQ(plan.sockets[0].path, "/s");
  EXPECT_EQ(plan.closed[1].except[0].path, "/s/y");
  EXPECT_EQ(plan.directories, (std::vector<ir::Text>{"/s", "/h"}));
}

TEST(PlanValues, WithoutAnOptionalOneItsTreesAreNotThere) {
  const Plan plan = with_values(open_plan(), {{"HOME", "/h"}, {"a.data", "/d"}});
  EXPECT_TRUE(plan.params.empty());
  EXPECT_TRUE(plan.sockets.empty());
  ASSERT_EQ(plan.closed.size(), 1U);
  EXPECT_TRUE(plan.closed[0].except.empty());
  EXPECT_EQ(plan.directories, (std::vector<ir::Text>{"/h"}));
}

TEST(PlanValues, OthersStayOpenUnderTheirNewNumber) {
  const Plan plan = with_values(open_plan(), {{"HOME", "/h"}});
  ASSERT_EQ(plan.params.size(), 1U);
  EXPECT_EQ(plan.params[0].key, "a.data");
  EXPECT_EQ(plan.read[1].path, ir::hole(ir::ParamId{0}));
}

TEST(PlanValues, TheRootMakesNoDoubleSlash) {
  EXPECT_EQ(with_values(open_plan(), {{"HOME", "/"}}).read[0].path, "/x");
}

TEST(PlanValues, AValueIsTextWhateverItLooksLike) {
  const Plan plan = with_values(open_plan(), {{"HOME", "/${HOME}"}, {"a.data", "/d"}});
  EXPECT_EQ(plan.read[0].path, "/${HOME}/x");
}

}  // namespace
}  // namespace nd7::linux_plan
