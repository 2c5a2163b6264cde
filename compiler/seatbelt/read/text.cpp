#include "compiler/seatbelt/read/text.hpp"

namespace nd7::seatbelt::read {
namespace {

constexpr char kQuoted = '\xff';

/// Copies `text`; `at_hole(quoted, index_byte, out)` answers false to give up.
template <typename AtHole, typename AtByte>
std::optional<Text> rewrite(std::string_view text, AtHole at_hole, AtByte at_byte) {
  Text result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\0' || i + 1 >= text.size()) {
      at_byte(text[i], result);
      continue;
    }
    const bool quoted = text[i + 1] == kQuoted;
    i += quoted ? 2 : 1;
    if (i >= text.size() || !at_hole(quoted, text[i], result)) return std::nullopt;
  }
  return result;
}

void copy_byte(char c, Text& out) { out += c; }

}  // namespace

Text hole(std::uint32_t parameter) {
  return {'\0', static_cast<char>(static_cast<unsigned char>(parameter + 1))};
}

bool is_opaque(std::string_view text) { return text.find('\0') != std::string_view::npos; }

std::optional<Text> as_plain(std::string_view text) {
  return rewrite(
      text,
      [](bool quoted, char index, Text& out) {
        out += '\0';
        out += index;
        return !quoted;
      },
      copy_byte);
}

std::optional<Text> as_regex(std::string_view text) {
  return rewrite(
      text,
      [](bool quoted, char index, Text& out) {
        out += '\0';
        out += index;
        return quoted;
      },
      copy_byte);
}

std::optional<Text> regex_quote(std::string_view text) {
  static constexpr std::string_view kSpecial = "^.[$()|*+?{\\";
  return rewrite(
      text,
      [](bool quoted, char index, Text& out) {
        out += '\0';
        out += kQuoted;
        out += index;
        return !quoted;
      },
      [](char c, Text& out) {
        if (kSpecial.find(c) != std::string_view::npos) out += '\\';
        out += c;
      });
}

std::string shown(std::string_view text) {
  return rewrite(
             text,
             [](bool, char, Text& out) {
               out += "...";
               return true;
             },
             copy_byte)
      .value_or(std::string{});
}

}  // namespace nd7::seatbelt::read
