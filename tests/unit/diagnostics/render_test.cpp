#include "compiler/diagnostics/render.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace nd7 {
namespace {

std::string shown(const Diagnostics& d, const SourceMap& sources, Format format,
                  std::size_t limit = 50, bool color = false) {
  return render(d, sources, {format, color, 100, limit});
}

TEST(Render, FormatNames) {
  EXPECT_EQ(parse_format("human"), Format::human);
  EXPECT_EQ(parse_format("plain"), Format::plain);
  EXPECT_EQ(parse_format("compact"), Format::compact);
  EXPECT_EQ(parse_format("json"), Format::json);
  EXPECT_EQ(parse_format("Human"), std::nullopt);
  EXPECT_EQ(parse_format(""), std::nullopt);
}

TEST(Render, NothingIsNothing) {
  for (const Format f : {Format::human, Format::plain, Format::compact}) {
    EXPECT_EQ(shown({}, {}, f), "");
  }
}

TEST(Render, ErrorsComeBeforeWarningsWhenTheLimitIsShort) {
  SourceMap sources;
  const FileId f = sources.add("a", "", "abcdef");
  Diagnostics d;
  for (std::uint32_t i = 0; i < 5; ++i) d.add(Code::ND2016, Span{f, i, i + 1}, "unused");
  d.add(Code::ND1002, Span{f, 5, 6}, "bad");
  EXPECT_EQ(shown(d, sources, Format::compact, 2),
            "a:1:1: warning[ND2016]: unused\n"
            "a:1:6: error[ND1002]: bad\n"
            "and 4 more\n");
  EXPECT_EQ(shown(d, sources, Format::compact, 0), "and 6 more\n");
}

TEST(Render, ColorOnlyAddsSequences) {
  SourceMap sources;
  const FileId f = sources.add("a", "", "abc\ndef\nghi\n");
  Diagnostics d;
  Diagnostic& one = d.add(Code::ND1002, Span{f, 1, 9}, "bad");
  one.labels.push_back({Span{f, 4, 5}, "this"});
  one.notes = {"n"};
  one.fixits.push_back({Span{f, 4, 5}, "D", ""});
  const std::string plain_text = shown(d, sources, Format::human);
  std::string stripped;
  const std::string colored = shown(d, sources, Format::human, 50, true);
  for (std::size_t i = 0; i < colored.size(); ++i) {
    if (colored[i] == '\x1b') {
      i = colored.find('m', i);
    } else {
      stripped += colored[i];
    }
  }
  EXPECT_NE(colored, plain_text);
  EXPECT_EQ(stripped, plain_text);
  EXPECT_EQ(plain_text.find('\x1b'), std::string::npos);
}

TEST(Render, SpansOutsideTheTextAreBroughtInside) {
  SourceMap sources;
  const FileId f = sources.add("a", "", "abc");
  Diagnostics d;
  d.add(Code::ND1002, Span{f, 100, 200}, "past the end");
  d.add(Code::ND1002, Span{f, 2, 1}, "backwards");
  d.add(Code::ND1002, Span{FileId{7}, 0, 1}, "no such file");
  EXPECT_EQ(shown(d, sources, Format::compact),
            "a:1:3: error[ND1002]: backwards\n"
            "a:1:4: error[ND1002]: past the end\n"
            "error[ND1002]: no such file\n");
  EXPECT_NE(shown(d, sources, Format::human), "");
}

TEST(Render, ManyLabelsAndLongTextsAreBounded) {
  SourceMap sources;
  const FileId f = sources.add("a", "", std::string(100, '\n'));
  Diagnostics d;
  Diagnostic& one = d.add(Code::ND1002, Span{f, 0, 1}, std::string(100000, 'x'));
  for (std::uint32_t i = 1; i < 100; ++i) one.labels.push_back({Span{f, i, i}, "here"});
  one.notes.push_back(std::string(1000, '\n') + "end");
  for (const Format format : {Format::human, Format::plain}) {
    const std::string text = shown(d, sources, format);
    EXPECT_NE(text.find("and 84 more places"), std::string::npos);
    EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 120);
    EXPECT_LT(text.size(), 6000U);
  }
}

TEST(Render, AFixThatRemovesALineShowsOnlyItsTitle) {
  SourceMap sources;
  const FileId f = sources.add("a", "", "one\ntwo\n");
  Diagnostics d;
  d.add(Code::ND1002, Span{f, 0, 3}, "bad").fixits.push_back({Span{f, 0, 4}, "", ""});
  EXPECT_EQ(shown(d, sources, Format::human),
            "error[ND1002]: bad\n"
            " --> a:1:1\n"
            "  |\n"
            "1 | one\n"
            "  | ^^^\n"
            "  = help: remove this\n"
            "  = see: nd7c help ND1002\n");
}

TEST(Render, AFixThatAddsALineShowsTheNewLine) {
  SourceMap sources;
  const FileId f = sources.add("a", "", "name = 1\n");
  Diagnostics d;
  d.add(Code::ND1002, Span{f, 0, 4}, "bad")
      .fixits.push_back({Span{f, 0, 0}, "nd7 = 1\n", "add it"});
  EXPECT_EQ(shown(d, sources, Format::human),
            "error[ND1002]: bad\n"
            " --> a:1:1\n"
            "  |\n"
            "1 | name = 1\n"
            "  | ^^^^\n"
            "  = help: add it\n"
            "  |\n"
            "1 | nd7 = 1\n"
            "  | ~~~~~~~\n"
            "  = see: nd7c help ND1002\n");
}

}  // namespace
}  // namespace nd7
