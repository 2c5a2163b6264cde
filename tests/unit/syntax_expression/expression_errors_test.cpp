#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "compiler/syntax/expression.hpp"
#include "compiler/syntax/expression_builder.hpp"

namespace nd7 {
namespace {

constexpr FileId kFile{3};
constexpr std::uint32_t kBegin = 1000;

struct Report {
  Code code;
  std::string at;  ///< the text that the primary span covers
  std::string message;
};

std::vector<Diagnostic> reports(std::string_view text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(parse_expression(text, kFile, kBegin, diagnostics)) << text;
  for (const Diagnostic& d : diagnostics.all()) {
    EXPECT_LE(kBegin, d.primary->begin);
    EXPECT_LE(d.primary->end, kBegin + text.size());
  }
  return diagnostics.all();
}

std::string_view covered(std::string_view text, const Span& span) {
  return text.substr(span.begin - kBegin, span.size());
}

/// `text` with the fix of every report.
std::string fixed(std::string text) {
  std::vector<Diagnostic> all = reports(text);
  for (auto d = all.rbegin(); d != all.rend(); ++d) {
    for (const FixIt& fix : d->fixits) {
      text.replace(fix.span.begin - kBegin, fix.span.size(), fix.replacement);
    }
  }
  return text;
}

void expect_reports(const std::string& text, const std::vector<Report>& expected) {
  const std::vector<Diagnostic> found = reports(text);
  std::string all;
  for (const Diagnostic& d : found) all += d.message + '\n';
  ASSERT_EQ(found.size(), expected.size()) << text << '\n' << all;
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].code, expected[i].code) << text;
    EXPECT_EQ(found[i].message, expected[i].message) << text;
    EXPECT_EQ(covered(text, *found[i].primary), expected[i].at) << text;
  }
}

TEST(ExpressionErrors, SaysWhatWasExpected) {
  const std::vector<std::pair<std::string, Report>> cases{
      {"a() and", {Code::ND1010, "", "expected a condition, found the end of the expression"}},
      {"and a()", {Code::ND1010, "and", "expected a condition, found `and`"}},
      {"a() or or b()", {Code::ND1010, "or", "expected a condition, found `or`"}},
      {"not", {Code::ND1010, "", "expected a condition, found the end of the expression"}},
      {"()", {Code::ND1010, ")", "expected a condition, found `)`"}},
      {"\"/x\"", {Code::ND1010, "\"", "expected a condition, found a string"}},
      {"in(\"x\")", {Code::ND1010, "in", "expected a condition, found `in`"}},
      {"[1]", {Code::ND1010, "[", "expected a condition, found `[`"}},
      {"80", {Code::ND1010, "80", "expected a condition, found `80`"}},
      {"foo",
       {Code::ND1010, "",
        "expected `(`, `==` or `in` after `foo`, found the end of the expression"}},
      {"foo and b()", {Code::ND1010, "and", "expected `(`, `==` or `in` after `foo`, found `and`"}},
      {"foo bar(\"x\") and b()",
       {Code::ND1010, "bar", "expected `(`, `==` or `in` after `foo`, found `bar`"}},
      {"port < 80", {Code::ND1010, "<", "expected `(`, `==` or `in` after `port`, found `<`"}},
      {"port not in [80]",
       {Code::ND1010, "not", "expected `(`, `==` or `in` after `port`, found `not`"}},
      {"a() b()", {Code::ND1010, "b", "expected `and` or `or`, found `b`"}},
      {"a(), b()", {Code::ND1010, ",", "expected `and` or `or`, found `,`"}},
      {"(a() b()) and c()", {Code::ND1010, "b", "expected `and` or `or`, found `b`"}},
      {"(a() and b()",
       {Code::ND1010, "", "expected `and`, `or` or `)`, found the end of the expression"}},
      {"a() and b())", {Code::ND1010, ")", "a `)` without its `(`"}},
      {"a(\"x\"", {Code::ND1010, "", "expected `,` or `)`, found the end of the expression"}},
      {"a(\"x\" and b(\"y\"))", {Code::ND1010, "and", "expected `,` or `)`, found `and`"}},
      {"a(\"x\" \"y\")", {Code::ND1010, "\"", "expected `,` or `)`, found a string"}},
      {"a(,)", {Code::ND1010, ",", "expected a string, a number, a name or a list, found `,`"}},
      {"a(\"x\",,\"y\")",
       {Code::ND1010, ",", "expected a string, a number, a name or a list, found `,`"}},
      {"a(])", {Code::ND1010, "]", "expected a string, a number, a name or a list, found `]`"}},
      {"a(b(\"x\"))", {Code::ND1010, "(", "expected `,` or `)`, found `(`"}},
      {"a([\"x\")", {Code::ND1010, ")", "expected `,` or `]`, found `)`"}},
      {"a([[1]])", {Code::ND1010, "[", "expected a string, a number or a name, found `[`"}},
      {"p in [1 2]", {Code::ND1010, "2", "expected `,` or `]`, found `2`"}},
      {"p in [1", {Code::ND1010, "", "expected `,` or `]`, found the end of the expression"}},
      {"p == [1]", {Code::ND1010, "[", "expected a string, a number or a name, found `[`"}},
      {"p ==",
       {Code::ND1010, "",
        "expected a string, a number or a name, found the end of the expression"}},
      {"p == and a()", {Code::ND1010, "and", "expected a string, a number or a name, found `and`"}},
      {"p in tcp", {Code::ND1010, "tcp", "expected a list or a range after `in`, found `tcp`"}},
      {"p in 80",
       {Code::ND1010, "",
        "expected `..` and the last number of the range, found the end of the expression"}},
      {"p in 80..",
       {Code::ND1010, "", "expected a number after `..`, found the end of the expression"}},
      {"p in 80..=90", {Code::ND1010, "=", "expected a number after `..`, found `=`"}},
      {"p in 80...90", {Code::ND1010, ".", "expected a number after `..`, found `.`"}},
      {"p in 80..x", {Code::ND1010, "x", "expected a number after `..`, found `x`"}},
      {"a(#)", {Code::ND1010, "#", "expected a string, a number, a name or a list, found `#`"}},
  };
  for (const auto& [text, report] : cases) expect_reports(text, {report});
}

TEST(ExpressionErrors, Words) {
  expect_reports("a(and)", {{Code::ND1010, "and", "the reserved word `and` as a value"}});
  expect_reports("p in [true, 1]", {{Code::ND1010, "true", "the reserved word `true` as a value"}});
  const std::string message = "a character outside ASCII in the name `caf\xc3\xa9-x`";
  expect_reports("caf\xc3\xa9-x(\"a\") and b()", {{Code::ND1010, "caf\xc3\xa9-x", message}});
  expect_reports("p == caf\xc3\xa9-x", {{Code::ND1010, "caf\xc3\xa9-x", message}});
  expect_reports(
      "p == \xc2\xab"
      "a\xc2\xbb",
      {{Code::ND1010,
        "\xc2\xab"
        "a\xc2\xbb",
        "a character outside ASCII in the name `\xc2\xab"
        "a\xc2\xbb`"}});
}

TEST(ExpressionErrors, Strings) {
  expect_reports("a(\"x) and b()",
                 {{Code::ND1011, "\"x) and b()", "a string without its closing quote"}});
  expect_reports("a(\"x)\nand b(,)",
                 {{Code::ND1011, "\"x)", "a string without its closing quote"},
                  {Code::ND1010, ",", "expected a string, a number, a name or a list, found `,`"}});
  expect_reports("a(\"", {{Code::ND1011, "\"", "a string without its closing quote"}});
  expect_reports("a(\"x\\", {{Code::ND1011, "\"x\\", "a string without its closing quote"}});
  expect_reports("a(\"\\.x\\\xc3\xa9\")",
                 {{Code::ND1010, "\\.", "an unknown escape `\\.`"},
                  {Code::ND1010, "\\\xc3\xa9", "an unknown escape `\\\xc3\xa9`"}});
  expect_reports("a(\"\\u{}\\u{1234567}\\u12\")",
                 {{Code::ND1010, "\\u", "an unknown escape `\\u`"},
                  {Code::ND1010, "\\u", "an unknown escape `\\u`"},
                  {Code::ND1010, "\\u", "an unknown escape `\\u`"}});
  expect_reports("a(\"\\u{d800}\\u{110000}\\u{0}\")",
                 {{Code::ND1010, "\\u{d800}", "`\\u{d800}` is no Unicode character"},
                  {Code::ND1010, "\\u{110000}", "`\\u{110000}` is no Unicode character"},
                  {Code::ND1010, "\\u{0}", "a NUL character in a string"}});
  const std::string nul(1, '\0');
  expect_reports("a(\"x" + nul + "\")", {{Code::ND1010, nul, "a NUL character in a string"}});
  expect_reports("a(\"\\" + nul + "\")", {{Code::ND1010, nul, "a NUL character in a string"}});
  expect_reports("a('x')", {{Code::ND1010, "'x'", "a string in single quotes"}});
  expect_reports("a('x)", {{Code::ND1010, "'",
                            "expected a string, a number, a name or a list, "
                            "found `'`"}});
}

TEST(ExpressionErrors, Numbers) {
  expect_reports("p == 9223372036854775808",
                 {{Code::ND1010, "9223372036854775808", "a number that does not fit in 64 bits"}});
  expect_reports("p == -9223372036854775809",
                 {{Code::ND1010, "-9223372036854775809", "a number that does not fit in 64 bits"}});
  expect_reports("mode(0644)", {{Code::ND1010, "0644", "a number with a leading zero"}});
  expect_reports("p == 12ab", {{Code::ND1010, "12ab", "`12ab` is not a number"}});
  expect_reports("p in 80-90", {{Code::ND1010, "80-90", "`80-90` is not a number"}});
  expect_reports("p in [80-90, 1]", {{Code::ND1010, "80-90", "`80-90` is not a number"}});
  expect_reports("p == 1.5", {{Code::ND1010, ".", "expected `and` or `or`, found `.`"}});
  expect_reports("h == 10.0.0.1", {{Code::ND1010, ".", "expected `and` or `or`, found `.`"}});
  expect_reports("p == -",
                 {{Code::ND1010, "-", "expected a string, a number or a name, found `-`"}});
}

TEST(ExpressionErrors, FixesOfOperatorsFromOtherLanguages) {
  EXPECT_EQ(fixed("proto = tcp"), "proto == tcp");
  EXPECT_EQ(fixed("a() && b()"), "a() and b()");
  EXPECT_EQ(fixed("a()&&b()"), "a() and b()");
  EXPECT_EQ(fixed("a() & b() || c()|d()"), "a() and b() or c() or d()");
  EXPECT_EQ(fixed("!a() and !(b())"), "not a() and not (b())");
  EXPECT_EQ(fixed("proto != tcp"), "not proto == tcp");
  EXPECT_EQ(fixed("a('x', 'it\"s')"), "a(\"x\", 'it\"s')");
  EXPECT_EQ(fixed("p in 80-90"), "p in 80..90");
  EXPECT_EQ(fixed(R"(regex("\.x\d"))"), R"(regex("\\.x\\d"))");
  expect_reports("a = b", {{Code::ND1010, "=", "`=` instead of `==`"}});
  expect_reports("a() && b()", {{Code::ND1010, "&&", "`&&` instead of `and`"}});
  expect_reports("a() | b()", {{Code::ND1010, "|", "`|` instead of `or`"}});
  expect_reports("!a()", {{Code::ND1010, "!", "`!` instead of `not`"}});
  expect_reports("a != b", {{Code::ND1010, "!=", "`!=` instead of `not` with `==`"}});
}

TEST(ExpressionErrors, HelpsWhereAHintIsNear) {
  for (const std::string text :
       {"foo", "\"x\"", "p == [1]", "p in tcp", "p in 80", "p in 80..=90", "p == 12ab", "a(and)",
        "\xc3\xa9()", "mode(0644)", "", "a(\"\\d\")"}) {
    EXPECT_FALSE(reports(text).front().helps.empty()) << text;
  }
  EXPECT_EQ(reports("(a()").front().labels.front().span, (Span{kFile, kBegin, kBegin + 1}));
  EXPECT_EQ(reports("a(1").front().labels.front().span, (Span{kFile, kBegin + 1, kBegin + 2}));
}

TEST(ExpressionErrors, SeveralInOneRun) {
  expect_reports("a(,) and foo or (b() && c(\"\\d\") d()) and port in x",
                 {{Code::ND1010, ",", "expected a string, a number, a name or a list, found `,`"},
                  {Code::ND1010, "or", "expected `(`, `==` or `in` after `foo`, found `or`"},
                  {Code::ND1010, "&&", "`&&` instead of `and`"},
                  {Code::ND1010, "\\d", "an unknown escape `\\d`"},
                  {Code::ND1010, "d", "expected `and` or `or`, found `d`"},
                  {Code::ND1010, "x", "expected a list or a range after `in`, found `x`"}});
  expect_reports("a()) and b(,)",
                 {{Code::ND1010, ")", "a `)` without its `(`"},
                  {Code::ND1010, ",", "expected a string, a number, a name or a list, found `,`"}});
}

TEST(ExpressionErrors, Empty) {
  expect_reports("", {{Code::ND1010, "", "an empty expression"}});
  expect_reports(" \n", {{Code::ND1010, " \n", "an empty expression"}});
  Diagnostics diagnostics;
  EXPECT_FALSE(parse_expression(std::string_view{}, kFile, kBegin, diagnostics));
}

TEST(ExpressionErrors, AreLimited) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "a(,) and ";
  EXPECT_EQ(reports(text).size(), kMaxExpressionErrors);
}

TEST(ExpressionErrors, LongTokensAreCutAtACharacter) {
  std::string word = "x";
  for (int i = 0; i < 1000; ++i) word += "\xe2\x82\xac";
  const std::string message = reports(word + "()").front().message;
  EXPECT_LT(message.size(), 120U);
  EXPECT_EQ(message.substr(message.size() - 7), "\xe2\x82\xac...`");
}

}  // namespace
}  // namespace nd7
