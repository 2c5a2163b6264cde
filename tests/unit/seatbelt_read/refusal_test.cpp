// What libsandbox refuses to load is refused, with a code and at the right place.
#include <gtest/gtest.h>

#include "tests/unit/seatbelt_read/support.hpp"

namespace nd7::seatbelt::read::test {
namespace {

struct Refusal {
  const char* text;
  Code code;
  const char* blamed;
};

class Refusals : public testing::TestWithParam<Refusal> {};

TEST_P(Refusals, HaveACodeAndAPlace) {
  const Reading reading = read_fragment(GetParam().text);
  EXPECT_FALSE(reading.rules);
  ASSERT_NE(reading.error(), nullptr) << GetParam().text;
  EXPECT_EQ(info(reading.error()->code).name, info(GetParam().code).name) << GetParam().text << '\n'
                                                                          << reading.log();
  EXPECT_EQ(reading.blamed(), GetParam().blamed) << GetParam().text;
  EXPECT_EQ(reading.diagnostics.error_count(), 1U);
}

constexpr Refusal kRefusals[] = {
    {"(allow file-read* (literal \"/a", Code::ND6001, "\""},
    {"(allow file-read* (regex #\"^/a", Code::ND6001, "#\""},
    {"#| open", Code::ND6001, "#|"},
    {"(allow (file-read*", Code::ND6001, "("},
    {"(allow file-read*))", Code::ND6002, ")"},
    {"(quote ')", Code::ND6002, ")"},
    {"( . a)", Code::ND6002, "."},
    {"(a . )", Code::ND6002, ")"},
    {"(a . b c)", Code::ND6002, "c"},
    {"#true", Code::ND6002, "#true"},
    {"\"\\x4\"", Code::ND6025, "\\x"},
    {"\"\\0\"", Code::ND6025, "\\0"},
    {"\"\\777\"", Code::ND6025, "\\777"},
    {"99999999999999999999", Code::ND6026, "99999999999999999999"},
    {"(version 2)", Code::ND6005, "(version 2)"},
    {"(version \"1\")", Code::ND6005, "(version \"1\")"},
    {"@invalid", Code::ND6006, "@invalid"},
    {"(allow file-raed*)", Code::ND6006, "file-raed*"},
    {"(allow file-read* (subpaht \"/a\"))", Code::ND6006, "subpaht"},
    {"(system-network)", Code::ND6006, "system-network"},
    {"(set! nothing 1)", Code::ND6006, "nothing"},
    {"(allow file-read* (global-name \"a\"))", Code::ND6008, "\"a\""},
    {"(allow file-read* mach-lookup (literal \"/a\"))", Code::ND6008, "\"/a\""},
    {"(deny default (subpath \"/a\"))", Code::ND6008, "\"/a\""},
    {"(allow file-read* (subpath #f))", Code::ND6009, "#f"},
    {"(allow file-read* (subpath (param \"X\")))", Code::ND6009, "(param \"X\")"},
    {"(allow file-read* (subpath))", Code::ND6009, "(subpath)"},
    {"(allow file-read* (vnode-type \"TTY\"))", Code::ND6009, "\"TTY\""},
    {"(allow file-read* (require-any \"/a\"))", Code::ND6009, "\"/a\""},
    {"(allow network-outbound (remote unix-socket (remote ip)))", Code::ND6009, "(remote ip)"},
    {"(allow file-read* (entitlement-value \"a\"))", Code::ND6009,
     "(allow file-read* (entitlement-value \"a\"))"},
    {"(allow file-read* \"/a\")", Code::ND6010, "\"/a\""},
    {"(allow file-read* #f)", Code::ND6010, "#f"},
    {"(allow 'file-read*)", Code::ND6010, "'file-read*"},
    {"(allow file-read* (require-any))", Code::ND6011, "(require-any)"},
    {"(allow file-read* (require-all))", Code::ND6011, "(require-all)"},
    {"(allow file-read* (require-not))", Code::ND6011, "(require-not)"},
    {"(allow file-read* (require-not (literal \"/a\") (literal \"/b\")))", Code::ND6011,
     "(require-not (literal \"/a\") (literal \"/b\"))"},
    {"(allow network-outbound (remote ip \"127.0.0.1:80\"))", Code::ND6012, "\"127.0.0.1:80\""},
    {"(allow network-outbound (remote ip \"[::1]:80\"))", Code::ND6012, "\"[::1]:80\""},
    {"(allow network-outbound (remote ip \"localhost:0\"))", Code::ND6012, "\"localhost:0\""},
    {"(allow network-outbound (remote ip \"*:65536\"))", Code::ND6012, "\"*:65536\""},
    {"(allow network-outbound (remote ip \"*:http\"))", Code::ND6012, "\"*:http\""},
    {"(allow network-outbound (remote ip \"*\"))", Code::ND6012, "\"*\""},
    {"(allow network-outbound (remote self))", Code::ND6012, "self"},
    {"(allow file-read* (with nothing))", Code::ND6013, "nothing"},
    {"(deny file-read* (with report))", Code::ND6013, "(with report)"},
    {"(allow file-read* (with no-log))", Code::ND6013, "(with no-log)"},
    {"(allow file-read* (with no-sandbox))", Code::ND6013, "(with no-sandbox)"},
    {"(deny process-exec (with no-sandbox))", Code::ND6013, "(with no-sandbox)"},
    {"(deny file-read* (with send-signal))", Code::ND6013, "(with send-signal)"},
    {"(string-append \"a\" #f)", Code::ND6014, "#f"},
    {"(car '())", Code::ND6014, "'()"},
    {"(substring \"abc\" 2 1)", Code::ND6014, "(substring \"abc\" 2 1)"},
    {"(define (f a) a)(f 1 2)", Code::ND6014, "(f 1 2)"},
    {"(not)", Code::ND6014, "(not)"},
    {"(if)", Code::ND6015, "(if)"},
    {"(let ((a)) a)", Code::ND6015, "(let ((a)) a)"},
    {"(define)", Code::ND6015, "(define)"},
    {"(lambda (1) 2)", Code::ND6015, "(lambda (1) 2)"},
    {"(car . 1)", Code::ND6015, "(car . 1)"},
    {"(error \"no\")", Code::ND6020, "(error \"no\")"},
    {"(allow file-read* (regex #\"(\"))", Code::ND6021, "#\"(\""},
    {"(allow file-read* (vnode-type self))", Code::ND6022, "self"},
    {"(allow signal (target selv))", Code::ND6022, "selv"},
    {"(allow)", Code::ND6023, "(allow)"},
    {"(allow (literal \"/a\"))", Code::ND6023, "(allow (literal \"/a\"))"},
    {"(\"a\" 1)", Code::ND6024, "\"a\""},
    {"(file-read* 1)", Code::ND6024, "file-read*"},
    {"(+ 9223372036854775807 1)", Code::ND6026, "(+ 9223372036854775807 1)"},
    {"(quotient 1 0)", Code::ND6026, "(quotient 1 0)"},
};

INSTANTIATE_TEST_SUITE_P(All, Refusals, testing::ValuesIn(kRefusals));

TEST(Version, IsWantedBeforeTheFirstRule) {
  const Reading late = read_text("(allow file-read*)(version 1)");
  ASSERT_NE(late.error(), nullptr);
  EXPECT_EQ(late.error()->code, Code::ND6005);
  EXPECT_EQ(late.blamed(), "(allow file-read*)");
  EXPECT_FALSE(read_text("").rules);
  EXPECT_FALSE(read_text("(define a 1)").rules);
  EXPECT_TRUE(read_text("(define a 1)(version 1)(allow file-read*)").rules);
  EXPECT_TRUE(read_fragment("").rules);
}

TEST(Version, SeveralTextsAreOneProfile) {
  EXPECT_TRUE(
      read_texts({"(version 1)(define (f) (literal \"/a\"))", "(allow file-read* (f))"}).rules);
}

TEST(Releases, LackOperations) {
  ReadOptions options;
  options.release = Release::macos13;
  const Reading reading = read_fragment("(allow mach-bootstrap)", options);
  ASSERT_NE(reading.error(), nullptr);
  EXPECT_EQ(reading.error()->code, Code::ND6007);
  EXPECT_EQ(reading.blamed(), "mach-bootstrap");
}

TEST(Refusals, RawNulEndsAProfile) {
  const std::string text("(allow file-read* (literal \"/a\0b\"))", 35);
  const Reading reading = read_fragment(text);
  ASSERT_NE(reading.error(), nullptr);
  EXPECT_EQ(reading.error()->code, Code::ND6025);
}

TEST(Refusals, SuggestNames) {
  const Reading reading = read_fragment("(allow file-raed*)");
  ASSERT_NE(reading.error(), nullptr);
  ASSERT_FALSE(reading.error()->helps.empty());
  EXPECT_EQ(reading.error()->helps[0], "did you mean `file-read*`?");
}

}  // namespace
}  // namespace nd7::seatbelt::read::test
