// Texts of a profile in which parameters may be unknown.
//
// A Text is a byte string; the two bytes NUL, (index + 1) stand for the unknown value of parameter
// `index` (pattern::encode_hole). While a profile is evaluated the three bytes NUL, 0xFF,
// (index + 1) stand for that value put through `regex-quote`; no Text of a RuleBase holds them.
// NUL cannot occur otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nd7::seatbelt::read {

using Text = std::string;

/// Parameters that may be unknown, at most.
inline constexpr std::size_t kMaxHoles = 250;

[[nodiscard]] Text hole(std::uint32_t parameter);
/// True if some part of `text` is unknown.
[[nodiscard]] bool is_opaque(std::string_view text);
/// As a path or name: nullopt if it holds a quoted unknown value.
[[nodiscard]] std::optional<Text> as_plain(std::string_view text);
/// As a regular expression: quoted unknown values become holes; nullopt if it holds a bare one.
[[nodiscard]] std::optional<Text> as_regex(std::string_view text);
/// libsandbox's `regex-quote`; nullopt if an unknown value is quoted twice.
[[nodiscard]] std::optional<Text> regex_quote(std::string_view text);
/// For people: unknown values as `...`.
[[nodiscard]] std::string shown(std::string_view text);

}  // namespace nd7::seatbelt::read
