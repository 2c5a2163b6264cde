#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "compiler/diagnostics/excerpt.hpp"
#include "compiler/diagnostics/render_parts.hpp"

namespace nd7::render_formats {
namespace {

using namespace render_parts;

constexpr std::size_t kMaxLanes = 3;     // multi-line marks drawn side by side
constexpr std::uint32_t kWholeSpan = 5;  // lines of a multi-line mark shown without a gap
constexpr std::size_t kLaneColumns = 2;

/// ANSI sequences, or nothing.
struct Palette {
  std::string_view error, warning, note, gutter, second, fix, strong, reset;
};
constexpr Palette kColors{"\x1b[1;31m", "\x1b[1;33m", "\x1b[1;36m", "\x1b[34m",
                          "\x1b[36m",   "\x1b[32m",   "\x1b[1m",    "\x1b[0m"};
constexpr Palette kNoColors{};

class Writer {
 public:
  Writer(std::string& out, const Diagnostic& d, const SourceMap& sources,
         const RenderOptions& options)
      : out_{out},
        d_{d},
        colors_{options.color ? kColors : kNoColors},
        width_{options.width},
        marks_{marks_of(d, sources)} {
    for (const FixIt& fixit : d.fixits) replaced_.push_back(replaced_lines(fixit, sources));
    measure_gutter();
  }

  void write() {
    header();
    bool first = true;
    for (const MarkedFile& file : marks_.files) {
      place_line(first ? "--> " : "::: ", leading_place(file));
      first = false;
      excerpt(file);
    }
    if (marks_.left_out != 0) item("note", fmt::format("and {} more places", marks_.left_out));
    for (const std::string& note : d_.notes) item("note", note);
    for (const std::string& help : d_.helps) item("help", help);
    for (std::size_t i = 0; i < d_.fixits.size(); ++i) fixit(d_.fixits[i], replaced_[i]);
    item("see", fmt::format("nd7c help {}", info(d_.code).name));
  }

 private:
  using Lanes = std::vector<const Mark*>;

  void measure_gutter() {
    std::size_t last = 1;
    for (const MarkedFile& file : marks_.files) {
      for (const Mark& m : file.marks) last = std::max<std::size_t>(last, m.place.last_line);
    }
    for (const auto& r : replaced_) {
      if (r) last = std::max<std::size_t>(last, r->place.first_line + r->lines.size());
    }
    gutter_ = fmt::formatted_size("{}", last);
  }

  std::string_view severity_color() const {
    switch (d_.severity) {
      case Severity::error: return colors_.error;
      case Severity::warning: return colors_.warning;
      case Severity::note: break;
    }
    return colors_.note;
  }
  std::string_view mark_color(const Mark& m) const {
    return m.primary ? severity_color() : colors_.second;
  }

  void painted(std::string_view color, std::string_view text) {
    ((out_ += color) += text) += color.empty() ? std::string_view{} : colors_.reset;
  }

  void header() {
    painted(severity_color(),
            fmt::format("{}[{}]", severity_name(d_.severity), info(d_.code).name));
    painted(colors_.strong, ": " + one_line(d_.message));
    out_ += '\n';
  }

  /// The place named for a file: the primary's if it is there, else the first.
  static const Place& leading_place(const MarkedFile& file) {
    const auto it =
        std::find_if(file.marks.begin(), file.marks.end(), [](const Mark& m) { return m.primary; });
    return (it == file.marks.end() ? file.marks.front() : *it).place;
  }

  void place_line(std::string_view arrow, const Place& place) {
    out_.append(gutter_, ' ');
    painted(colors_.gutter, arrow);
    out_ += location(place) + '\n';
    bar();
  }

  void bar() {
    out_.append(gutter_ + 1, ' ');
    painted(colors_.gutter, "|");
    out_ += '\n';
  }

  /// "14 |" or "   |", then the rest unless it is blank.
  void row(std::string_view number, std::string_view color, std::string_view rest) {
    painted(colors_.gutter, fmt::format("{:>{}} |", number, gutter_));
    if (const std::size_t end = rest.find_last_not_of(' '); end != rest.npos) {
      out_ += ' ';
      painted(color, rest.substr(0, end + 1));
    }
    out_ += '\n';
  }

  void excerpt(const MarkedFile& file) {
    std::vector<Mark> single;
    std::vector<Mark> multi;
    for (Mark m : file.marks) {
      if (m.place.multi_line() && multi.size() < kMaxLanes) {
        multi.push_back(m);
        continue;
      }
      m.place.last_line = m.place.first_line;  // one lane too many: its first line stands for it
      single.push_back(m);
    }
    std::stable_sort(single.begin(), single.end(), [](const Mark& a, const Mark& b) {
      return std::pair{!a.primary, a.place.begin} < std::pair{!b.primary, b.place.begin};
    });

    Lanes lanes(multi.size(), nullptr);
    std::uint32_t before = 0;
    for (const std::uint32_t line : lines_of(single, multi)) {
      if (before != 0 && line > before + 1) gap(lanes);
      source_line(file, line, single, multi, lanes);
      before = line;
    }
  }

  static std::set<std::uint32_t> lines_of(const std::vector<Mark>& single,
                                          const std::vector<Mark>& multi) {
    std::set<std::uint32_t> lines;
    for (const Mark& m : single) lines.insert(m.place.first_line);
    for (const Mark& m : multi) {
      const Place& p = m.place;
      lines.insert({p.first_line, p.last_line});
      if (p.last_line - p.first_line >= kWholeSpan) continue;
      for (std::uint32_t line = p.first_line; line < p.last_line; ++line) lines.insert(line);
    }
    // A gap of one line is no shorter than the line itself.
    std::set<std::uint32_t> filled = lines;
    for (const std::uint32_t line : lines) {
      if (lines.contains(line + 2)) filled.insert(line + 1);
    }
    return filled;
  }

  void gap(const Lanes& lanes) {
    std::string text = "...";
    if (!lanes.empty()) {
      text.resize(std::max(text.size(), gutter_ + 3), ' ');
      text += lane_columns(lanes);
      text.erase(text.find_last_not_of(' ') + 1);
    }
    painted(colors_.gutter, text);
    out_ += '\n';
  }

  static std::string lane_columns(const Lanes& lanes) {
    std::string text;
    for (const Mark* lane : lanes) text += lane ? "| " : "  ";
    return text;
  }

  void source_line(const MarkedFile& file, std::uint32_t line, const std::vector<Mark>& single,
                   const std::vector<Mark>& multi, Lanes& lanes) {
    const SourceFile& source = *file.file;
    const std::size_t begin = source.line_begin(line);
    const auto first_byte = [&](const Mark& m) -> std::size_t {
      const Place& p = m.place;
      return p.first_line == line ? p.begin - begin : p.end - 1 - begin;
    };
    const auto touches = [&](const Mark& m) {
      return m.place.first_line == line || m.place.last_line == line;
    };
    std::size_t near = 0;
    if (const auto m = std::find_if(multi.begin(), multi.end(), touches); m != multi.end()) {
      near = first_byte(*m);
    }
    // Sorted with the primary mark first.
    if (const auto m = std::find_if(single.begin(), single.end(), touches); m != single.end()) {
      near = first_byte(*m);
    }
    const Excerpt shown{source.line_text(line), line == 1, near};
    const auto columns = [&](const Mark& m) {
      const Place& p = m.place;
      const std::size_t from = first_byte(m);
      const std::size_t to = p.multi_line() && p.first_line == line ? from : p.end - begin;
      return shown.columns_of(from, to);
    };

    std::optional<Columns> focus;
    const auto look_at = [&](const Mark& m) {
      const Columns c = columns(m);
      if (!focus) {
        focus = c;
        return;
      }
      const Columns both{std::min(focus->from, c.from), std::max(focus->to, c.to)};
      if (both.to - both.from + 2 * kLaneColumns <= width_) focus = both;
    };
    for (const Mark& m : single) {
      if (touches(m)) look_at(m);
    }
    for (const Mark& m : multi) {
      if (touches(m)) look_at(m);
    }
    const Columns part = shown.clip(focus.value_or(Columns{0, 1}), width_);

    row(fmt::format("{}", line), {}, lane_columns(lanes) + shown.text(part));
    for (const Mark& m : single) {
      if (m.place.first_line != line) continue;
      const Columns c = columns(m);
      const std::size_t from = shown.place(c.from, part);
      const std::size_t to = std::max(from + 1, shown.place(c.to, part));
      std::string text = lane_columns(lanes) + std::string(from, ' ');
      text.append(to - from, m.primary ? '^' : '-');
      mark_row(m, std::move(text));
    }
    for (std::size_t i = 0; i < multi.size(); ++i) {
      const Mark& m = multi[i];
      const bool opens = m.place.first_line == line;
      if (!opens && m.place.last_line != line) continue;
      const Columns c = columns(m);
      turn_row(m, i, lanes, shown.place(opens ? c.from : c.to - 1, part), opens);
    }
  }

  /// The row under a line at which a multi-line mark begins or ends.
  void turn_row(const Mark& m, std::size_t lane, Lanes& lanes, std::size_t column, bool opens) {
    const std::size_t at = kLaneColumns * lanes.size() + column;
    std::string text = lane_columns(lanes);
    text.resize(at, ' ');
    for (std::size_t i = kLaneColumns * lane + 1; i < at; ++i) {
      if (text[i] == ' ') text[i] = '_';
    }
    text += m.primary ? '^' : '-';
    lanes[lane] = opens ? &m : nullptr;
    if (opens) {
      row("", mark_color(m), text);
    } else {
      mark_row(m, std::move(text));
    }
  }

  void mark_row(const Mark& m, std::string text) {
    if (!m.text.empty()) (text += ' ') += one_line(m.text);
    row("", mark_color(m), text);
  }

  /// "   = note: text", further lines below the first.
  void item(std::string_view kind, std::string_view text) {
    bool first = true;
    for (const std::string& line : text_lines(text)) {
      if (first) {
        out_.append(gutter_ + 1, ' ');
        painted(colors_.gutter, "=");
        out_ += ' ';
        painted(colors_.strong, kind);
        (out_ += ": ") += line;
      } else if (!line.empty()) {
        out_.append(gutter_ + 1 + 2 + kind.size() + 2, ' ');
        out_ += line;
      }
      out_ += '\n';
      first = false;
    }
  }

  void fixit(const FixIt& fix, const std::optional<Replaced>& replaced) {
    item("help", fixit_title(fix));
    if (!replaced || replaced->lines.empty()) return;
    if (marks_.files.empty() || marks_.files.front().file != replaced->place.file) {
      place_line("::: ", replaced->place);
    } else {
      bar();
    }
    std::uint32_t number = replaced->place.first_line;
    for (const Replaced::Line& line : replaced->lines) {
      const Excerpt shown{line.text, number == 1, line.begin};
      const Columns c = shown.columns_of(line.begin, line.end);
      const Columns part = shown.clip(c, width_);
      row(fmt::format("{}", number++), {}, shown.text(part));
      if (line.begin == line.end) continue;
      const std::size_t from = shown.place(c.from, part);
      const std::size_t to = std::max(from + 1, shown.place(c.to, part));
      row("", colors_.fix, std::string(from, ' ') + std::string(to - from, '~'));
    }
    if (replaced->cut) gap({});
  }

  std::string& out_;
  const Diagnostic& d_;
  Palette colors_;
  std::size_t width_;
  Marks marks_;
  std::vector<std::optional<Replaced>> replaced_;
  std::size_t gutter_ = 1;
};

}  // namespace

void human(std::string& out, const Diagnostic& diagnostic, const SourceMap& sources,
           const RenderOptions& options) {
  Writer{out, diagnostic, sources, options}.write();
}

}  // namespace nd7::render_formats
