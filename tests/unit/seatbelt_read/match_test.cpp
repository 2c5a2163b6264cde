#include "compiler/seatbelt/read/match.hpp"

#include <gtest/gtest.h>

#include <string>

namespace nd7::seatbelt::read {
namespace {

bool matches(std::string_view expression, std::string_view subject) {
  const auto parsed = pattern::parse_regex(expression, pattern::RegexMode::tolerant);
  if (!parsed.regex) ADD_FAILURE() << expression;
  const auto program = parsed.regex ? compile(*parsed.regex) : std::nullopt;
  return program && search(*program, subject);
}

TEST(Match, SearchesAnywhereUnlessAnchored) {
  EXPECT_TRUE(matches("b", "abc"));
  EXPECT_FALSE(matches("^b", "abc"));
  EXPECT_TRUE(matches("^a", "abc"));
  EXPECT_TRUE(matches("c$", "abc"));
  EXPECT_FALSE(matches("b$", "abc"));
  EXPECT_TRUE(matches("^abc$", "abc"));
  EXPECT_TRUE(matches("^$", ""));
  EXPECT_FALSE(matches("^$", "a"));
}

TEST(Match, Operators) {
  EXPECT_TRUE(matches("^a*b+c?$", "bbb"));
  EXPECT_TRUE(matches("^a*b+c?$", "aabc"));
  EXPECT_FALSE(matches("^a*b+c?$", "ac"));
  EXPECT_TRUE(matches("^(ab|cd|)$", "cd"));
  EXPECT_TRUE(matches("^(ab|cd|)$", ""));
  EXPECT_FALSE(matches("^(ab|cd)$", "abcd"));
  EXPECT_TRUE(matches("^(ab)*$", "ababab"));
  EXPECT_TRUE(matches("/\\.env($|/)", "/w/.env/x"));
  EXPECT_FALSE(matches("/\\.env($|/)", "/w/.envrc"));
  EXPECT_TRUE(matches("(^|/)a", "a"));
  EXPECT_TRUE(matches("^.$", "/"));
}

TEST(Match, Sets) {
  EXPECT_TRUE(matches("^/dev/tty[a-z0-9]*$", "/dev/ttys003"));
  EXPECT_FALSE(matches("^/dev/tty[a-z0-9]*$", "/dev/ttyS"));
  EXPECT_TRUE(matches("^[^/]+$", "a b"));
  EXPECT_FALSE(matches("^[^/]+$", "a/b"));
  EXPECT_TRUE(matches("[\xc3][\xa9]", "caf\xc3\xa9"));
}

TEST(Match, IsLinearInTheSubject) {
  const std::string subject(20'000, 'a');
  EXPECT_FALSE(matches("^(a*)*(a*)*(a*)*b$", subject));
  EXPECT_FALSE(matches("(a|a)*(a|a)*(aa|a)*c", subject));
}

TEST(Match, HolesCannotBeMatched) {
  const auto parsed =
      pattern::parse_regex("^" + pattern::encode_hole(0) + "/x$", pattern::RegexMode::tolerant);
  ASSERT_TRUE(parsed.regex);
  EXPECT_FALSE(compile(*parsed.regex));
}

}  // namespace
}  // namespace nd7::seatbelt::read
