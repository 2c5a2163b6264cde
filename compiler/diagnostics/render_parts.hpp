// What the renderers of text share: the marked places of a diagnostic and the limits on output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/diagnostics/render.hpp"
#include "compiler/source/source_map.hpp"

namespace nd7::render_parts {

inline constexpr std::size_t kMaxMarks = 16;        // places shown of one diagnostic
inline constexpr std::size_t kMaxTextLines = 40;    // lines of one note, help or replacement
inline constexpr std::size_t kMaxTextBytes = 2000;  // of one line of a message or note

/// A span brought inside its file: begin <= end <= size, whatever a pass handed over.
struct Place {
  const SourceFile* file = nullptr;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t first_line = 1;
  std::uint32_t last_line = 1;  ///< the line of the last byte, so a final newline adds no line
  [[nodiscard]] bool multi_line() const { return first_line != last_line; }
};
[[nodiscard]] std::optional<Place> place_of(const Span& span, const SourceMap& sources);

/// "file:line:col", the name made printable.
[[nodiscard]] std::string location(const Place& place);

struct Mark {
  Place place;
  std::string_view text;
  bool primary = false;
};
/// The marks of one file, the primary's file first; within a file in order of appearance.
struct MarkedFile {
  const SourceFile* file = nullptr;
  std::vector<Mark> marks;
};
struct Marks {
  std::vector<MarkedFile> files;
  std::size_t left_out = 0;  ///< beyond kMaxMarks
};
[[nodiscard]] Marks marks_of(const Diagnostic& diagnostic, const SourceMap& sources);

/// The lines that a fix-it leaves behind: what is around its span, with the replacement in between.
struct Replaced {
  struct Line {
    std::string text;
    std::size_t begin = 0;  ///< bytes [begin, end) are new
    std::size_t end = 0;
  };
  Place place;
  std::vector<Line> lines;
  bool cut = false;  ///< more than kMaxTextLines
};
[[nodiscard]] std::optional<Replaced> replaced_lines(const FixIt& fixit, const SourceMap& sources);

/// One line: control characters escaped, newlines too; very long text ends in `...`.
[[nodiscard]] std::string one_line(std::string_view text);
/// Split at newlines, each as one_line; at most kMaxTextLines, then `...`.
[[nodiscard]] std::vector<std::string> text_lines(std::string_view text);

[[nodiscard]] std::string_view severity_name(Severity severity);
[[nodiscard]] std::string_view fixit_title(const FixIt& fixit);

}  // namespace nd7::render_parts

namespace nd7::render_formats {

void human(std::string& out, const Diagnostic& diagnostic, const SourceMap& sources,
           const RenderOptions& options);
void plain(std::string& out, const Diagnostic& diagnostic, const SourceMap& sources);
void compact(std::string& out, const Diagnostic& diagnostic, const SourceMap& sources);
void json(std::string& out, const Diagnostic& diagnostic, const SourceMap& sources);

}  // namespace nd7::render_formats
