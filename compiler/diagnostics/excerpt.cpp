#include "compiler/diagnostics/excerpt.hpp"

#include <algorithm>
#include <iterator>

#include "compiler/diagnostics/visible.hpp"
#include "compiler/source/utf8.hpp"

namespace nd7 {
namespace {

constexpr std::size_t kTab = 4;
constexpr std::size_t kMaxStacked = 4;  // combining characters on one base; more are escaped
constexpr std::string_view kDots = "...";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::size_t kLeastWidth = 20;
constexpr std::size_t kLead = 8;  // columns kept before a focus that is itself too wide

bool is_tab(const Utf8Unit& unit) { return unit.valid && unit.code_point == U'\t'; }

}  // namespace

Excerpt::Excerpt(std::string_view line, bool first_line, std::size_t near) : line_(line) {
  std::size_t at = 0;
  std::size_t stop = line.size();
  if (line.size() > kMaxExcerptBytes) {
    near = std::min(near, line.size());
    at = near - std::min(near, kMaxExcerptBytes / 2);
    at = std::min(at, line.size() - kMaxExcerptBytes);
    stop = at + kMaxExcerptBytes;
    // Begin with a character, not within one.
    for (int i = 0; i < 3 && (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80U; ++i) ++at;
    cut_left_ = at > 0;
    cut_right_ = stop < line.size();
  }
  if (at == 0 && first_line && line.substr(0, 3) == "\xEF\xBB\xBF") at = 3;
  std::size_t stacked = kMaxStacked;  // a combining character needs a base on this line
  while (at < stop) {
    const Utf8Unit unit = decode_utf8(line, at);
    cells_.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(columns_)});
    std::size_t width = 1;
    if (is_tab(unit)) {
      width = kTab - columns_ % kTab;
    } else if (unit.valid && is_unsafe(unit.code_point)) {
      width = visible_escape(unit).size();
    } else if (unit.valid) {
      width = display_width(unit.code_point);
    }
    if (width == 0 && ++stacked > kMaxStacked) width = visible_escape(unit).size();
    if (width != 0) stacked = 0;
    columns_ += width;
    at += unit.length;
  }
  end_ = at;
}

std::size_t Excerpt::column_of(std::size_t byte) const {
  if (byte >= end_) return columns_;
  const auto after = std::upper_bound(cells_.begin(), cells_.end(), byte,
                                      [](std::size_t b, const Cell& c) { return b < c.byte; });
  return after == cells_.begin() ? 0 : std::prev(after)->column;
}

Columns Excerpt::columns_of(std::size_t begin, std::size_t end) const {
  const std::size_t from = column_of(begin);
  std::size_t to = columns_;
  // The end of the cell that holds the last byte, even if `end` cuts a character.
  const auto next = std::lower_bound(cells_.begin(), cells_.end(), end,
                                     [](const Cell& c, std::size_t b) { return c.byte < b; });
  if (next != cells_.end()) to = next->column;
  return {from, std::max(to, from + 1)};
}

Columns Excerpt::clip(Columns focus, std::size_t width) const {
  width = std::max(width, kLeastWidth);
  if (columns_ <= width) return {0, columns_};
  const std::size_t body = width - 2 * kDots.size();
  const std::size_t size = focus.to - focus.from;
  const std::size_t lead = size <= body ? (body - size) / 2 : kLead;
  std::size_t from = focus.from > lead ? focus.from - lead : 0;
  if (from <= kDots.size()) return {0, body + kDots.size()};
  if (from + body + kDots.size() >= columns_) return {columns_ - body - kDots.size(), columns_};
  return {from, from + body};
}

std::string Excerpt::shown(std::size_t index) const {
  const Cell& cell = cells_[index];
  const std::size_t end = index + 1 < cells_.size() ? cells_[index + 1].column : columns_;
  const std::size_t width = end - cell.column;
  const Utf8Unit unit = decode_utf8(line_, cell.byte);
  if (!unit.valid) return std::string{kReplacement};
  if (is_tab(unit)) return std::string(width, ' ');
  const bool crowded = width != 0 && display_width(unit.code_point) == 0;
  if (is_unsafe(unit.code_point) || crowded) return visible_escape(unit);
  return std::string{line_.substr(cell.byte, unit.length)};
}

std::string Excerpt::text(Columns part) const {
  std::string out;
  if (part.from > 0 || cut_left_) out += kDots;
  auto it = std::lower_bound(cells_.begin(), cells_.end(), part.from,
                             [](const Cell& c, std::size_t column) { return c.column < column; });
  std::size_t column = it == cells_.end() ? part.to : std::min<std::size_t>(it->column, part.to);
  out.append(column - std::min(column, part.from), ' ');  // a cell cut by the left edge
  bool based = part.from == 0;
  for (; it != cells_.end() && column < part.to; ++it) {
    const auto index = static_cast<std::size_t>(it - cells_.begin());
    const std::size_t end = index + 1 < cells_.size() ? cells_[index + 1].column : columns_;
    if (end > part.to) {
      out.append(part.to - column, ' ');
      break;
    }
    // Combining characters whose base is left out would land on the dots.
    if (end == column && !based) continue;
    based = true;
    out += shown(index);
    column = end;
  }
  // Combining characters of the last base.
  for (; it != cells_.end() && it->column == part.to && column == part.to; ++it) {
    const auto index = static_cast<std::size_t>(it - cells_.begin());
    const std::size_t end = index + 1 < cells_.size() ? cells_[index + 1].column : columns_;
    if (end != part.to) break;
    out += shown(index);
  }
  if (part.to < columns_ || cut_right_) out += kDots;
  return out;
}

std::size_t Excerpt::place(std::size_t column, Columns part) const {
  const std::size_t before = part.from > 0 || cut_left_ ? kDots.size() : 0;
  if (column < part.from) return 0;
  return before + std::min(column, part.to) - part.from + (column > part.to ? 1 : 0);
}

}  // namespace nd7
