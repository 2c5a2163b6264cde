// The characters that change the direction of the text around them: what is read is not what is
// there. No input may hold one as it stands.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/source/utf8.hpp"

namespace nd7 {

[[nodiscard]] constexpr std::optional<std::string_view> bidi_name(char32_t c) {
  switch (c) {
    case 0x061C: return "arabic letter mark";
    case 0x200E: return "left-to-right mark";
    case 0x200F: return "right-to-left mark";
    case 0x202A: return "left-to-right embedding";
    case 0x202B: return "right-to-left embedding";
    case 0x202C: return "pop directional formatting";
    case 0x202D: return "left-to-right override";
    case 0x202E: return "right-to-left override";
    case 0x2066: return "left-to-right isolate";
    case 0x2067: return "right-to-left isolate";
    case 0x2068: return "first strong isolate";
    case 0x2069: return "pop directional isolate";
    default: return std::nullopt;
  }
}

/// Why a value from a command line is no text that a source could hold: empty if it is one.
[[nodiscard]] constexpr std::string_view value_problem(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Unit unit = decode_utf8(text, at);
    if (!unit.valid) return "is not UTF-8";
    const char32_t c = unit.code_point;
    if (c < 0x20 || (c >= 0x7F && c <= 0x9F)) return "holds a control character";
    if (bidi_name(c)) return "holds a character that changes the direction of text";
    at += unit.length;
  }
  return {};
}

}  // namespace nd7
