#include "compiler/diagnostics/excerpt.hpp"

#include <gtest/gtest.h>

#include <string>

namespace nd7 {
namespace {

std::string whole(const Excerpt& e) { return e.text({0, e.columns()}); }

TEST(Excerpt, TabsGoToTheNextMultipleOfFour) {
  const Excerpt e{"\ta\tbcd\te", false, 0};
  EXPECT_EQ(whole(e), "    a   bcd e");
  EXPECT_EQ(e.column_of(1), 4U);
  EXPECT_EQ(e.column_of(7), 12U);
  EXPECT_EQ(e.column_of(99), e.columns());
}

TEST(Excerpt, WideCombiningAndInvalid) {
  const Excerpt e{"日e\xCC\x81\xFFx", false, 0};
  EXPECT_EQ(e.columns(), 5U);
  EXPECT_EQ(e.column_of(3), 2U);  // e
  EXPECT_EQ(e.column_of(6), 3U);  // invalid byte
  EXPECT_EQ(e.column_of(7), 4U);  // x
  EXPECT_EQ(whole(e), "日e\xCC\x81\xEF\xBF\xBDx");
}

TEST(Excerpt, ByteOrderMarkOnlyAtTheStartOfTheFile) {
  EXPECT_EQ(whole(Excerpt{"\xEF\xBB\xBFx", true, 0}), "x");
  EXPECT_EQ(whole(Excerpt{"\xEF\xBB\xBFx", false, 0}), "\\u{feff}x");
}

TEST(Excerpt, ManyCombiningCharactersAreSpelledOut) {
  std::string text = "a";
  for (int i = 0; i < 6; ++i) text += "\xCC\x81";
  const std::string shown = whole(Excerpt{text, false, 0});
  EXPECT_EQ(shown, "a\xCC\x81\xCC\x81\xCC\x81\xCC\x81\\u{301}\xCC\x81");
  EXPECT_EQ(whole(Excerpt{"\xCC\x81", false, 0}), "\\u{301}");  // would land on the gutter
}

TEST(Excerpt, ColumnsOfAreAtLeastOneAndCoverCutCharacters) {
  const Excerpt e{"日本", false, 0};
  EXPECT_EQ(e.columns_of(0, 1).to, 2U);
  EXPECT_EQ(e.columns_of(3, 3).to, 3U);
  EXPECT_EQ(e.columns_of(6, 6).from, 4U);
  EXPECT_EQ(e.columns_of(6, 6).to, 5U);
}

TEST(Excerpt, ClipsAroundTheFocus) {
  std::string line(200, 'a');
  line += "FOCUS";
  line += std::string(200, 'b');
  const Excerpt e{line, false, 0};
  const Columns part = e.clip({200, 205}, 41);
  EXPECT_EQ(e.text(part), "..." + std::string(15, 'a') + "FOCUS" + std::string(15, 'b') + "...");
  EXPECT_EQ(e.place(200, part), 18U);
  EXPECT_EQ(e.place(0, part), 0U);

  EXPECT_EQ(e.text(e.clip({0, 1}, 20)), std::string(17, 'a') + "...");
  EXPECT_EQ(e.text(e.clip({404, 405}, 20)), "..." + std::string(17, 'b'));
  EXPECT_EQ(e.text(e.clip({405, 406}, 20)), "..." + std::string(17, 'b'));
}

TEST(Excerpt, ACutWideCharacterLeavesABlank) {
  std::string line;
  for (int i = 0; i < 40; ++i) line += "日";
  const Excerpt e{line, false, 0};
  EXPECT_EQ(e.text({1, 5}), "... 日 ...");
}

TEST(Excerpt, OfAVeryLongLineOnlyThePartAroundAPlaceIsLaidOut) {
  std::string line(1U << 20U, 'a');
  line.replace(500000, 5, "FOCUS");
  const Excerpt e{line, true, 500000};
  EXPECT_EQ(e.columns(), kMaxExcerptBytes);
  const Columns focus = e.columns_of(500000, 500005);
  EXPECT_EQ(e.text(e.clip(focus, 21)), "...aaaaaFOCUSaaaaa...");
  EXPECT_EQ(e.column_of(0), 0U);
  EXPECT_EQ(e.column_of(1000000), e.columns());

  const std::string wide = "a" + std::string(3, ' ') + [] {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += "日";
    return text;
  }();
  const Excerpt cut{wide, false, 9000};
  EXPECT_EQ(cut.text({0, 4}).substr(0, 9), "...日日");
}

TEST(Excerpt, EmptyLine) {
  const Excerpt e{"", true, 0};
  EXPECT_EQ(whole(e), "");
  EXPECT_EQ(e.columns_of(0, 0).to, 1U);
}

}  // namespace
}  // namespace nd7
