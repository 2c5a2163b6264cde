#include "compiler/source/source_map.hpp"

#include <gtest/gtest.h>

#include <string>

namespace nd7 {
namespace {

SourceFile file_of(std::string text) { return {"x.toml", "", std::move(text)}; }

std::string at(const SourceFile& file, std::uint32_t byte) {
  const Position p = file.position(byte);
  return std::to_string(p.line) + ":" + std::to_string(p.column);
}

TEST(SourceFile, AnEmptyFileHasOneLine) {
  const SourceFile file = file_of("");
  EXPECT_EQ(file.line_count(), 1U);
  EXPECT_EQ(at(file, 0), "1:1");
  EXPECT_EQ(file.line_text(1), "");
}

TEST(SourceFile, LinesEndWithLfOrCrLf) {
  const SourceFile file = file_of("ab\r\nc\n\nd");
  EXPECT_EQ(file.line_count(), 4U);
  EXPECT_EQ(file.line_text(1), "ab");
  EXPECT_EQ(file.line_text(2), "c");
  EXPECT_EQ(file.line_text(3), "");
  EXPECT_EQ(file.line_text(4), "d");
  EXPECT_EQ(at(file, 0), "1:1");
  EXPECT_EQ(at(file, 3), "1:4");  // the LF belongs to the line that it ends
  EXPECT_EQ(at(file, 4), "2:1");
  EXPECT_EQ(at(file, 7), "4:1");
  EXPECT_EQ(file.line_begin(4), 7U);
}

TEST(SourceFile, ColumnsCountCodePoints) {
  const SourceFile file = file_of("é\t€😀x");
  EXPECT_EQ(at(file, 2), "1:2");
  EXPECT_EQ(at(file, 3), "1:3");
  EXPECT_EQ(at(file, 6), "1:4");
  EXPECT_EQ(at(file, 10), "1:5");
}

TEST(SourceFile, AByteOrderMarkTakesNoColumn) {
  EXPECT_EQ(at(file_of("\xEF\xBB\xBFxy"), 3), "1:1");
  EXPECT_EQ(at(file_of("\xEF\xBB\xBFxy"), 4), "1:2");
}

TEST(SourceFile, ABytePastTheEndBelongsToTheLastLine) {
  const SourceFile file = file_of("a\nbc");
  EXPECT_EQ(at(file, 4), "2:3");
  EXPECT_EQ(at(file, 400), "2:3");
  EXPECT_EQ(at(file_of("a\n"), 2), "2:1");
}

TEST(SourceMap, KeepsTextsByIdWhileItGrows) {
  SourceMap sources;
  const FileId first = sources.add("a", "/a", "hello");
  const std::string& text = sources.file(first).text();
  for (int i = 0; i < 100; ++i) (void)sources.add("b", "", "other");
  EXPECT_EQ(&sources.file(first).text(), &text);
  EXPECT_EQ(sources.text({first, 1, 4}), "ell");
  EXPECT_EQ(sources.size(), 101U);
}

}  // namespace
}  // namespace nd7
