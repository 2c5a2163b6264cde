// The law, applied to one request, the slow and obvious way: a policy's sets are asked one after
// the other whether they hold the request. No automata, no decision diagrams, no profile text; the
// expansion of denies is written down here a second time. Shares the tables of operations and
// filters with the compiler, and the parser of regular expressions.
//
//   allowed(r) = ¬sealed(r) ∧ ¬protected(r)
//                ∧ ( exit(r) ∨ ( (builtin(r) ∨ allow(r) ∨ grant(r)) ∧ ¬(deny(r) ∖ relax(r)) ) )
//
// The import is left out: what only it could allow is denied here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/answer/level.hpp"
#include "compiler/ir/policy.hpp"
#include "compiler/laws/terms.hpp"
#include "compiler/seatbelt/read/request.hpp"

namespace nd7::test {

struct OracleOptions {
  laws::Profile profile = laws::Profile::floor;
  std::vector<std::string> grants;
  std::vector<std::string> protect;
};

/// nullopt where the answer depends on something that the request does not say. Every parameter of
/// `policy` has a value, or is optional and counts as unset.
[[nodiscard]] std::optional<answer::Level> oracle(const ir::Policy& policy,
                                                  const seatbelt::read::Request& request,
                                                  const OracleOptions& options = {});

/// `policy` with the value of a parameter; no effect if it has no such parameter.
void give(ir::Policy& policy, std::string_view key, std::string_view value);

}  // namespace nd7::test
