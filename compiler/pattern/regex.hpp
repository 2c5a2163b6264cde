// Seatbelt's regular expressions: syntax tree and parser. The dialect is exactly what libsandbox's
// matcher is known to take: literal bytes, `\` before one character, `.`, `[...]` and `[^...]` with
// ranges, groups, `|`, `*`, `+`, `?`, `^`, `$`. Matching is an unanchored search over bytes:
// patterns and subjects are bytes throughout, a set holds bytes, `.` is one byte (`/` and line ends
// included), and a character of several bytes is a sequence of literals. No subject holds NUL, so
// no set does.
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
/// Parameters that an expression can speak of: hole indices are below this.
inline constexpr std::uint32_t kMaxHoles = 255;
/// Warnings kept of one expression.
inline constexpr std::size_t kMaxRegexWarnings = 16;

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

/// A tree: kids come before their parent in `nodes`, and a node is the kid of at most one other.
struct Regex {
  std::vector<RegexNode> nodes;
  std::uint32_t root = 0;
};

/// Why an expression was refused, at a byte of the pattern.
struct RegexError {
  std::size_t offset = 0;
  std::size_t length = 1;
  bool unsupported = false;  ///< true: strict mode only; false: an error in every dialect
  std::string message;       ///< "look-ahead `(?=`"
  std::string help;          ///< what to write instead; may be empty
};

struct RegexResult {
  std::optional<Regex> regex;
  std::optional<RegexError> error;   ///< set if and only if `regex` is not
  std::vector<RegexError> warnings;  ///< tolerant mode only
};

enum class RegexMode : std::uint8_t {
  /// What nd7 emits, and no two readers disagree about: refuses `{`, backslash before a letter or
  /// digit, `(?`, a second quantifier or one with nothing to repeat (a hole counts as nothing), and
  /// in sets a backslash, a `]`, `[:`, and a `-` that is neither a range's nor at an end.
  strict,
  /// What libsandbox loads: the same constructs read as the characters they are, with warnings. A
  /// second quantifier repeats what the first made.
  tolerant,
};

/// The encoding of a hole, `index` < kMaxHoles: the two bytes NUL, (index + 1). NUL cannot occur
/// otherwise. A hole stands for the same non-empty literal text wherever it occurs.
[[nodiscard]] std::string encode_hole(std::uint32_t index);
[[nodiscard]] RegexResult parse_regex(std::string_view text, RegexMode mode);

/// `text` as a regular expression that matches exactly itself: a backslash before the characters
/// that Seatbelt's own `regex-quote` escapes. Holes stay encoded.
[[nodiscard]] std::string quote_regex(std::string_view text);

/// The literal text that every match begins with when the expression is anchored by `^`; holes stay
/// encoded. nullopt when it is not anchored on every branch (as far as can be seen without asking
/// which branches can match at all).
[[nodiscard]] std::optional<std::string> anchored_prefix(const Regex& regex);

/// A shortest string that the expression matches (holes stay encoded and count two), for witnesses.
/// nullopt when it matches nothing, such as `a^`.
[[nodiscard]] std::optional<std::string> sample(const Regex& regex);

}  // namespace nd7::pattern
