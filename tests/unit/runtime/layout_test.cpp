#include "runtime/platform/linux/layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nd7::runtime {
namespace {

using testing::ElementsAre;

std::vector<std::string> shown(const Layout& layout) {
  std::vector<std::string> result;
  for (const Place& place : layout) {
    constexpr std::string_view kNames[]{"closed ", "read ", "write ", "own "};
    result.push_back(std::string{kNames[static_cast<int>(place.access)]} + place.path +
                     (place.exec ? "" : " noexec"));
  }
  return result;
}

linux_plan::Plan plan_with(std::vector<linux_plan::Tree> write,
                           std::vector<linux_plan::Carve> closed,
                           std::vector<linux_plan::Carve> readonly = {}) {
  linux_plan::Plan plan;
  plan.read = {{"/", false, {}}};
  plan.exec = {{"/", false, {}}};
  plan.write = std::move(write);
  plan.closed = std::move(closed);
  plan.readonly = std::move(readonly);
  return plan;
}

TEST(Layout, IsWhereAccessChanges) {
  const auto plan = plan_with({{"/home/a/p", false, {}}}, {{{"/home/a/.ssh", false, {}}, {}}});
  EXPECT_THAT(shown(layout_of(plan, {})),
              ElementsAre("read /", "closed /home/a/.ssh noexec", "write /home/a/p"));
}

TEST(Layout, DeniesWinWhateverIsDeeper) {
  const auto plan = plan_with({{"/p", false, {}}, {"/p/.git/hooks/x", false, {}}},
                              {{{"/p/.git/hooks", false, {}}, {}}});
  EXPECT_THAT(shown(layout_of(plan, {})),
              ElementsAre("read /", "write /p", "write /p/.git", "closed /p/.git/hooks noexec",
                          "closed /p/.git/hooks/x noexec"));
}

TEST(Layout, ExceptionsAreAsTheyWouldBeWithoutTheDeny) {
  const auto plan =
      plan_with({}, {{{"/home/.ssh", false, {}}, {{"/home/.ssh/known_hosts", true, {}}}}});
  const Layout layout = layout_of(plan, {});
  EXPECT_THAT(shown(layout),
              ElementsAre("read /", "closed /home/.ssh noexec", "read /home/.ssh/known_hosts"));
  EXPECT_TRUE(layout.back().file_only);
}

TEST(Layout, DirectoriesAboveSomethingProtectedAreKept) {
  const auto plan = plan_with({{"/home/p", false, {}}}, {}, {{{"/home/p/a/b/c", false, {}}, {}}});
  EXPECT_THAT(shown(layout_of(plan, {})), ElementsAre("read /", "write /home/p", "write /home/p/a",
                                                      "write /home/p/a/b", "read /home/p/a/b/c"));
}

TEST(Layout, TheSessionsOwnHidesTheHostsButForWhatIsNamedInIt) {
  const auto plan = plan_with({{"/", false, {}}, {"/tmp/project", false, {}}}, {});
  EXPECT_THAT(shown(layout_of(plan, {{"/tmp", false}, {"/tmp/.nd7", true}})),
              ElementsAre("write /", "own /tmp", "read /tmp/.nd7", "write /tmp/project"));
}

TEST(Layout, APathIsNotBelowItsLookAlike) {
  EXPECT_TRUE(is_at_or_below("/a/b", "/a"));
  EXPECT_TRUE(is_at_or_below("/a", "/a"));
  EXPECT_TRUE(is_at_or_below("/a", "/"));
  EXPECT_FALSE(is_at_or_below("/ab", "/a"));
  EXPECT_FALSE(is_at_or_below("/", "/a"));
}

}  // namespace
}  // namespace nd7::runtime
