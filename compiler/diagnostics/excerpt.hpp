// One source line as display columns: what is printed, and where a byte ends up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nd7 {

/// Display columns [from, to) of a line.
struct Columns {
  std::size_t from = 0;
  std::size_t to = 0;
};

inline constexpr std::size_t kMaxExcerptBytes = 8192;

class Excerpt {
 public:
  /// `line` must outlive this. A byte order mark (`first_line`) takes no column and is not shown.
  /// Of a line over kMaxExcerptBytes only the part around byte `near` is laid out, so that the work
  /// for a place does not grow with the line; columns then count from the start of that part.
  Excerpt(std::string_view line, bool first_line, std::size_t near);

  [[nodiscard]] std::size_t columns() const { return columns_; }
  /// Column of a byte offset; past the end of the line: columns().
  [[nodiscard]] std::size_t column_of(std::size_t byte) const;
  /// The columns of bytes [begin, end), at least one wide.
  [[nodiscard]] Columns columns_of(std::size_t begin, std::size_t end) const;

  /// The part to show when only `width` columns may be used, placed so that `focus` is seen.
  [[nodiscard]] Columns clip(Columns focus, std::size_t width) const;
  /// The text of a part, with `...` where something is left out.
  [[nodiscard]] std::string text(Columns part) const;
  /// Where a column is printed in text(part); columns left out go to the nearest edge.
  [[nodiscard]] std::size_t place(std::size_t column, Columns part) const;

 private:
  struct Cell {
    std::uint32_t byte;
    std::uint32_t column;
  };
  /// What a cell prints; sets its width.
  [[nodiscard]] std::string shown(std::size_t index) const;

  std::string_view line_;
  std::vector<Cell> cells_;  // by byte; a combining character has its base's end as column
  std::size_t columns_ = 0;
  bool cut_left_ = false;
  bool cut_right_ = false;
  std::size_t end_ = 0;  // byte after the last one laid out
};

}  // namespace nd7
