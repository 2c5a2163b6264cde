// One strict UTF-8 decoder for everything that reads or shows text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace nd7 {

/// The unit at a place of a text: a code point, or one byte that belongs to none.
struct Utf8Unit {
  char32_t code_point = 0;  ///< the byte's value if not valid
  std::uint32_t length = 1;
  bool valid = false;
};

/// Decodes at `at` < text.size(). Overlong forms, surrogates and values over U+10FFFF are not
/// valid; each byte of such a sequence is a unit of its own.
[[nodiscard]] constexpr Utf8Unit decode_utf8(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return static_cast<unsigned char>(text[at + i]);
  };
  const std::uint32_t first = byte(0);
  if (first < 0x80U) return {static_cast<char32_t>(first), 1, true};

  const Utf8Unit bad{static_cast<char32_t>(first), 1, false};
  std::uint32_t length = 0;
  std::uint32_t value = 0;
  std::uint32_t least = 0;  // the smallest value that needs this length
  if (first >= 0xC2U && first <= 0xDFU) {
    length = 2, value = first & 0x1FU, least = 0x80;
  } else if (first >= 0xE0U && first <= 0xEFU) {
    length = 3, value = first & 0x0FU, least = 0x800;
  } else if (first >= 0xF0U && first <= 0xF4U) {
    length = 4, value = first & 0x07U, least = 0x10000;
  } else {
    return bad;
  }
  if (text.size() - at < length) return bad;
  for (std::uint32_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return bad;
    value = (value << 6U) | (byte(i) & 0x3FU);
  }
  if (value < least || value > 0x10FFFFU || (value >= 0xD800U && value <= 0xDFFFU)) return bad;
  return {static_cast<char32_t>(value), length, true};
}

}  // namespace nd7
