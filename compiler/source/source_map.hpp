// Source files by id, byte spans into them, and positions for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace nd7 {

/// Index of a file in its SourceMap.
struct FileId {
  std::uint32_t value = 0;
  friend bool operator==(FileId, FileId) = default;
  friend auto operator<=>(FileId, FileId) = default;
};

/// Bytes [begin, end) of a file's original text. Lines and columns are computed when shown.
struct Span {
  FileId file;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  friend bool operator==(const Span&, const Span&) = default;
  [[nodiscard]] std::uint32_t size() const { return end - begin; }
  [[nodiscard]] bool empty() const { return begin == end; }
};

/// 1-based line, 1-based column in code points (an invalid byte counts as one; a byte order mark at
/// the start of the file does not count).
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

/// One text and its line table. Text is at most 4 GiB; the gate's limit is far below.
class SourceFile {
 public:
  SourceFile(std::string name, std::string path, std::string text);

  /// As the user named it; for messages only.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Physical absolute path; empty for standard input, shipped sets and texts made in memory.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& text() const { return text_; }

  [[nodiscard]] Position position(std::uint32_t byte) const;
  /// 1-based line number of a byte; a byte past the end belongs to the last line.
  [[nodiscard]] std::uint32_t line_of(std::uint32_t byte) const;
  /// The line without its terminator (LF or CRLF).
  [[nodiscard]] std::string_view line_text(std::uint32_t line) const;
  /// Byte at which a 1-based line begins.
  [[nodiscard]] std::uint32_t line_begin(std::uint32_t line) const;
  [[nodiscard]] std::uint32_t line_count() const {
    return static_cast<std::uint32_t>(line_starts_.size());
  }

 private:
  std::string name_;
  std::string path_;
  std::string text_;
  std::vector<std::uint32_t> line_starts_;
};

/// Owns the texts; ids and references stay good for its life.
class SourceMap {
 public:
  FileId add(std::string name, std::string path, std::string text);
  [[nodiscard]] const SourceFile& file(FileId id) const { return files_[id.value]; }
  [[nodiscard]] std::size_t size() const { return files_.size(); }
  [[nodiscard]] std::string_view text(const Span& span) const;

 private:
  std::deque<SourceFile> files_;
};

}  // namespace nd7
