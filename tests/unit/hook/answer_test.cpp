// The hook's answers to calls, good and hostile.
#include "runtime/hook/answer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

namespace nd7::runtime::hook {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

constexpr const char* kExec = "/opt/nd7/nd7-exec";
constexpr const char* kPrefix = "/opt/nd7/nd7-exec -c";

std::string call(const std::string& input, const std::string& tool = "Bash") {
  return R"({"session_id":"s","hook_event_name":"PreToolUse","tool_name":")" + tool +
         R"(","tool_input":)" + input + R"(,"tool_use_id":"t"})" + "\n";
}

/// The object of a good answer, or null.
Json output_of(const Answer& answer) {
  EXPECT_EQ(answer.code, kAnswered) << answer.text;
  if (answer.code != kAnswered) return {};
  EXPECT_EQ(answer.text.find('\n'), answer.text.size() - 1);
  const Json reply = Json::parse(answer.text);
  EXPECT_EQ(reply.size(), 1U);
  return reply.at("hookSpecificOutput");
}

TEST(HookAnswer, RewritesAndKeepsEveryField) {
  const Json output = output_of(answer(
      call(R"({"timeout":5000,"command":"echo 'hi'","description":"ä","run_in_background":true,)"
           R"("later":{"z":[1,null,1.5],"a":18446744073709551615}})"),
      kExec, ""));
  EXPECT_EQ(
      output.dump(),
      R"({"hookEventName":"PreToolUse","permissionDecision":"allow",)"
      R"("permissionDecisionReason":"nd7: the command runs under this session's sandbox policy",)"
      R"("updatedInput":{"timeout":5000,"command":"/opt/nd7/nd7-exec -c 'echo '\\''hi'\\'''",)"
      R"("description":"ä","run_in_background":true,)"
      R"("later":{"z":[1,null,1.5],"a":18446744073709551615}}})");
}

TEST(HookAnswer, AlsoForMonitor) {
  const Json output = output_of(answer(call(R"({"command":"x"})", "Monitor"), kExec, ""));
  EXPECT_EQ(output.at("updatedInput").at("command"), "/opt/nd7/nd7-exec -c 'x'");
}

TEST(HookAnswer, AllowsAsItIsWhileThePrefixIsInForce) {
  const Json output = output_of(answer(call(R"({"command":"x"})"), kExec, kPrefix));
  EXPECT_EQ(output.at("permissionDecision"), "allow");
  EXPECT_FALSE(output.contains("updatedInput"));
}

TEST(HookAnswer, RewritesUnlessThePrefixIsExactlyNd7s) {
  for (const char* prefix : {"", "/opt/nd7/nd7-exec", "/opt/nd7/nd7-exec -c ", "/bin/sh -c",
                             "nd7-exec -c", " /opt/nd7/nd7-exec -c"}) {
    const Json output = output_of(answer(call(R"({"command":"x"})"), kExec, prefix));
    EXPECT_TRUE(output.contains("updatedInput")) << prefix;
  }
}

TEST(HookAnswer, ARewrittenCommandStaysAsItIs) {
  const Json output =
      output_of(answer(call(R"({"command":"/opt/nd7/nd7-exec -c 'x'"})"), kExec, ""));
  EXPECT_EQ(output.at("updatedInput").at("command"), "/opt/nd7/nd7-exec -c 'x'");
}

TEST(HookAnswer, EveryFailureBlocks) {
  const std::string deep = std::string(70, '[') + std::string(70, ']');
  for (const std::string& input : {
           std::string{},
           std::string{"{"},
           std::string{"[]"},
           std::string{"null"},
           std::string{"{}"},
           std::string{"{\"hook_event_name\":\"PreToolUse\"}"},
           call("{}"),
           call("[]"),
           call("null"),
           call(R"({"command":1})"),
           call(R"({"command":null})"),
           call(R"({"command":"a\u0000b"})"),
           call(R"({"command":"a","command":"b"})"),
           call(R"({"command":"a","deep":)" + deep + "}"),
           call(R"({"command":"\ud800"})"),
           call("{\"command\":\"\xff\"}"),
           call(R"({"command":"a","n":1e999})"),
           call(R"({"command":"a"})") + "{}",
           call(R"({"command":"a"})", "Write"),
           std::string{R"({"hook_event_name":"PostToolUse","tool_name":"Bash",)"
                       R"("tool_input":{"command":"a"}})"},
       }) {
    const Answer result = answer(input, kExec, "");
    EXPECT_EQ(result.code, kBlocked) << input;
    EXPECT_THAT(result.text, testing::StartsWith("nd7 hook-prefix: "));
    EXPECT_THAT(result.text, testing::EndsWith("; the command does not run\n"));
    // Not even a prefix in force lets through what was not understood.
    EXPECT_EQ(answer(input, kExec, kPrefix).code, kBlocked) << input;
  }
}

TEST(HookAnswer, BoundsTheInput) {
  const std::string large(std::size_t{17} << 20U, ' ');
  const Answer result = answer(large, kExec, "");
  EXPECT_EQ(result.code, kBlocked);
  EXPECT_THAT(result.text, HasSubstr("larger than 16 MiB"));
  const Answer fits =
      answer(call(R"({"command":")" + std::string(1U << 20U, '\'') + "\"}"), kExec, "");
  EXPECT_EQ(fits.code, kAnswered);
}

RC_GTEST_PROP(HookAnswer, IsAnswerOrBlockForAnyBytes, (const std::string& input)) {
  const Answer result = answer(input, kExec, "");
  RC_ASSERT(result.code == kAnswered || result.code == kBlocked);
}

}  // namespace
}  // namespace nd7::runtime::hook
