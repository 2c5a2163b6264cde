#include <fmt/format.h>

#include <iterator>

#include "compiler/diagnostics/excerpt.hpp"
#include "compiler/diagnostics/render_parts.hpp"

namespace nd7::render_formats {
namespace {

using namespace render_parts;

constexpr std::size_t kWidth = 100;  // fixed: the text must not depend on a terminal
constexpr std::string_view kIndent = "    ";

/// The part of one line that a place covers, shown as text instead of being underlined.
struct Shown {
  std::string line;
  std::string marked;  ///< empty when it would repeat the line, or nothing is covered
};

Shown show_line(const Place& place, std::uint32_t line) {
  const SourceFile& file = *place.file;
  const std::string_view text = file.line_text(line);
  const std::size_t begin = file.line_begin(line);
  const std::size_t from = line == place.first_line ? place.begin - begin : 0;
  const std::size_t to = line == place.last_line ? place.end - begin : text.size();
  const Excerpt excerpt{text, line == 1, from};
  const Columns marked = excerpt.columns_of(from, to);
  Shown shown{excerpt.text(excerpt.clip(marked, kWidth)), {}};
  const std::size_t stop = std::min(to, text.size());
  if (from < stop && !place.multi_line()) {
    const Excerpt part{text.substr(from, stop - from), line == 1 && from == 0, 0};
    shown.marked = part.text(part.clip({0, 1}, kWidth));
    if (shown.marked == shown.line) shown.marked.clear();
  }
  return shown;
}

void append_line(std::string& out, std::string_view line) {
  // A line of blanks stays empty, so that no output ends in white space it does not need.
  const std::size_t end = line.find_last_not_of(' ');
  if (end != line.npos) (out += kIndent) += line.substr(0, end + 1);
  out += '\n';
}

void append_mark(std::string& out, const Mark& mark) {
  const Place& place = mark.place;
  (out += mark.primary ? "at " : "also ") += location(place);
  if (place.multi_line()) {
    const Position end = place.file->position(place.end);
    fmt::format_to(std::back_inserter(out), " to {}:{}", end.line, end.column);
  }
  if (!mark.text.empty()) (out += ": ") += one_line(mark.text);
  out += '\n';
  const Shown first = show_line(place, place.first_line);
  append_line(out, first.line);
  if (!first.marked.empty()) ((out += kIndent) += "marked: ") += first.marked + '\n';
  if (place.multi_line()) {
    if (place.last_line > place.first_line + 1) append_line(out, "...");
    append_line(out, show_line(place, place.last_line).line);
  }
}

void append_text(std::string& out, std::string_view kind, std::string_view text) {
  bool first = true;
  for (const std::string& line : text_lines(text)) {
    if (first) {
      ((out += kind) += ": ") += line + '\n';
    } else {
      append_line(out, line);
    }
    first = false;
  }
}

void append_fixit(std::string& out, const FixIt& fixit, const SourceMap& sources) {
  append_text(out, "help", fixit_title(fixit));
  const std::optional<Replaced> replaced = replaced_lines(fixit, sources);
  if (!replaced) return;
  for (const Replaced::Line& line : replaced->lines) {
    const Excerpt excerpt{line.text, false, line.begin};
    append_line(out, excerpt.text(excerpt.clip(excerpt.columns_of(line.begin, line.end), kWidth)));
  }
  if (replaced->cut) append_line(out, "...");
}

}  // namespace

void plain(std::string& out, const Diagnostic& d, const SourceMap& sources) {
  fmt::format_to(std::back_inserter(out), "{}[{}]: {}\n", severity_name(d.severity),
                 info(d.code).name, one_line(d.message));
  const Marks marks = marks_of(d, sources);
  for (const MarkedFile& file : marks.files) {
    for (const Mark& mark : file.marks) append_mark(out, mark);
  }
  if (marks.left_out != 0) {
    fmt::format_to(std::back_inserter(out), "note: and {} more places\n", marks.left_out);
  }
  for (const std::string& note : d.notes) append_text(out, "note", note);
  for (const std::string& help : d.helps) append_text(out, "help", help);
  for (const FixIt& fixit : d.fixits) append_fixit(out, fixit, sources);
  fmt::format_to(std::back_inserter(out), "see: nd7c help {}\n", info(d.code).name);
}

}  // namespace nd7::render_formats
