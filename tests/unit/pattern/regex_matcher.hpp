// The obvious matcher for expressions that are written out.
#pragma once

#include <string_view>

#include "tests/support/regex_oracle.hpp"

namespace nd7::pattern::oracle {

/// False also when `text` is not in the strict dialect; tests that care check that first.
inline bool matches(std::string_view text, std::string_view subject) {
  const RegexResult parsed = parse_regex(text, RegexMode::strict);
  return parsed.regex && matches(*parsed.regex, subject);
}

}  // namespace nd7::pattern::oracle
