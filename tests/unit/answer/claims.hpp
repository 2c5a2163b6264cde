// Claims of a policy written in a test, proved as `nd7c check` proves them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/pipeline/prove.hpp"
#include "tests/support/compile.hpp"

namespace nd7::test {

struct Claim {
  std::string code;  ///< "ND4003"
  std::string message;
  std::vector<std::string> notes;  ///< the witness, and where it was found
  [[nodiscard]] bool says(std::string_view text) const;
};

/// What proving `text` finds, beside warnings of the compiler; a policy that does not compile is
/// one claim with its log. `files` may hold others, below /rules.
[[nodiscard]] std::vector<Claim> claims_of(std::string_view text, CompileOptions options = {},
                                           MemoryFiles files = {});

/// The one claim that fails; an empty one if there is none or more.
[[nodiscard]] Claim failed_claim(std::string_view text, CompileOptions options = {},
                                 MemoryFiles files = {});

}  // namespace nd7::test
