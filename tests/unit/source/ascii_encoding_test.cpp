#include "compiler/source/ascii_encoding.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

namespace nd7 {
namespace {

std::string encode(std::string_view text) { return AsciiText(text).text(); }

TEST(AsciiText, LeavesAsciiAlone) {
  EXPECT_EQ(encode("a = \"b\\n\\u0041\\\\\" # c\r\n"), "a = \"b\\n\\u0041\\\\\" # c\r\n");
  EXPECT_EQ(encode(""), "");
}

TEST(AsciiText, EncodesBytesAndPercents) {
  EXPECT_EQ(encode("é='5%'#€"), "%C3%A9='5%25'#%E2%82%AC");
  EXPECT_EQ(encode("\xEF\xBB\xBFx\xFF"), "x%FF");
}

TEST(AsciiText, EncodesEscapesOfBasicStringsAsTheirCharacters) {
  EXPECT_EQ(encode(R"(a="\u00e9\U0001F600")"), R"(a="%C3%A9%F0%9F%98%80")");
  EXPECT_EQ(encode(R"(a="""\u00E9""")"), R"(a="""%C3%A9""")");
  EXPECT_EQ(encode(R"(a="\u002541")"), R"(a="%2541")");
  EXPECT_EQ(encode(R"(a="\U00000025")"), R"(a="%25")");
}

TEST(AsciiText, LeavesWhatIsNoEscape) {
  EXPECT_EQ(encode(R"(a='\u00e9' # \u00e9)"), R"(a='\u00e9' # \u00e9)");
  EXPECT_EQ(encode(R"(a="\\u00e9")"), R"(a="\\u00e9")");
  EXPECT_EQ(encode(R"(a="\ud800\uDFFF\U00110000\u00e")"), R"(a="\ud800\uDFFF\U00110000\u00e")");
  EXPECT_EQ(encode("a=\"\\"), "a=\"\\");
  EXPECT_EQ(encode("a=\"\\u00e9"), "a=\"%C3%A9");
}

TEST(AsciiText, MapsBytesBack) {
  const AsciiText ascii(
      "\xEF\xBB\xBF"
      R"(é="\u00e9%x")");  // %C3%A9="%C3%A9%25x"
  EXPECT_EQ(ascii.original(0), 3U);
  EXPECT_EQ(ascii.original(3), 4U);
  EXPECT_EQ(ascii.original(6), 5U);
  EXPECT_EQ(ascii.original(8), 7U);    // the escape
  EXPECT_EQ(ascii.original(11), 7U);   // inside what it became
  EXPECT_EQ(ascii.original(14), 13U);  // the percent
  EXPECT_EQ(ascii.original(17), 14U);
  EXPECT_EQ(ascii.original(18), 15U);
  EXPECT_EQ(ascii.original(19), 16U);
  EXPECT_EQ(ascii.original(1000), 16U);
}

TEST(AsciiText, MapsLinesAndColumnsBack) {
  const AsciiText ascii("é\n€x\r\ny");
  EXPECT_EQ(ascii.original(1, 1), 0U);
  EXPECT_EQ(ascii.original(1, 7), 2U);
  EXPECT_EQ(ascii.original(2, 10), 6U);
  EXPECT_EQ(ascii.original(3, 1), 9U);
  EXPECT_EQ(ascii.original(0, 0), 0U);
  EXPECT_EQ(ascii.original(9, 1), 10U);
}

TEST(DecodeAscii, UndoesPairsOfDigitsOnly) {
  EXPECT_EQ(decode_ascii("%C3%a9%25%"), "é%%");
  EXPECT_EQ(decode_ascii("%4"), "%4");
  EXPECT_EQ(decode_ascii("%zz%2541"), "%zz%41");
}

std::string any_bytes() {
  return *rc::gen::container<std::string>(
      rc::gen::oneOf(rc::gen::arbitrary<char>(), rc::gen::elementOf(std::string("\"'\\\n#%u25é"))));
}

RC_GTEST_PROP(AsciiText, IsAsciiAndKeepsLines, ()) {
  const std::string text = any_bytes();
  const std::string ascii = encode(text);
  RC_ASSERT(std::all_of(ascii.begin(), ascii.end(),
                        [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
  RC_ASSERT(std::count(ascii.begin(), ascii.end(), '\n') ==
            std::count(text.begin(), text.end(), '\n'));
}

RC_GTEST_PROP(AsciiText, GoesBackWhereNoEscapesAre, ()) {
  std::string text = any_bytes();
  text.erase(std::remove(text.begin(), text.end(), '\\'), text.end());
  RC_PRE(!text.starts_with("\xEF\xBB\xBF"));
  RC_ASSERT(decode_ascii(encode(text)) == text);
}

RC_GTEST_PROP(AsciiText, MapsEveryCopiedByteToItself, ()) {
  const std::string text = any_bytes();
  const AsciiText ascii(text);
  std::uint32_t before = 0;
  for (std::uint32_t i = 0; i < ascii.text().size(); ++i) {
    const std::uint32_t original = ascii.original(i);
    RC_ASSERT(original >= before);
    RC_ASSERT(original < text.size());
    if (ascii.text()[i] == '\n') RC_ASSERT(text[original] == '\n');
    if (ascii.text()[i] == '\'') RC_ASSERT(text[original] == '\'');
    before = original;
  }
  RC_ASSERT(ascii.original(static_cast<std::uint32_t>(ascii.text().size())) == text.size());
}

}  // namespace
}  // namespace nd7
