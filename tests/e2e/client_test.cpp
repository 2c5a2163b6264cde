// The real client, driven by a scripted model, under nd7.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/talk.hpp"

namespace nd7::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Client : public testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    const auto user = ordinary_user(reason, kUser);
    if (!user) GTEST_SKIP() << reason;
    user_ = *user;
    if (!may_change_home(user_)) GTEST_SKIP() << "this user's home is not the tests' own";
    if (const std::string why = why_no_sessions(user_); !why.empty()) GTEST_SKIP() << why;
    program_ = client_program(user_, reason);
    if (program_.empty()) GTEST_SKIP() << reason;
  }

  [[nodiscard]] std::string held(const Talk& talk) const {
    return hold(user_, program_, talk).text;
  }

  User user_;
  std::string program_;
};

TEST_F(Client, CommandsRunUnderTheRulesOfTheMoment) {
  const std::string text = held({R"json({"main": [
    {"call": "Bash", "with": {"command": "echo \"it's\" '$HOME' > inside && cat inside; mkdir sub; cd sub"}},
    {"call": "Bash", "with": {"command": "pwd; touch ~/granted/before; exit 7"}},
    {"call": "Bash", "with": {"command": "cat ~/.ssh/id; ls ~/.nd7"}},
    {"call": "Bash", "with": {"command": "p=$(cat ~/e2e/other); (exec 3<>/dev/tcp/127.0.0.1/$p) && echo connected; p=$(cat ~/e2e/port); (exec 3<>/dev/tcp/127.0.0.1/$p) && echo reached the model"}},
    {"outside": "$ND7 allow ~/granted",
     "call": "Bash", "with": {"command": "touch ~/granted/after && echo granted"}},
    {"outside": "$ND7 deny ~/granted",
     "call": "Bash", "with": {"command": "touch ~/granted/later; ls ~/granted"}},
    "that is all"]})json",
                                 R"sh(node -e 'require("net").createServer().listen(0, "127.0.0.1",
      function() { require("fs").writeFileSync(process.argv[1], String(this.address().port)) })' \
      ~/e2e/other & other=$!; while [ ! -s ~/e2e/other ]; do sleep 0.02; done)sh",
                                 "claude -p hello; kill $other"});
  EXPECT_THAT(text, HasSubstr("main prompt: names nd7\n"));
  EXPECT_THAT(text, HasSubstr("main result: it's $HOME\n"));
  EXPECT_THAT(text, HasSubstr("main failed: Exit code 7\n" + user_.home + "/project/sub\n"));
  EXPECT_THAT(text, HasSubstr("granted/before': Read-only file system"));
  EXPECT_THAT(text, Not(HasSubstr("secret")));
  EXPECT_THAT(text, HasSubstr(".ssh/id: Permission denied"));
  EXPECT_THAT(text, Not(HasSubstr("connected")));
  EXPECT_THAT(text, HasSubstr("reached the model"));
  EXPECT_THAT(text, HasSubstr("allowed from the next command"));
  EXPECT_THAT(text, HasSubstr("main result: granted\n"));
  EXPECT_THAT(text, HasSubstr("granted/later': Read-only file system\nafter\n"));
  EXPECT_THAT(text, HasSubstr("that is all\n"));
  EXPECT_THAT(text, Not(HasSubstr("never ran nd7's hooks")));
}

TEST_F(Client, AlsoInTheBackgroundAndInSubagents) {
  const std::string text = held({R"json({"main": [
    {"outside": "$ND7 allow ~/granted", "call": "Bash",
     "with": {"command": "touch ~/granted/background; touch ~/outside", "run_in_background": true}},
    {"call": "Agent", "with": {"description": "sub", "subagent_type": "general-purpose",
                               "prompt": "talk:sub"}},
    {"call": "Bash", "with": {"command": "for i in 1 2 3 4 5 6 7 8 9; do [ -e ~/granted/agent ] && [ -e ~/granted/background ] || sleep 0.5; done; ls ~/granted; ls ~/outside"}},
    "done"],
    "sub": [
    {"call": "Bash", "with": {"command": "touch ~/granted/agent; touch ~/outside"}},
    "done"]})json",
                                 "rm -f ~/outside", "claude -p talk:main"});
  EXPECT_THAT(text, HasSubstr("sub failed: Exit code 1\n"));
  EXPECT_THAT(text, HasSubstr("outside': Read-only file system"));
  EXPECT_THAT(text, HasSubstr("agent\nbackground\n"));
  EXPECT_THAT(text, HasSubstr("cannot access '" + user_.home + "/outside'"));
}

TEST_F(Client, TheProjectsSettingsKeepTheirDeniesAndTurnNothingOff) {
  const std::string text = held({R"json({"main": [
    {"call": "Bash", "with": {"command": "touch forbidden"}},
    {"outside": "$ND7 allow ~/granted", "call": "Bash", "with": {"command": "cp /dev/null ~/granted/x && echo granted"}},
    {"call": "Bash", "with": {"command": "cp /dev/null .claude/settings.json; sed -i s/true/false/ .claude/settings.json"}},
    "done"]})json",
                                 R"sh(mkdir .claude; cat > .claude/settings.json <<'END'
{"disableAllHooks": true, "permissions": {"deny": ["Bash(touch:*)"]},
 "env": {"CLAUDE_CODE_SHELL_PREFIX": ""}}
END
)sh",
                                 "claude -p hello; ls; cat .claude/settings.json"});
  EXPECT_THAT(text, HasSubstr("main failed: Permission to use Bash with command touch forbidden"));
  EXPECT_THAT(text, HasSubstr("main result: granted\n"));
  EXPECT_THAT(text, HasSubstr("{\"disableAllHooks\": true,"));
  EXPECT_THAT(text, Not(HasSubstr("\nforbidden\n")));
  EXPECT_THAT(text, Not(HasSubstr("never ran nd7's hooks")));
}

TEST_F(Client, AHookThatDiesBlocksTheCall) {
  const std::string text = held({R"json({"main": [
    {"call": "Bash", "with": {"command": "touch ran"}}, "done"]})json",
                                 R"sh(mkdir .claude; cat > .claude/settings.json <<END
{"permissions": {"allow": ["Bash"]}, "env": {"LD_PRELOAD": "$KILLER"}}
END
)sh",
                                 "claude -p hello --dangerously-skip-permissions; ls"});
  EXPECT_THAT(text, HasSubstr("blocking because onFailure is \"block\""));
  EXPECT_THAT(text, Not(HasSubstr("\nran\n")));
}

TEST_F(Client, AContinuedConversationLearnsOfTheRules) {
  const std::string text = held({R"json({"main": [
    "first",
    {"call": "Bash", "with": {"command": "touch ~/granted/x"}},
    "done"]})json",
                                 "", "bare -p hello; claude -p --continue go"});
  EXPECT_THAT(text, HasSubstr("main prompt: plain\n"));
  EXPECT_THAT(text, HasSubstr("main prompt: names nd7\n"));
  EXPECT_THAT(text, HasSubstr("granted/x': Read-only file system"));
}

TEST_F(Client, WithoutHooksItIsSaid) {
  const std::string text = held({R"json({"main": ["done"]})json", "", "claude --bare -p hello"});
  EXPECT_THAT(text, HasSubstr("--bare turns hooks off"));
  EXPECT_THAT(text, HasSubstr("never ran nd7's hooks in this session"));
}

}  // namespace
}  // namespace nd7::test
