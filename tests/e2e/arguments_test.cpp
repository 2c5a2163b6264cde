// What nd7 run does for a program called claude, with one that only tells how it was started.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/talk.hpp"

namespace nd7::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ClientStart : public testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    const auto user = ordinary_user(reason, kUser);
    if (!user) GTEST_SKIP() << reason;
    user_ = *user;
    if (!may_change_home(user_)) GTEST_SKIP() << "this user's home is not the tests' own";
    if (const std::string why = why_no_sessions(user_); !why.empty()) GTEST_SKIP() << why;
  }

  /// With ./claude, which shows its arguments, a line each, and what is in the project.
  [[nodiscard]] Output run(const std::string& script) const {
    return run_script(user_, R"sh(
      rm -rf ~/.claude; mkdir bin
      cat > bin/claude <<'END'
#!/bin/sh
for word; do printf '<%s>\n' "$word"; done
echo "prefix=$CLAUDE_CODE_SHELL_PREFIX"
eval "$INSIDE"
END
      chmod +x bin/claude; PATH=$PWD/bin:$PATH
)sh" + script);
  }
  User user_;
};

TEST_F(ClientStart, GetsTheOptionsAndThePrefix) {
  const Output output = run("CLAUDE_CODE_SHELL_PREFIX=mine $ND7 run claude -p hello");
  EXPECT_THAT(output.text,
              AllOf(HasSubstr("<--settings>\n"), HasSubstr("\n<{\"disableAllHooks\":false,")));
  EXPECT_THAT(output.text, HasSubstr("<--append-system-prompt>\n<This session runs under nd7's"));
  EXPECT_THAT(output.text, HasSubstr("<-p>\n<hello>\n"));
  EXPECT_THAT(output.text, testing::ContainsRegex("prefix=/[^ ]*/nd7-exec -c\n"));
  EXPECT_THAT(output.text, HasSubstr("never ran nd7's hooks in this session"));
}

TEST_F(ClientStart, OtherProgramsGetNothing) {
  const Output output = run("mv bin/claude bin/other; $ND7 run other -p hello; ls -A");
  EXPECT_THAT(output.text, HasSubstr("<-p>\n<hello>\nprefix=\n"));
  EXPECT_THAT(output.text, Not(HasSubstr("--settings")));
  EXPECT_THAT(output.text, Not(HasSubstr("hooks")));
}

TEST_F(ClientStart, OfAGreetingNothingIsSaid) {
  const Output output = run(R"sh(
    INSIDE='for word; do case $word in *": nd7 hooks"*) text=${word#*\"-c\",\"}
              $ND7_EXEC -c "${text%%\"*}"; echo "code $?";; esac; done; sleep 0.2'
    export INSIDE; $ND7 run claude)sh");
  EXPECT_THAT(output.text, HasSubstr("code 0\n"));
  EXPECT_THAT(output.text, Not(HasSubstr("never ran")));
}

TEST_F(ClientStart, WhatLeavesTheSessionIsRefused) {
  for (const char* words : {"--bg", "-p x --background", "daemon run", "attach x"}) {
    const Output output = run(std::string{"$ND7 run claude "} + words);
    EXPECT_EQ(output.code, 126) << words;
    EXPECT_THAT(output.text, HasSubstr("refusing to start"));
    EXPECT_THAT(output.text, Not(HasSubstr("prefix=")));
  }
}

TEST_F(ClientStart, WhatRunsLaterIsClosedAndNothingIsLeft) {
  const Output output = run(R"sh(
    mkdir -p .git ~/.claude; echo ref > .git/HEAD
    cat > inside <<'END'
for path in .claude .mcp.json .git/hooks ~/.claude/hooks ~/.claude/skills; do
  touch $path/x 2>/dev/null && echo "wrote $path"
done
echo > ~/.claude/settings.json && echo "wrote settings"
rm ~/.claude/settings.json && echo "removed settings"
rmdir .claude && echo "removed .claude"
mv .git moved && echo "moved .git"
touch ~/.claude/fine .git/fine && echo fine
END
    INSIDE='. ./inside; $ND7_EXEC -c ". ./inside"'; export INSIDE; $ND7 run claude
    ls -A . .git ~/.claude)sh");
  EXPECT_THAT(output.text, Not(HasSubstr("wrote ")));
  EXPECT_THAT(output.text, Not(HasSubstr("removed ")));
  EXPECT_THAT(output.text, Not(HasSubstr("moved .git")));
  EXPECT_THAT(output.text, HasSubstr("\nfine\n"));
  EXPECT_THAT(output.text, HasSubstr(".:\n.git\nbin\ninside\n\n.git:\nHEAD\nfine\n\n" + user_.home +
                                     "/.claude:\nfine\n"));
}

TEST_F(ClientStart, AnEmptyProjectCanBecomeARepository) {
  const Output output =
      run("INSIDE='git init -q . && touch .git/hooks/x && echo made'; "
          "export INSIDE; $ND7 run claude");
  EXPECT_THAT(output.text, HasSubstr("made\n"));
}

}  // namespace
}  // namespace nd7::test
