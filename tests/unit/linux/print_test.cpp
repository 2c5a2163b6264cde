#include "compiler/linux/print.hpp"

#include <gtest/gtest.h>

#include <string>

#include "compiler/linux/read.hpp"

namespace nd7::linux_plan {
namespace {

Plan with_path(ir::Text path) {
  Plan plan;
  plan.name = "odd";
  plan.params = {{"HOME", false}};
  plan.write = {{std::move(path), false, "odd/rule"}};
  return plan;
}

TEST(PlanPrinter, SpellsEveryByteSoThatItComesBack) {
  for (int byte = 1; byte < 256; ++byte) {
    if (byte == '/') continue;
    const Plan plan = with_path("/a" + std::string(1, static_cast<char>(byte)) + "b");
    const ReadResult result = read(print(plan));
    ASSERT_TRUE(result.plan) << byte << ": " << result.reason;
    EXPECT_EQ(*result.plan, plan) << byte;
  }
}

TEST(PlanPrinter, TellsParametersFromTextThatLooksLikeThem) {
  const std::string hole = print(with_path(ir::hole(ir::kHome) + "/x"));
  const std::string text = print(with_path("/${HOME}/x"));
  EXPECT_NE(hole.find("\"${HOME}/x\""), std::string::npos);
  EXPECT_NE(text.find("\"/$${HOME}/x\""), std::string::npos);
  EXPECT_EQ(read(text).plan->write.front().path, "/${HOME}/x");
  EXPECT_EQ(read(hole).plan->write.front().path, ir::hole(ir::kHome) + "/x");
}

TEST(PlanPrinter, KeepsUtf8AndEscapesOtherBytes) {
  EXPECT_NE(print(with_path("/\xc3\xa4")).find("\"/\xc3\xa4\""), std::string::npos);
  EXPECT_NE(print(with_path("/\xe4")).find("\"/$xe4\""), std::string::npos);
  EXPECT_NE(print(with_path("/\xed\xa0\x80")).find("\"/$xed$xa0$x80\""), std::string::npos);
  EXPECT_NE(print(with_path("/a\nb\"\\")).find("\"/a\\u000ab\\\"\\\\\""), std::string::npos);
}

TEST(PlanPrinter, IsStable) {
  const Plan plan = with_path("/x");
  EXPECT_EQ(print(plan), print(plan));
  EXPECT_EQ(print(plan).back(), '\n');
}

}  // namespace
}  // namespace nd7::linux_plan
