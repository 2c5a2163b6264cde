// Globs over physical paths, and their translation into Seatbelt's regular expressions.
//
// A glob is matched against a whole path, component by component:
//   *      any number of bytes within one component (a component of `*` alone: at least one byte)
//   ?      one byte within a component
//   [a-c]  one byte of the set; [!a-c] one byte outside it, never `/`
//   **/    zero or more whole components; only as a whole component
//   /**    at the end: everything below, not the directory itself
// Everything else stands for itself. Braces, backslashes and a `**` beside other characters are
// errors: no two tools agree on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nd7::pattern {

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
  bool anywhere = false;                  ///< began with `**/`
  std::vector<GlobComponent> components;  ///< without the leading `**/` of an `anywhere` glob
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

/// `regex` with every ASCII letter outside holes matched in both cases. `regex` is in the strict
/// dialect; sets and escapes are kept.
[[nodiscard]] std::string fold_ascii_case(std::string_view regex);

}  // namespace nd7::pattern
