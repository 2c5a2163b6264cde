#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/diagnostics/render.hpp"
#include "compiler/diagnostics/visible.hpp"
#include "compiler/source/utf8.hpp"

namespace nd7 {
namespace {

void append_unicode_escape(std::string& out, std::uint32_t value) {
  if (value < 0x10000) {
    out += fmt::format("\\u{:04x}", value);
    return;
  }
  const std::uint32_t rest = value - 0x10000;
  out += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10U), 0xDC00 + (rest & 0x3FFU));
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 2);
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Unit unit = decode_utf8(text, at);
    if (!unit.valid) {
      out += "\\ufffd";
    } else if (unit.code_point == U'"' || unit.code_point == U'\\') {
      out += '\\';
      out += text[at];
    } else if (unit.code_point == U'\n') {
      out += "\\n";
    } else if (unit.code_point == U'\t') {
      out += "\\t";
    } else if (is_unsafe(unit.code_point)) {
      // The value stays the same; a log viewer that prints the raw line is safe too.
      append_unicode_escape(out, static_cast<std::uint32_t>(unit.code_point));
    } else {
      out += text.substr(at, unit.length);
    }
    at += unit.length;
  }
  out += '"';
  return out;
}

}  // namespace nd7
