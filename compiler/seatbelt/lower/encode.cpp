#include "compiler/seatbelt/lower/encode.hpp"

#include <fmt/format.h>

#include "compiler/diagnostics/render.hpp"
#include "compiler/diagnostics/visible.hpp"

namespace nd7::seatbelt {
namespace {

/// Would not be seen by who reads the profile, or show its text in another order.
bool is_hidden(const Utf8Unit& unit) { return !unit.valid || is_unsafe(unit.code_point); }

std::string append_pieces(std::string_view text, const ParamKey& key,
                          std::string (*literal)(std::string_view), std::string_view quote) {
  const auto pieces = ir::pieces(text);
  if (pieces.empty()) return literal("");
  std::string result;
  for (const ir::Piece& piece : pieces) {
    if (!result.empty()) result.push_back(' ');
    if (!piece.param) {
      result += literal(piece.literal);
    } else if (quote.empty()) {
      result += fmt::format("(param {})", encode_string(key(*piece.param)));
    } else {
      result += fmt::format("({} (param {}))", quote, encode_string(key(*piece.param)));
    }
  }
  return pieces.size() == 1 ? result : "(string-append " + result + ")";
}

}  // namespace

std::string encode_string(std::string_view bytes) {
  std::string result = "\"";
  for (std::size_t at = 0; at < bytes.size();) {
    const Utf8Unit unit = decode_utf8(bytes, at);
    const std::string_view text = bytes.substr(at, unit.length);
    at += unit.length;
    if (is_hidden(unit)) {
      // Octal with three digits: unlike \x, it cannot run on into the next character.
      for (const char c : text) {
        result += fmt::format("\\{:03o}", static_cast<unsigned>(static_cast<unsigned char>(c)));
      }
      continue;
    }
    if (text == "\"" || text == "\\") result.push_back('\\');
    result += text;
  }
  result.push_back('"');
  return result;
}

std::string encode_regex(std::string_view regex) {
  for (std::size_t at = 0; at < regex.size();) {
    const Utf8Unit unit = decode_utf8(regex, at);
    if (regex[at] == '"' || is_hidden(unit)) return encode_string(regex);
    at += unit.length;
  }
  return fmt::format("#\"{}\"", regex);
}

std::string encode_text(std::string_view text, const ParamKey& key) {
  return append_pieces(text, key, encode_string, {});
}

std::string encode_regex_text(std::string_view text, const ParamKey& key) {
  return append_pieces(text, key, encode_regex, "regex-quote");
}

std::string encode_comment(std::string_view text) { return printable(text); }

}  // namespace nd7::seatbelt
