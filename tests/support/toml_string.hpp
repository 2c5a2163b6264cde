// What a TOML key or string means, by the letter of the specification and independent of the
// reader: the oracle of its property tests and of its fuzz target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nd7::test {

inline void append_utf8(std::string& out, std::uint32_t c) {
  const auto byte = [&](std::uint32_t value) { out += static_cast<char>(value); };
  if (c < 0x80) return byte(c);
  if (c < 0x800) return byte(0xC0 | (c >> 6)), byte(0x80 | (c & 0x3F));
  if (c < 0x10000) {
    return byte(0xE0 | (c >> 12)), byte(0x80 | ((c >> 6) & 0x3F)), byte(0x80 | (c & 0x3F));
  }
  byte(0xF0 | (c >> 18)), byte(0x80 | ((c >> 12) & 0x3F));
  byte(0x80 | ((c >> 6) & 0x3F)), byte(0x80 | (c & 0x3F));
}

/// The meaning of `source`, a whole string with its quotes or a bare key; nullopt if it is neither.
inline std::optional<std::string> toml_meaning(std::string_view source) {
  if (source.empty()) return std::nullopt;
  const char quote = source.front();
  if (quote != '"' && quote != '\'') return std::string{source};
  const std::size_t mark =
      source.size() >= 6 && source[1] == quote && source[2] == quote ? std::size_t{3} : 1;
  if (source.size() < 2 * mark || source.back() != quote) return std::nullopt;
  std::string_view body = source.substr(mark, source.size() - 2 * mark);
  if (mark == 3 && body.starts_with("\r\n")) {
    body.remove_prefix(2);
  } else if (mark == 3 && body.starts_with("\n")) {
    body.remove_prefix(1);
  }
  std::string result;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body.substr(i, 2) == "\r\n") continue;
    if (body[i] != '\\' || quote == '\'') {
      result += body[i];
      continue;
    }
    if (++i == body.size()) return std::nullopt;
    const std::size_t digits = body[i] == 'u' ? 4 : body[i] == 'U' ? 8 : 0;
    if (digits != 0) {
      if (body.size() - i <= digits) return std::nullopt;
      append_utf8(result, static_cast<std::uint32_t>(
                              std::stoul(std::string{body.substr(i + 1, digits)}, nullptr, 16)));
      i += digits;
      continue;
    }
    switch (body[i]) {
      case 'b': result += '\b'; break;
      case 't': result += '\t'; break;
      case 'n': result += '\n'; break;
      case 'f': result += '\f'; break;
      case 'r': result += '\r'; break;
      case '"': result += '"'; break;
      case '\\': result += '\\'; break;
      default: {
        const std::size_t next = body.find_first_not_of(" \t\r\n", i);
        if (next == i) return std::nullopt;
        if (next == std::string_view::npos) return result;
        i = next - 1;
      }
    }
  }
  return result;
}

}  // namespace nd7::test
