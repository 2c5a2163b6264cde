// Commands in the words of a shell: what a real one makes of them.
#include "runtime/hook/command_line.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/spawn.hpp"

namespace nd7::runtime::hook {
namespace {

constexpr const char* kExec = "/opt/nd7/nd7-exec";

TEST(CommandLine, Quotes) {
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("it's"), R"('it'\''s')");
  EXPECT_EQ(shell_word("''"), R"(''\'''\''')");
}

TEST(CommandLine, PutsThePrefixBefore) {
  EXPECT_EQ(through(kExec, "echo 'hi'"), R"(/opt/nd7/nd7-exec -c 'echo '\''hi'\''')");
  EXPECT_EQ(through("/with space/nd7-exec", "true"), "'/with space/nd7-exec' -c 'true'");
  EXPECT_EQ(through("/it's/nd7-exec", "true"), R"('/it'\''s/nd7-exec' -c 'true')");
}

TEST(CommandLine, LeavesExactlyItsOwnWordsAlone) {
  const std::string once = through(kExec, "echo 'a'; b");
  EXPECT_EQ(through(kExec, once), once);
  const std::string spaced = through("/with space/nd7-exec", "x");
  EXPECT_EQ(through("/with space/nd7-exec", spaced), spaced);
}

TEST(CommandLine, WrapsWhatOnlyLooksLikeIt) {
  for (const char* command : {
           "/opt/nd7/nd7-exec -c 'a'; b",
           "/opt/nd7/nd7-exec -c 'a' b",
           "/opt/nd7/nd7-exec -c 'a'&b",
           "/opt/nd7/nd7-exec -c 'a''b'",
           "/opt/nd7/nd7-exec -c 'a'\nb",
           "/opt/nd7/nd7-exec -c \"a\"",
           "/opt/nd7/nd7-exec -c a",
           "/opt/nd7/nd7-exec -c '",
           "/opt/nd7/nd7-exec -c 'a'\\''",
           "/opt/nd7/nd7-exec -c 'a'\\'",
           "/opt/nd7/nd7-exec  -c 'a'",
           "/opt/nd7/nd7-exec -c",
           " /opt/nd7/nd7-exec -c 'a'",
           "nd7-exec -c 'a'",
           "/tmp/nd7-exec -c 'a'",
           "../nd7/nd7-exec -c 'a'",
           "X=y /opt/nd7/nd7-exec -c 'a'",
       }) {
    const std::string wrapped = through(kExec, command);
    EXPECT_EQ(wrapped, std::string{kExec} + " -c " + shell_word(command));
  }
}

RC_GTEST_PROP(CommandLine, AShellReadsWhatWasQuoted, ()) {
  auto text = *rc::gen::container<std::string>(
      rc::gen::oneOf(rc::gen::distinctFrom(rc::gen::arbitrary<char>(), '\0'),
                     rc::gen::elementOf(std::string{"'\"\\$`\n !;&|<>()*?[]{}~#"})));
  const auto ended =
      test::run({{"/bin/sh", "-c", "printf %s " + shell_word(text)}, {}, {}, {}, {}});
  RC_ASSERT(ended.code == 0);
  RC_ASSERT(ended.out == text);
}

RC_GTEST_PROP(CommandLine, OnceIsEnough, (const std::string& command)) {
  const std::string once = through(kExec, command);
  RC_ASSERT(through(kExec, once) == once);
}

}  // namespace
}  // namespace nd7::runtime::hook
