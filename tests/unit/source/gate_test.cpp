#include "compiler/source/gate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/toml_string.hpp"

namespace nd7 {
namespace {

using namespace std::string_literals;

/// One line for each diagnostic: code, bytes, message.
std::vector<std::string> list(const Diagnostics& diagnostics) {
  std::vector<std::string> result;
  for (const Diagnostic& d : diagnostics.all()) {
    EXPECT_FALSE(d.helps.empty()) << d.message;
    result.push_back(
        fmt::format("{} {}-{} {}", info(d.code).name, d.primary->begin, d.primary->end, d.message));
  }
  return result;
}

using Lines = std::vector<std::string>;

Lines gate(const std::string& text, std::size_t max_bytes = kMaxSourceBytes) {
  SourceMap sources;
  Diagnostics diagnostics;
  const bool passed = gate_text(sources, sources.add("x", "", text), diagnostics, max_bytes);
  EXPECT_EQ(passed, diagnostics.all().empty());
  return list(diagnostics);
}

Lines limits(const std::string& text) {
  SourceMap sources;
  Diagnostics diagnostics;
  const bool passed = gate_toml(sources, sources.add("x", "", text), diagnostics);
  EXPECT_EQ(passed, diagnostics.all().empty());
  return list(diagnostics);
}

std::string repeat(std::string_view part, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += part;
  return result;
}

TEST(GateText, PassesOrdinaryText) {
  EXPECT_EQ(gate(""), Lines{});
  EXPECT_EQ(gate("\xEF\xBB\xBF# ä\r\na\t= '€ 😀'\n\n"), Lines{});
  EXPECT_EQ(gate("\xEF\xBB\xBF"), Lines{});
  EXPECT_EQ(gate("\u00A0 \uFEFF \u200D \U0010FFFF \uFFFE"), Lines{});
}

TEST(GateText, RefusesBytesThatAreNotUtf8) {
  EXPECT_EQ(gate("a\xFF"), Lines{"ND1001 1-2 byte 0xff is not UTF-8"});
  EXPECT_EQ(gate("\x80"), Lines{"ND1001 0-1 byte 0x80 continues a character that was not begun"});
  EXPECT_EQ(gate("a\xC3"),
            Lines{"ND1001 1-2 byte 0xc3 begins a character of 2 bytes that is cut off"});
  EXPECT_EQ(gate("\xE2\x82z"),
            Lines{"ND1001 0-2 byte 0xe2 begins a character of 3 bytes that is cut off"});
}

TEST(GateText, RefusesOverlongForms) {
  EXPECT_EQ(gate("\xC0\xAF"), Lines{"ND1001 0-2 bytes 0xc0 0xaf are an overlong form of U+002F"});
  EXPECT_EQ(gate("\xE0\x80\x80"),
            Lines{"ND1001 0-3 bytes 0xe0 0x80 0x80 are an overlong form of U+0000"});
  EXPECT_EQ(gate("\xF0\x82\x82\xAC"),
            Lines{"ND1001 0-4 bytes 0xf0 0x82 0x82 0xac are an overlong form of U+20AC"});
}

TEST(GateText, RefusesSurrogatesAndValuesBeyondUnicode) {
  EXPECT_EQ(
      gate("\xED\xA0\x80"),
      Lines{"ND1001 0-3 bytes 0xed 0xa0 0x80 are the surrogate U+D800, which is no character"});
  EXPECT_EQ(gate("\xF4\x90\x80\x80"),
            Lines{"ND1001 0-4 bytes 0xf4 0x90 0x80 0x80 go beyond U+10FFFF"});
  EXPECT_EQ(gate("\xF7\xBF\xBF\xBF"),
            Lines{"ND1001 0-4 bytes 0xf7 0xbf 0xbf 0xbf go beyond U+10FFFF"});
}

TEST(GateText, SaysOnceThatAFileIsUtf16) {
  EXPECT_EQ(gate("\xFF\xFE"s + "a\0b\0"s),
            Lines{"ND1001 0-2 the file begins with a UTF-16 byte order mark"});
}

TEST(GateText, RefusesControlCharacters) {
  EXPECT_EQ(gate("a\0b"s), Lines{"ND1002 1-2 control character U+0000 NUL"});
  EXPECT_EQ(gate("\x1b[m"), Lines{"ND1002 0-1 control character U+001B escape"});
  EXPECT_EQ(gate("\x7f"), Lines{"ND1002 0-1 control character U+007F delete"});
  EXPECT_EQ(gate("\u0085"), Lines{"ND1002 0-2 control character U+0085 C1 control"});
  EXPECT_EQ(gate("\v\f").size(), 2U);
}

TEST(GateText, PassesACarriageReturnOnlyBeforeALineFeed) {
  EXPECT_EQ(gate("a\r\n\r\n"), Lines{});
  EXPECT_EQ(gate("a\rb"), Lines{"ND1002 1-2 a carriage return without a line feed"});
  EXPECT_EQ(gate("a\r\r\n"), Lines{"ND1002 1-2 a carriage return without a line feed"});
  EXPECT_EQ(gate("a\r"), Lines{"ND1002 1-2 a carriage return without a line feed"});
}

TEST(GateText, RefusesBidirectionalControls) {
  EXPECT_EQ(gate("# \u202E"),
            Lines{"ND1003 2-5 bidirectional control U+202E right-to-left override"});
  for (const char* c : {"\u061C", "\u200E", "\u200F", "\u202A", "\u202B", "\u202C", "\u202D",
                        "\u202E", "\u2066", "\u2067", "\u2068", "\u2069"}) {
    EXPECT_EQ(gate(c).size(), 1U) << c;
  }
  EXPECT_EQ(gate("\u2010\u2029\u202F\u2065\u206A"), Lines{});
}

TEST(GateText, HasALimitOfBytes) {
  EXPECT_EQ(gate(std::string(kMaxSourceBytes, ' ')), Lines{});
  EXPECT_EQ(gate(std::string(kMaxSourceBytes + 1, '\0')),
            Lines{"ND1004 0-0 the file has 1048577 bytes; the limit is 1048576"});
  EXPECT_EQ(gate("abc", 2), Lines{"ND1004 0-0 the file has 3 bytes; the limit is 2"});
}

TEST(GateText, StopsAfterSomeErrors) {
  EXPECT_EQ(gate(std::string(1000, '\x01')).size(), kMaxGateErrors);
}

bool refused(std::uint32_t c) {
  if (c == '\t' || c == '\n') return false;
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x61C || c == 0x200E || c == 0x200F ||
         (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

RC_GTEST_PROP(GateText, RefusesExactlyTheListedCodePoints, ()) {
  const auto range = [](std::uint32_t from, std::uint32_t to) {
    return rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint32_t>(from, to));
  };
  const auto points = *rc::gen::container<std::vector<std::uint32_t>>(
      rc::gen::weightedOneOf<std::uint32_t>({{20, range(0x20, 0x7F)},
                                             {1, range(0, 0xA0)},
                                             {1, range(0x600, 0x630)},
                                             {1, range(0x2000, 0x2080)},
                                             {10, range(0xA0, 0x600)},
                                             {5, range(0xE000, 0x110000)}}));
  std::string text;
  std::size_t bad = 0;
  for (const std::uint32_t c : points) {
    test::append_utf8(text, c);
    if (refused(c)) ++bad;
  }
  RC_CLASSIFY(bad > 0);
  // A carriage return happens to stand before a line feed too rarely to matter here.
  RC_PRE(text.find("\r\n") == std::string::npos);
  RC_ASSERT(gate(text).size() == std::min(bad, kMaxGateErrors));
}

TEST(GateToml, HasALimitOfNesting) {
  EXPECT_EQ(limits("a = " + repeat("[", 64) + repeat("]", 64)), Lines{});
  EXPECT_EQ(limits("a = " + repeat("[", 65) + repeat("]", 65)),
            Lines{"ND1005 68-69 nesting 65 deep; the limit is 64"});
  EXPECT_EQ(limits(repeat("{a=[", 33)), Lines{"ND1005 128-129 nesting 65 deep; the limit is 64"});
}

TEST(GateToml, CountsTheTablesThatDottedKeysMake) {
  EXPECT_EQ(limits(repeat("a.a={", 32) + "a=1" + repeat("}", 32)), Lines{});
  EXPECT_EQ(limits(repeat("a.a={", 33)), Lines{"ND1005 164-165 nesting 66 deep; the limit is 64"});
  EXPECT_EQ(limits("x = [" + repeat("{a.b.c = [1.5]}, ", 100) + "]"), Lines{});
}

TEST(GateToml, CountsNoBracketsInStringsAndComments) {
  const std::string many = repeat("[{", 100);
  EXPECT_EQ(limits("a = '" + many + "' # " + many), Lines{});
  EXPECT_EQ(limits("a = \"\\\"" + many + "\""), Lines{});
  EXPECT_EQ(limits("a = '''\n'" + many + "''\n" + many + "'''''"), Lines{});
  EXPECT_EQ(limits("a = \"\"\"\\\"\"\"" + many + "\"\"\""), Lines{});
  EXPECT_EQ(limits("# " + many + "\r\n'" + many + "' = 1"), Lines{});
}

TEST(GateToml, EndsAStringThatIsNotClosedWithItsLine) {
  EXPECT_EQ(limits("a = '\nb = " + repeat("[", 65)).size(), 1U);
  EXPECT_EQ(limits("a = \"\\\nb = " + repeat("[", 65)).size(), 1U);
}

TEST(GateToml, EndsAHeaderWithItsLine) {
  EXPECT_EQ(limits(repeat("[a\n", 100)), Lines{});
  EXPECT_EQ(limits(repeat("[[a]\n", 100)), Lines{});
}

TEST(GateToml, HasALimitOfKeySegments) {
  EXPECT_EQ(limits("a" + repeat(".a", 31) + " = 1"), Lines{});
  EXPECT_EQ(limits("a" + repeat(".a", 32) + " = 1"),
            Lines{"ND1006 0-65 a key of 33 segments; the limit is 32"});
  EXPECT_EQ(limits("x = {\n a" + repeat(" . 'b'", 40) + "=1}"),
            Lines{"ND1006 7-248 a key of 41 segments; the limit is 32"});
  EXPECT_EQ(limits("[" + repeat("\"a.b\".", 32) + "c]"),
            Lines{"ND1006 1-194 a key of 33 segments; the limit is 32"});
  EXPECT_EQ(limits(repeat(".", 40)).size(), 1U);
}

TEST(GateToml, CountsNoDotsInStringsCommentsAndLists) {
  const std::string dots = repeat("a.", 100);
  EXPECT_EQ(limits("'" + dots + "' = \"" + dots + "\" # " + dots), Lines{});
  EXPECT_EQ(limits("a = [" + repeat("1.5, ", 100) + "]"), Lines{});
}

}  // namespace
}  // namespace nd7
