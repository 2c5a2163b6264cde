#include "compiler/source/source_map.hpp"

#include <algorithm>
#include <utility>

#include "compiler/source/utf8.hpp"

namespace nd7 {

SourceFile::SourceFile(std::string name, std::string path, std::string text)
    : name_(std::move(name)), path_(std::move(path)), text_(std::move(text)) {
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

std::uint32_t SourceFile::line_of(std::uint32_t byte) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), byte);
  return static_cast<std::uint32_t>(after - line_starts_.begin());
}

std::uint32_t SourceFile::line_begin(std::uint32_t line) const { return line_starts_[line - 1]; }

Position SourceFile::position(std::uint32_t byte) const {
  const std::uint32_t line = line_of(byte);
  const std::size_t begin = line_starts_[line - 1];
  const std::size_t end = std::min<std::size_t>(byte, text_.size());
  std::uint32_t column = 1;
  std::size_t at = begin;
  if (line == 1 && text_.starts_with("\xEF\xBB\xBF")) at = 3;  // no editor counts the mark
  for (; at < end; ++column) {
    const bool ascii = static_cast<unsigned char>(text_[at]) < 0x80U;
    at += ascii ? 1 : decode_utf8(text_, at).length;
  }
  return {line, column};
}

std::string_view SourceFile::line_text(std::uint32_t line) const {
  const std::size_t begin = line_starts_[line - 1];
  std::size_t end = line < line_starts_.size() ? line_starts_[line] : text_.size();
  if (end > begin && text_[end - 1] == '\n') --end;
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view{text_}.substr(begin, end - begin);
}

FileId SourceMap::add(std::string name, std::string path, std::string text) {
  files_.emplace_back(std::move(name), std::move(path), std::move(text));
  return FileId{static_cast<std::uint32_t>(files_.size() - 1)};
}

std::string_view SourceMap::text(const Span& span) const {
  return std::string_view{file(span.file).text()}.substr(span.begin, span.size());
}

}  // namespace nd7
