#include "compiler/seatbelt/lower/encode.hpp"

#include <fmt/format.h>

namespace nd7::seatbelt {
namespace {

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
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result.push_back('\\');
      result.push_back(c);
    } else if (byte < 0x20 || byte == 0x7f) {
      // Octal with three digits: unlike \x, it cannot run on into the next character.
      result += fmt::format("\\{:03o}", byte);
    } else {
      result.push_back(c);
    }
  }
  result.push_back('"');
  return result;
}

std::string encode_regex(std::string_view regex) {
  for (const char c : regex) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || byte < 0x20 || byte == 0x7f) return encode_string(regex);
  }
  return fmt::format("#\"{}\"", regex);
}

std::string encode_text(std::string_view text, const ParamKey& key) {
  return append_pieces(text, key, encode_string, {});
}

std::string encode_regex_text(std::string_view text, const ParamKey& key) {
  return append_pieces(text, key, encode_regex, "regex-quote");
}

std::string encode_comment(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) result.push_back(c);
  }
  return result;
}

}  // namespace nd7::seatbelt
