// One `[...]` of a glob.
#pragma once

#include <cstddef>
#include <string_view>
#include <variant>

#include "compiler/pattern/glob.hpp"
#include "compiler/pattern/regex.hpp"

namespace nd7::pattern {

struct GlobSet {
  ByteSet listed;          ///< as written, `/` left out
  bool negated = false;    ///< one byte that is not listed (and not `/`)
  std::size_t length = 0;  ///< bytes of the text, brackets included
};

/// Reads the set whose `[` is at the start of `text`; `text` ends with its component. Offsets of an
/// error count from that `[`.
[[nodiscard]] std::variant<GlobSet, GlobError> read_glob_set(std::string_view text);

}  // namespace nd7::pattern
