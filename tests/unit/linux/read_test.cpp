// What the reader of plans refuses, and why.
#include "compiler/linux/read.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "compiler/linux/print.hpp"

namespace nd7::linux_plan {
namespace {

Plan small() {
  Plan plan;
  plan.name = "small";
  plan.params = {{"HOME", false}, {"small.agent", true}};
  plan.read = {{"/", false, "small/all"}};
  plan.closed = {{{ir::hole(ir::kHome) + "/.ssh", false, "small/keys"},
                  {{ir::hole(ir::kHome) + "/.ssh/config", true, "small/keys"}}}};
  plan.connect = {{Protocol::udp, true, 53, 54, "small/dns"}};
  plan.sockets = {{ir::hole(ir::ParamId{1}), false, "small/agent"}};
  plan.directories = {ir::hole(ir::kHome) + "/cache"};
  return plan;
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = print(small());
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from << '\n' << text;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

TEST(PlanReader, ReadsWhatIsPrinted) {
  const ReadResult result = read(print(small()));
  ASSERT_TRUE(result.plan) << result.reason;
  EXPECT_EQ(*result.plan, small());
}

TEST(PlanReader, RefusesWhatTheFormatDoesNotKnow) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {with("\"name\": \"small\"", "\"name\": 7"), "name is not a string"},
      {with("\"name\": \"small\"", "\"names\": \"small\""), "the plan has an unknown key, `names`"},
      {with("\"noexec\": [],", ""), "the plan has no `noexec`"},
      {with("\"noexec\": []", "\"noexec\": {}"), "noexec is not a list"},
      {with("\"nd7-plan\": 1", "\"nd7-plan\": 2"),
       "`nd7-plan` is not 1, the one version that is known"},
      {with("\"nd7-plan\": 1", "\"nd7-plan\": \"1\""), "nd7-plan is not a whole number"},
      {with("\"floor\"", "\"ceiling\""), "`profile` is neither floor nor command"},
      {with("\"file\": false", "\"file\": 0"), "read[0].file is not true or false"},
      {with("\"file\": false, ", ""), "read[0] has no `file`"},
      {with("\"file\": false", "\"file\": false, \"file\": true"), "the key `file` stands twice"},
      {with("\"first\": 53", "\"first\": 53.0"), "connect[0].first is not a whole number"},
      {with("\"first\": 53", "\"first\": -1"), "connect[0].first is not a whole number"},
      {with("\"first\": 53", "\"first\": 65536"), "connect[0].first is too large"},
      {with("\"first\": 53", "\"first\": 55"), "connect[0] is a range that ends before it begins"},
      {with("\"udp\"", "\"sctp\""), "connect[0].protocol is not tcp or udp"},
      {with("\"localhost\"", "\"example.com\""), "connect[0].host is not * or localhost"},
      {with("\"HOME\", \"optional\": false", "\"HOME}\", \"optional\": false"),
       "parameters[0].name is not the name of a parameter"},
      {with("\"small.agent\"", "\"HOME\""), "parameters[1].name stands twice"},
      {with("\"except\": [", "\"except\": [[]], \"x\": ["), "closed[0] has an unknown key, `x`"},
      {with("\"except\": [", "\"except\": 1, \"except\": ["), "the key `except` stands twice"},
  };
  for (const auto& [text, reason] : cases) {
    const ReadResult result = read(text);
    EXPECT_FALSE(result.plan) << text;
    EXPECT_EQ(result.reason, reason);
  }
}

TEST(PlanReader, RefusesPathsThatAreNotNormal) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "is empty"},
      {"srv", "is not absolute"},
      {"~/x", "is not absolute"},
      {"/a/", "has an empty component"},
      {"/a//b", "has an empty component"},
      {"/a/./b", ": `.` in a path"},
      {"/a/..", ": `..` in a path"},
      {"${HOME}/../b", ": `..` in a path"},
      {"${HOME}x", "is not absolute"},
      {"/x${HOME}", "has a parameter that is not at its beginning"},
      {"/x/${HOME}", "has a parameter that is not at its beginning"},
      {"${PROJ}", "names a parameter that is not listed"},
      {"${HOME", "has a `${` that does not end"},
      {"/a$b", "has a `$` that begins nothing"},
      {"/a$", "has a `$` that begins nothing"},
      {"/a$x7f", "has a `$x` that is no byte above 7f"},
      {"/a$xFF", "has a `$x` that is no byte above 7f"},
      {"/a$xf", "has a `$` that begins nothing"},
      {"/a\\u0000b", "holds NUL"},
  };
  for (const auto& [path, reason] : cases) {
    const ReadResult result = read(with("\"path\": \"/\"", "\"path\": \"" + path + "\""));
    EXPECT_FALSE(result.plan) << path;
    const std::string place = reason.front() == ':' ? "read[0].path" : "read[0].path ";
    EXPECT_EQ(result.reason, place + reason) << path;
  }
}

TEST(PlanReader, RefusesWhatIsNoJson) {
  for (const std::string text : {"", "{", "[]", "null", "{} {}", "{\"a\": \"\xff\"}", "nd7",
                                 "{\"read\": [,]}", "// comment\n{}"}) {
    const ReadResult result = read(text);
    EXPECT_FALSE(result.plan) << text;
    EXPECT_FALSE(result.reason.empty());
  }
}

TEST(PlanReader, RefusesDepthAndSize) {
  EXPECT_EQ(read(with("\"read\": [", "\"read\": [[[[[[[[")).reason, "nested too deeply");
  EXPECT_EQ(read(std::string(1000000, '[')).reason, "nested too deeply");
  EXPECT_EQ(read(std::string(kMaxPlanBytes + 1, ' ')).reason, "too large");
  Plan plan = small();
  plan.directories.assign(kMaxEntries + 1, "/a");
  EXPECT_EQ(read(print(plan)).reason, "too many entries");
}

TEST(PlanReader, WantsListeningOnThisMachineOnly) {
  Plan plan = small();
  plan.bind = {{Protocol::tcp, false, 1, 1, "small/x"}};
  EXPECT_EQ(read(print(plan)).reason, "an entry of `bind` whose host is not localhost");
}

}  // namespace
}  // namespace nd7::linux_plan
