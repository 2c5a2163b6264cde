#include <gtest/gtest.h>

#include <string>

#include "compiler/diagnostics/render.hpp"
#include "compiler/source/utf8.hpp"
#include "tests/support/json.hpp"

namespace nd7 {
namespace {

TEST(Utf8, DecodesEachLengthAtItsEdges) {
  const auto whole = [](std::string_view text, char32_t expected) {
    const Utf8Unit unit = decode_utf8(text, 0);
    return unit.valid && unit.code_point == expected && unit.length == text.size();
  };
  EXPECT_TRUE(whole("\x7f", 0x7F));
  EXPECT_TRUE(whole("\xC2\x80", 0x80));
  EXPECT_TRUE(whole("\xDF\xBF", 0x7FF));
  EXPECT_TRUE(whole("\xE0\xA0\x80", 0x800));
  EXPECT_TRUE(whole("\xED\x9F\xBF", 0xD7FF));
  EXPECT_TRUE(whole("\xEF\xBF\xBF", 0xFFFF));
  EXPECT_TRUE(whole("\xF0\x90\x80\x80", 0x10000));
  EXPECT_TRUE(whole("\xF4\x8F\xBF\xBF", 0x10FFFF));
}

TEST(Utf8, RefusesOverlongSurrogateTooLargeAndCut) {
  for (const std::string_view bad :
       {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5", "\xFF", "\xE2\x82", "\xE2\x28\xA1"}) {
    const Utf8Unit unit = decode_utf8(bad, 0);
    EXPECT_FALSE(unit.valid);
    EXPECT_EQ(unit.length, 1U);
  }
}

TEST(Printable, KeepsOrdinaryText) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("a \\ b"), "a \\ b");
  EXPECT_EQ(printable("größe 日本 e\xCC\x81 🙂"), "größe 日本 e\xCC\x81 🙂");
}

TEST(Printable, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(printable("\x1b[2J"), "\\x1b[2J");
  EXPECT_EQ(printable("a\nb\tc\r"), "a\\nb\\tc\\r");
  EXPECT_EQ(printable(std::string_view{"\0", 1}), "\\x00");
  EXPECT_EQ(printable("\x7f"), "\\x7f");
  EXPECT_EQ(printable("\xC2\x9B"), "\\u{9b}");        // C1 control: CSI in one character
  EXPECT_EQ(printable("\xE2\x80\xAE"), "\\u{202e}");  // right-to-left override
  EXPECT_EQ(printable("\xE2\x81\xA6"), "\\u{2066}");  // left-to-right isolate
  EXPECT_EQ(printable("a\xE2\x80\x8B"
                      "b"),
            "a\\u{200b}b");                                // zero-width space
  EXPECT_EQ(printable("\xF3\xA0\x81\xA1"), "\\u{e0061}");  // tag character
  EXPECT_EQ(printable("\xff\xC3"), "\\xff\\xc3");
}

TEST(JsonString, EscapesAndKeepsTheValue) {
  EXPECT_EQ(json_string("a\"b\\c/"), "\"a\\\"b\\\\c/\"");
  EXPECT_EQ(json_string("\n\t\x1b\x7f"), "\"\\n\\t\\u001b\\u007f\"");
  EXPECT_EQ(json_string("\xE2\x80\xAE"), "\"\\u202e\"");
  EXPECT_EQ(json_string("\xF3\xA0\x81\xA1"), "\"\\udb40\\udc61\"");
  EXPECT_EQ(json_string("\xff"), "\"\\ufffd\"");
  EXPECT_EQ(json_string("日本"), "\"日本\"");

  const std::string hard = "\x01\"\\ \xE2\x80\xAE \xF3\xA0\x81\xA1 é";
  const auto parsed = test::JsonReader::parse(json_string(hard));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->text, hard);
}

TEST(JsonReader, IsStrict) {
  using test::JsonReader;
  for (const std::string_view good :
       {"{}", " [1, -0.5e+3, \"\\ud83d\\ude00\", true, false, null] ", "{\"a\":{\"b\":[]}}", "0"}) {
    EXPECT_TRUE(JsonReader::parse(good)) << good;
  }
  for (const std::string_view bad :
       {"", "{", "[1,]", "{\"a\":1,}", "01", "1.", ".5", "+1", "\"\\x\"", "\"\\ud800\"", "\"a\nb\"",
        "'a'", "{a:1}", "nul", "1 2", "{\"a\":1,\"a\":2}", "\"\xff\"", "[1]]"}) {
    EXPECT_FALSE(JsonReader::parse(bad)) << bad;
  }
  EXPECT_FALSE(JsonReader::parse(std::string(1000, '[') + std::string(1000, ']')));
}

}  // namespace
}  // namespace nd7
