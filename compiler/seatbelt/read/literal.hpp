// Strings, numbers and characters of profiles, from their spelling to their value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nd7::seatbelt::read {

struct StringLiteral {
  std::string value;
  struct Fault {
    std::size_t offset = 0;
    std::size_t length = 1;
    std::string message;
  };
  std::optional<Fault> error;
  /// Escapes that only drop their backslash (`\.`), by offset into the body.
  std::vector<std::size_t> dropped;
};

/// `body` is the text between the quotes of an ordinary string.
[[nodiscard]] StringLiteral decode_string(std::string_view body);

enum class NumberSyntax : std::uint8_t { none, integer, out_of_range };
/// Decimal with an optional sign, or `#x #o #b #d` and digits. `none`: not a number at all.
[[nodiscard]] NumberSyntax decode_number(std::string_view word, std::int64_t& value);

/// After `#\`: one character, a name (`space`), or `x` and hexadecimal digits.
[[nodiscard]] std::optional<std::int64_t> decode_character(std::string_view name);

}  // namespace nd7::seatbelt::read
