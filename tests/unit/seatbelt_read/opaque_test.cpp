// Parameters that are left open: holes in texts, and nothing that looks into them.
#include <gtest/gtest.h>

#include "tests/unit/seatbelt_read/support.hpp"

namespace nd7::seatbelt::read::test {
namespace {

ReadOptions open_parameters() {
  ReadOptions options;
  options.parameters = {{"HOME", Parameter::Kind::opaque, ""},
                        {"PROJ", Parameter::Kind::opaque, ""},
                        {"GONE", Parameter::Kind::unset, ""}};
  return options;
}

Reading read_open(std::string_view text) { return read_fragment(text, open_parameters()); }

Text first_text(std::string_view text) {
  const Reading reading = read_open(text);
  return reading.rules && !reading.rules->atoms.empty() ? reading.rules->atoms[0].text
                                                        : reading.log();
}

TEST(Opaque, TextsHoldHoles) {
  EXPECT_EQ(first_text("(allow file-read* (subpath (param \"HOME\")))"), hole(0));
  EXPECT_EQ(first_text("(allow file-read* (subpath (string-append (param \"PROJ\") \"/.git\")))"),
            hole(1) + "/.git");
  EXPECT_EQ(first_text("(allow file-read* (literal (string-append (param \"HOME\") \"/\" (param "
                       "\"PROJ\"))))"),
            hole(0) + "/" + hole(1));
}

TEST(Opaque, QuotedValuesFitIntoRegularExpressions) {
  const Reading reading = read_open(
      "(allow file-read* (regex (string-append \"^\" (regex-quote (param \"HOME\")) "
      "#\"/a\\.b$\")))");
  ASSERT_TRUE(reading.rules) << reading.log();
  EXPECT_EQ(reading.rules->atoms[0].text, "^" + hole(0) + "/a\\.b$");
  const auto& nodes = reading.rules->regexes[0].syntax.nodes;
  bool found = false;
  for (const auto& node : nodes) {
    found = found || (node.kind == pattern::RegexNode::Kind::hole && node.hole == 0);
  }
  EXPECT_TRUE(found);
}

TEST(Opaque, ConditionsAskWhetherAParameterIsSet) {
  const Reading reading = read_open(
      "(if (param \"HOME\") (allow file-read*) (allow file-write*))"
      "(when (param \"GONE\") (allow file-ioctl))"
      "(if (string? (param \"PROJ\")) (allow file-link))"
      "(if (equal? (param \"PROJ\") #f) (deny file-link))");
  ASSERT_TRUE(reading.rules) << reading.log();
  ASSERT_EQ(reading.rules->rules.size(), 2U);
  EXPECT_EQ(reading.rules->rules[0].ops[0], Op::file_read_all);
  EXPECT_EQ(reading.rules->rules[1].ops[0], Op::file_link);
}

TEST(Opaque, NothingLooksInside) {
  for (const char* text : {"(string=? (param \"HOME\") \"/\")", "(string-length (param \"HOME\"))",
                           "(substring (param \"HOME\") 0 1)", "(equal? (param \"HOME\") \"x\")",
                           "(string->number (param \"HOME\"))", "(string<? (param \"HOME\") \"x\")",
                           "(param (param \"HOME\"))", "(import (param \"HOME\"))",
                           "(regex-quote (regex-quote (param \"HOME\")))",
                           "(allow file-read* (regex (param \"HOME\")))",
                           "(allow file-read* (subpath (regex-quote (param \"HOME\"))))",
                           "(allow network-outbound (remote ip (param \"HOME\")))",
                           "(string->symbol (param \"HOME\"))"}) {
    const Reading reading = read_open(text);
    ASSERT_NE(reading.error(), nullptr) << text;
    EXPECT_EQ(reading.error()->code, Code::ND6019) << text << '\n' << reading.log();
  }
}

TEST(Opaque, ValuesOfParametersHoldNoNul) {
  ReadOptions options;
  options.parameters = {{"A", Parameter::Kind::bound, std::string("a\0b", 3)}};
  EXPECT_FALSE(read_fragment("", options).rules);
}

TEST(Opaque, DecisionsOverHolesAreUnknown) {
  const Reading reading = read_open("(deny default)(allow file-read* (subpath (param \"HOME\")))");
  ASSERT_TRUE(reading.rules);
  const Request request{Op::file_read_data, PathSubject{"/w"}, {}, {}, {}};
  EXPECT_EQ(decide(*reading.rules, request).verdict, Verdict::unknown);
}

}  // namespace
}  // namespace nd7::seatbelt::read::test
