// Which code points a terminal may get, how wide they are, and what stands in for the others.
#pragma once

#include <cstddef>
#include <string>

#include "compiler/source/utf8.hpp"

namespace nd7 {

/// Control, bidirectional, zero-width and tag characters, line separators: whatever would drive a
/// terminal or hide text in it.
[[nodiscard]] bool is_unsafe(char32_t code_point);

/// Display columns of a code point that is not unsafe: 0 combining, 2 East Asian wide, else 1.
[[nodiscard]] std::size_t display_width(char32_t code_point);

/// The visible escape of a unit: `\n`, `\t`, `\x1b`, `\u{202e}`; a byte outside UTF-8 is `\xff`.
[[nodiscard]] std::string visible_escape(const Utf8Unit& unit);

}  // namespace nd7
