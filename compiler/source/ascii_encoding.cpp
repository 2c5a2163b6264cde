#include "compiler/source/ascii_encoding.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "compiler/source/toml_tokens.hpp"

namespace nd7 {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::optional<std::uint32_t> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<std::uint32_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<std::uint32_t>(c - 'A' + 10);
  return std::nullopt;
}

bool must_encode(char c) { return c == '%' || static_cast<unsigned char>(c) >= 0x80U; }

void append_encoded(std::string& out, std::uint32_t byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  out += '%';
  out += kDigits[(byte >> 4U) & 0xFU];
  out += kDigits[byte & 0xFU];
}

void append_encoded_code_point(std::string& out, std::uint32_t v) {
  if (v < 0x80U) {
    append_encoded(out, v);
    return;
  }
  if (v < 0x800U) {
    append_encoded(out, 0xC0U | (v >> 6U));
  } else {
    if (v < 0x10000U) {
      append_encoded(out, 0xE0U | (v >> 12U));
    } else {
      append_encoded(out, 0xF0U | (v >> 18U));
      append_encoded(out, 0x80U | ((v >> 12U) & 0x3FU));
    }
    append_encoded(out, 0x80U | ((v >> 6U) & 0x3FU));
  }
  append_encoded(out, 0x80U | (v & 0x3FU));
}

/// The value of `\uXXXX` or `\UXXXXXXXX` at `at`, if all of it lies before `end`.
struct Escape {
  std::uint32_t value;
  std::uint32_t size;
};
std::optional<Escape> unicode_escape(std::string_view text, std::size_t at, std::size_t end) {
  if (end - at < 2 || (text[at + 1] != 'u' && text[at + 1] != 'U')) return std::nullopt;
  const std::uint32_t size = text[at + 1] == 'u' ? 6 : 10;
  if (end - at < size) return std::nullopt;
  std::uint32_t value = 0;
  for (std::size_t i = 2; i < size; ++i) {
    const auto digit = hex_digit(text[at + i]);
    if (!digit) return std::nullopt;
    value = (value << 4U) | *digit;
  }
  return Escape{value, size};
}

}  // namespace

AsciiText::AsciiText(std::string_view original) {
  if (original.starts_with(kByteOrderMark)) begin_ = kByteOrderMark.size();
  text_.reserve(original.size() + original.size() / 8);
  std::size_t done = begin_;
  TomlTokens tokens(original);
  for (TomlToken t = tokens.next(); t.kind != TomlToken::Kind::end; t = tokens.next()) {
    if (t.kind != TomlToken::Kind::string || t.first != '"') continue;
    copy(original, done, t.begin);
    copy_basic_string(original, t.begin, t.end);
    done = t.end;
  }
  copy(original, done, original.size());

  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

void AsciiText::copy(std::string_view source, std::size_t begin, std::size_t end) {
  while (begin < end) {
    std::size_t i = begin;
    while (i < end && !must_encode(source[i])) ++i;
    text_.append(source, begin, i - begin);
    begin = i;
    while (i < end && must_encode(source[i])) ++i;
    if (i == begin) continue;
    const auto encoded = static_cast<std::uint32_t>(text_.size());
    for (std::size_t k = begin; k < i; ++k) {
      append_encoded(text_, static_cast<unsigned char>(source[k]));
    }
    const auto size = static_cast<std::uint32_t>(i - begin);
    units_.push_back({encoded, 3 * size, static_cast<std::uint32_t>(begin), size, false});
    begin = i;
  }
}

void AsciiText::copy_basic_string(std::string_view source, std::size_t begin, std::size_t end) {
  std::size_t done = begin;
  std::size_t i = begin;
  while (i < end) {
    if (source[i] != '\\') {
      ++i;
      continue;
    }
    const auto escape = unicode_escape(source, i, end);
    if (!escape) {
      i += 2;  // whatever is escaped begins no escape itself
      continue;
    }
    const std::uint32_t v = escape->value;
    const bool character = v <= 0x10FFFFU && !(v >= 0xD800U && v <= 0xDFFFU);
    if (character && (v >= 0x80U || v == '%')) {
      copy(source, done, i);
      const auto encoded = static_cast<std::uint32_t>(text_.size());
      append_encoded_code_point(text_, v);
      units_.push_back({encoded, static_cast<std::uint32_t>(text_.size()) - encoded,
                        static_cast<std::uint32_t>(i), escape->size, true});
      done = i + escape->size;
    }
    i += escape->size;
  }
  copy(source, done, end);
}

std::uint32_t AsciiText::original(std::uint32_t encoded) const {
  encoded = std::min(encoded, static_cast<std::uint32_t>(text_.size()));
  const auto after = std::upper_bound(units_.begin(), units_.end(), encoded,
                                      [](std::uint32_t e, const Unit& u) { return e < u.encoded; });
  if (after == units_.begin()) return begin_ + encoded;
  const Unit& unit = *(after - 1);
  const std::uint32_t into = encoded - unit.encoded;
  if (into >= unit.encoded_size) {
    return unit.original + unit.original_size + (into - unit.encoded_size);
  }
  return unit.original + (unit.escape ? 0 : into / 3);
}

std::uint32_t AsciiText::original(std::uint32_t line, std::uint32_t column) const {
  if (line == 0 || column == 0) return begin_;
  if (line > line_starts_.size()) return original(static_cast<std::uint32_t>(text_.size()));
  return original(line_starts_[line - 1] + column - 1);
}

std::string decode_ascii(std::string_view encoded) {
  std::string result;
  result.reserve(encoded.size());
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    if (encoded[i] == '%' && encoded.size() - i > 2) {
      const auto high = hex_digit(encoded[i + 1]);
      const auto low = hex_digit(encoded[i + 2]);
      if (high && low) {
        result += static_cast<char>((*high << 4U) | *low);
        i += 2;
        continue;
      }
    }
    result += encoded[i];
  }
  return result;
}

}  // namespace nd7
