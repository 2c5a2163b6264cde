// Seatbelt's regular expressions: syntax tree and parser. The dialect is exactly what libsandbox's
// matcher is known to take: literal bytes, `\` before one character, `.`, `[...]` and `[^...]` with
// ranges, groups, `|`, `*`, `+`, `?`, `^`, `$`. Matching is an unanchored search over bytes.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nd7::pattern {

using ByteSet = std::bitset<256>;

/// Limits: nesting of groups, and nodes of one expression.
inline constexpr std::size_t kMaxRegexDepth = 64;
inline constexpr std::size_t kMaxRegexNodes = 20000;

/// A node; children are indices into Regex::nodes. `hole` stands for a quoted parameter.
struct RegexNode {
  enum class Kind : std::uint8_t {
    empty,      ///< matches the empty string
    bytes,      ///< one byte out of `set`
    concat,     ///< all of `kids`, in order
    alternate,  ///< one of `kids`
    star,       ///< kids[0], any number of times
    plus,       ///< kids[0], at least once
    optional,   ///< kids[0] or nothing
    begin,      ///< `^`: only at the start of the subject
    end,        ///< `$`: only at the end of the subject
    hole,       ///< the literal text of parameter `hole`
  };
  Kind kind = Kind::empty;
  ByteSet set;
  std::vector<std::uint32_t> kids;
  std::uint32_t hole = 0;
};

struct Regex {
  std::vector<RegexNode> nodes;
  std::uint32_t root = 0;
};

/// Why an expression was refused, at a byte of the pattern.
struct RegexError {
  std::size_t offset = 0;
  std::size_t length = 1;
  bool unsupported = false;  ///< true: another dialect's construct; false: a syntax error
  std::string message;       ///< "look-ahead `(?=`"
  std::string help;          ///< what to write instead; may be empty
};

struct RegexResult {
  std::optional<Regex> regex;
  std::optional<RegexError> error;   ///< set if and only if `regex` is not
  std::vector<RegexError> warnings;  ///< tolerant mode only
};

enum class RegexMode : std::uint8_t {
  strict,    ///< what nd7 emits: refuses `{n,m}`, `\d`-like classes, look-around, back-references
  tolerant,  ///< what libsandbox loads: the same constructs read as literals, with warnings
};

/// In `text` the two bytes NUL, (index + 1) stand for a hole; NUL cannot occur otherwise.
[[nodiscard]] std::string encode_hole(std::uint32_t index);
[[nodiscard]] RegexResult parse_regex(std::string_view text, RegexMode mode);

/// `text` as a regular expression that matches exactly itself (character-class or backslash form,
/// whatever every known reader takes).
[[nodiscard]] std::string quote_regex(std::string_view text);

/// The literal text that every match begins with when the expression is anchored by `^`; holes stay
/// encoded. nullopt when it is not anchored on every branch.
[[nodiscard]] std::optional<std::string> anchored_prefix(const Regex& regex);

/// One short string that the expression matches (holes stay encoded), for witnesses.
[[nodiscard]] std::string sample(const Regex& regex);

}  // namespace nd7::pattern
