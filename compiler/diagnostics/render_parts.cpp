#include "compiler/diagnostics/render_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nd7::render_parts {

std::optional<Place> place_of(const Span& span, const SourceMap& sources) {
  if (span.file.value >= sources.size()) return std::nullopt;
  const SourceFile& file = sources.file(span.file);
  const auto size = static_cast<std::uint32_t>(file.text().size());
  Place place{&file, std::min(span.begin, size), std::min(span.end, size), 1, 1};
  place.end = std::max(place.begin, place.end);
  place.first_line = file.line_of(place.begin);
  place.last_line = place.end == place.begin ? place.first_line : file.line_of(place.end - 1);
  return place;
}

std::string location(const Place& place) {
  const Position at = place.file->position(place.begin);
  return fmt::format("{}:{}:{}", one_line(place.file->name()), at.line, at.column);
}

Marks marks_of(const Diagnostic& diagnostic, const SourceMap& sources) {
  Marks result;
  std::size_t count = 0;
  const auto add = [&](const Span& span, std::string_view text, bool primary) {
    const std::optional<Place> place = place_of(span, sources);
    if (!place) return;
    if (++count > kMaxMarks) {
      ++result.left_out;
      return;
    }
    auto it = std::find_if(result.files.begin(), result.files.end(),
                           [&](const MarkedFile& f) { return f.file == place->file; });
    if (it == result.files.end()) it = result.files.insert(it, MarkedFile{place->file, {}});
    it->marks.push_back({*place, text, primary});
  };
  if (diagnostic.primary) add(*diagnostic.primary, diagnostic.primary_label, true);
  for (const Label& label : diagnostic.labels) add(label.span, label.text, false);
  return result;
}

std::optional<Replaced> replaced_lines(const FixIt& fixit, const SourceMap& sources) {
  const std::optional<Place> place = place_of(fixit.span, sources);
  if (!place) return std::nullopt;
  const SourceFile& file = *place->file;
  const std::size_t line_begin = file.line_begin(place->first_line);
  const std::string_view first = file.line_text(place->first_line);
  const std::string_view last = file.line_text(place->last_line);
  const std::size_t last_begin = file.line_begin(place->last_line);
  const std::string_view before = first.substr(0, place->begin - line_begin);
  const std::string_view after = last.substr(std::min(place->end - last_begin, last.size()));

  Replaced result;
  result.place = *place;
  std::string_view rest = fixit.replacement;
  Replaced::Line line{std::string{before}, before.size(), before.size()};
  for (;;) {
    const std::size_t newline = rest.find('\n');
    std::string_view piece = rest.substr(0, newline);
    if (piece.ends_with('\r') && newline != rest.npos) piece.remove_suffix(1);
    line.text += piece;
    line.end = line.text.size();
    if (newline == rest.npos) break;
    result.lines.push_back(std::move(line));
    if (result.lines.size() == kMaxTextLines) {
      result.cut = true;
      return result;
    }
    line = {};
    rest.remove_prefix(newline + 1);
  }
  line.text += after;
  // "line\n" put in before a line: the last piece is the old line itself, which says nothing new.
  const bool old = !result.lines.empty() && fixit.replacement.ends_with('\n') && before.empty() &&
                   place->begin == place->end;
  const bool whole_line_gone = line.text.empty() && fixit.replacement.empty();
  if (!old && !whole_line_gone) result.lines.push_back(std::move(line));
  return result;
}

std::string one_line(std::string_view text) {
  if (text.size() <= kMaxTextBytes) return printable(text);
  std::size_t end = kMaxTextBytes;
  // Not in the middle of a character; stray continuation bytes in a row do not matter here.
  while (end > kMaxTextBytes - 4 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return printable(text.substr(0, end)) + "...";
}

std::vector<std::string> text_lines(std::string_view text) {
  std::vector<std::string> result;
  for (;;) {
    const std::size_t newline = text.find('\n');
    if (result.size() == kMaxTextLines) {
      result.emplace_back("...");
      return result;
    }
    result.push_back(one_line(text.substr(0, newline)));
    if (newline == text.npos || newline + 1 == text.size()) return result;
    text.remove_prefix(newline + 1);
  }
}

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: break;
  }
  return "note";
}

std::string_view fixit_title(const FixIt& fixit) {
  if (!fixit.title.empty()) return fixit.title;
  return fixit.replacement.empty() ? "remove this" : "write this";
}

}  // namespace nd7::render_parts
