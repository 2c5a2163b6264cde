// A set of bytes in the notation of Seatbelt's regular expressions.
#pragma once

#include <string>

#include "compiler/pattern/regex.hpp"

namespace nd7::pattern {

/// An expression for one byte that is in `listed`, or for one that is not (`negated`). It is one
/// atom, so a quantifier may follow. Parts of `listed` that are written as ranges must not begin or
/// end with `]` or `\`, which a set cannot name; `listed` has a member unless `negated`.
[[nodiscard]] std::string set_text(const ByteSet& listed, bool negated);

}  // namespace nd7::pattern
