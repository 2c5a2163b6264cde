// Globs over physical paths, and their translation into Seatbelt's regular expressions.
//
// A glob is matched against a whole path, component by component:
//   *      any number of bytes within one component (a component of `*` alone: at least one byte)
//   ?      one byte within a component
//   [a-c]  one byte of the set; [!a-c] one byte outside it, never `/`; in it every ASCII character
//          but `]` `\` `/` stands for itself (`[[]`, `[*]`), `-` at an end, `^` not first
//   **/    zero or more whole components; only as a whole component
//   /**    at the end: everything below, not the directory itself
// Everything else stands for itself. Braces, backslashes and a `**` beside other characters are
// errors: no two tools agree on them. So is what no path can match: an empty component, `.`, `..`,
// and a slash at the end (`/` itself is the root).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nd7::pattern {

/// Longest pattern; its regular expression is then within the limits of regex.hpp.
inline constexpr std::size_t kMaxGlobBytes = 4096;

struct GlobError {
  std::size_t offset = 0;
  std::size_t length = 1;
  std::string message;
  std::string help;
};

/// One component of a glob.
struct GlobComponent {
  enum class Kind : std::uint8_t {
    literal,    ///< no wildcard: `text` holds the bytes (holes encoded as in regex.hpp)
    wildcard,   ///< `text` holds the pattern as written (holes encoded)
    any_depth,  ///< `**`
  };
  Kind kind = Kind::literal;
  std::string text;
};

struct Glob {
  bool anywhere = false;   ///< began with `**/`
  bool from_hole = false;  ///< began with a hole: no `/` before the first component
  /// Without the leading `**/` of an `anywhere` glob; no two `any_depth` in a row; none for `/`.
  std::vector<GlobComponent> components;
};

struct GlobResult {
  std::optional<Glob> glob;
  std::optional<GlobError> error;  ///< set if and only if `glob` is not
};

/// `text` begins with `/`, a hole (a parameter holding an absolute path), or `**/`. Holes are
/// encoded as in regex.hpp and are literal text whatever their value is.
[[nodiscard]] GlobResult parse_glob(std::string_view text);

/// The shape of a `name:` pattern: one component, `*`, `?` and sets as above, no `/`.
[[nodiscard]] GlobResult parse_name(std::string_view text);

/// An anchored regular expression with the same meaning (strict dialect; holes stay encoded).
[[nodiscard]] std::string to_regex(const Glob& glob);
/// For `name:`: matches every path that has such a component, i.e. the named node and all below it.
[[nodiscard]] std::string name_to_regex(const Glob& name);

/// An expression that matches a text if and only if `regex` matches some text that differs from it
/// in the case of ASCII letters only. So it never matches less than `regex`, negated sets included:
/// `[^a]` matches `A`, hence the result matches `a`. `regex` is in the strict dialect; holes,
/// escapes, and sets that say the same in both cases stay as they are.
[[nodiscard]] std::string fold_ascii_case(std::string_view regex);

}  // namespace nd7::pattern
