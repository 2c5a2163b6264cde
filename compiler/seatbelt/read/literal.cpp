#include "compiler/seatbelt/read/literal.hpp"

#include <charconv>
#include <system_error>

namespace nd7::seatbelt::read {
namespace {

bool is_octal(char c) { return c >= '0' && c <= '7'; }

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

NumberSyntax digits(std::string_view text, int base, std::int64_t& value) {
  if (text.empty()) return NumberSyntax::none;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (end != text.data() + text.size()) return NumberSyntax::none;
  if (error == std::errc::result_out_of_range) return NumberSyntax::out_of_range;
  return error == std::errc{} ? NumberSyntax::integer : NumberSyntax::none;
}

}  // namespace

StringLiteral decode_string(std::string_view body) {
  StringLiteral result;
  result.value.reserve(body.size());
  const auto fail = [&](std::size_t at, std::size_t length, const char* message) {
    result.error = {at, length, message};
  };
  for (std::size_t i = 0; i < body.size() && !result.error;) {
    const char c = body[i];
    if (c != '\\' || i + 1 == body.size()) {
      result.value += c;
      ++i;
      continue;
    }
    const std::size_t start = i;
    const char escaped = body[i + 1];
    i += 2;
    if (is_octal(escaped)) {
      int code = escaped - '0';
      for (int n = 1; n < 3 && i < body.size() && is_octal(body[i]); ++n, ++i) {
        code = code * 8 + (body[i] - '0');
      }
      if (code == 0 || code > 255) {
        fail(start, i - start, code == 0 ? "an escape for NUL" : "an octal escape above 377");
      } else {
        result.value += static_cast<char>(static_cast<unsigned char>(code));
      }
      continue;
    }
    switch (escaped) {
      case 'n': result.value += '\n'; break;
      case 't': result.value += '\t'; break;
      case 'r': result.value += '\r'; break;
      case '"':
      case '\\': result.value += escaped; break;
      case 'x':
      case 'X': {
        const int high = i < body.size() ? hex_value(body[i]) : -1;
        const int low = i + 1 < body.size() ? hex_value(body[i + 1]) : -1;
        if (high < 0 || low < 0) {
          fail(start, 2, "`\\x` without two hexadecimal digits");
        } else if (high == 0 && low == 0) {
          fail(start, 4, "an escape for NUL");
        } else {
          result.value += static_cast<char>(static_cast<unsigned char>(high * 16 + low));
          i += 2;
        }
        break;
      }
      default: result.dropped.push_back(start); result.value += escaped;
    }
  }
  return result;
}

NumberSyntax decode_number(std::string_view word, std::int64_t& value) {
  if (word.size() >= 2 && word[0] == '#') {
    switch (word[1]) {
      case 'x': return digits(word.substr(2), 16, value);
      case 'o': return digits(word.substr(2), 8, value);
      case 'b': return digits(word.substr(2), 2, value);
      case 'd': return digits(word.substr(2), 10, value);
      default: return NumberSyntax::none;
    }
  }
  if (word.size() >= 2 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  return digits(word, 10, value);
}

std::optional<std::int64_t> decode_character(std::string_view name) {
  if (name.size() == 1) return static_cast<unsigned char>(name[0]);
  if (name == "space") return ' ';
  if (name == "newline") return '\n';
  if (name == "tab") return '\t';
  if (name == "return") return '\r';
  std::int64_t value = 0;
  if (name.size() > 1 && name.size() <= 3 && name[0] == 'x' &&
      digits(name.substr(1), 16, value) == NumberSyntax::integer) {
    return value;
  }
  return std::nullopt;
}

}  // namespace nd7::seatbelt::read
