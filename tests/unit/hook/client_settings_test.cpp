// nd7's settings for Claude Code, alone and joined with the user's.
#include "runtime/hook/client_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace nd7::runtime::hook {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::IsEmpty;

const Installation kInstallation{"/opt/nd7/nd7", "/opt/nd7/nd7-exec", ": sign"};

Json merged(std::string_view own) {
  const MergedSettings result = merge_settings(kInstallation, own);
  EXPECT_THAT(result.refusal, IsEmpty());
  return Json::parse(result.json.empty() ? "null" : result.json);
}
std::string refusal(std::string_view own) {
  const MergedSettings result = merge_settings(kInstallation, own);
  EXPECT_THAT(result.json, IsEmpty());
  return result.refusal;
}

TEST(ClientSettings, OfNobodyElse) {
  EXPECT_EQ(
      merge_settings(kInstallation, std::nullopt).json,
      R"({"disableAllHooks":false,"sandbox":{"enabled":false},)"
      R"("env":{"CLAUDE_CODE_SHELL_PREFIX":"/opt/nd7/nd7-exec -c"},"hooks":{)"
      R"("PreToolUse":[{"matcher":"Bash|Monitor","hooks":[{"type":"command","command":"/opt/nd7/nd7",)"
      R"("args":["hook-prefix"],"timeout":10,"onFailure":"block"}]}],)"
      R"("SessionStart":[{"hooks":[{"type":"command","command":"/opt/nd7/nd7-exec",)"
      R"("args":["-c",": sign"],"timeout":10}]}]}})");
}

TEST(ClientSettings, WithoutASignNothingRunsAtTheStart) {
  const auto result = merge_settings({"/opt/nd7/nd7", "/opt/nd7/nd7-exec", ""}, std::nullopt);
  EXPECT_FALSE(Json::parse(result.json).at("hooks").contains("SessionStart"));
}

TEST(ClientSettings, HooksStandBesideTheUsers) {
  const Json json = merged(
      R"-({"model":"opus","hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[]}],"Stop":[]},)-"
      R"-("env":{"A":"b"},"permissions":{"deny":["Bash(touch:*)"]}})-");
  EXPECT_EQ(json.at("model"), "opus");
  EXPECT_EQ(json.at("permissions").at("deny").at(0), "Bash(touch:*)");
  EXPECT_EQ(json.at("hooks").at("PreToolUse").size(), 2U);
  EXPECT_EQ(json.at("hooks").at("PreToolUse").at(0).at("matcher"), "Bash");
  EXPECT_TRUE(json.at("hooks").contains("Stop"));
  EXPECT_EQ(json.at("env").at("A"), "b");
  EXPECT_EQ(json.at("env").at("CLAUDE_CODE_SHELL_PREFIX"), "/opt/nd7/nd7-exec -c");
}

TEST(ClientSettings, TheClientsSandboxIsOff) {
  const MergedSettings result =
      merge_settings(kInstallation, R"({"sandbox":{"enabled":true,"network":{}}})");
  const Json json = Json::parse(result.json);
  EXPECT_EQ(json.at("sandbox").dump(), R"({"enabled":false,"network":{}})");
  EXPECT_THAT(result.notes, testing::ElementsAre(HasSubstr("nd7 is the sandbox")));
}

TEST(ClientSettings, WhatCannotBeJoinedIsRefused) {
  EXPECT_THAT(refusal("["), HasSubstr("not JSON"));
  EXPECT_THAT(refusal("[]"), HasSubstr("no object"));
  EXPECT_THAT(refusal(R"({"a":1,"a":2})"), HasSubstr("twice"));
  EXPECT_THAT(refusal(R"({"disableAllHooks":true})"), HasSubstr("disableAllHooks"));
  EXPECT_THAT(refusal(R"({"disableAllHooks":"false"})"), HasSubstr("disableAllHooks"));
  EXPECT_THAT(refusal(R"({"hooks":[]})"), HasSubstr("`hooks`"));
  EXPECT_THAT(refusal(R"({"hooks":{"PreToolUse":{}}})"), HasSubstr("`PreToolUse`"));
  EXPECT_THAT(refusal(R"({"hooks":{"SessionStart":1}})"), HasSubstr("`SessionStart`"));
  EXPECT_THAT(refusal(R"({"env":"x"})"), HasSubstr("`env`"));
  EXPECT_THAT(refusal(R"({"sandbox":true})"), HasSubstr("`sandbox`"));
  EXPECT_THAT(refusal(R"({"env":{"CLAUDE_CODE_SHELL_PREFIX":"/bin/x"}})"),
              HasSubstr("CLAUDE_CODE_SHELL_PREFIX"));
}

TEST(ClientSettings, WhatIsSaidAlreadyIsNoConflict) {
  const Json json = merged(
      R"({"disableAllHooks":false,"env":{"CLAUDE_CODE_SHELL_PREFIX":"/opt/nd7/nd7-exec -c"}})");
  EXPECT_EQ(json.at("disableAllHooks"), false);
}

TEST(ClientSettings, TellsJsonFromFiles) {
  EXPECT_TRUE(is_inline_settings(R"( {"a": 1} )"));
  EXPECT_FALSE(is_inline_settings("settings.json"));
  EXPECT_FALSE(is_inline_settings("{a}"));
  EXPECT_FALSE(is_inline_settings(""));
}

}  // namespace
}  // namespace nd7::runtime::hook
