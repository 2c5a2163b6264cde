// What terms of the law say of one request, term by term, without automata, diagrams and texts.
#pragma once

#include <optional>
#include <vector>

#include "compiler/ir/policy.hpp"
#include "compiler/laws/terms.hpp"
#include "compiler/seatbelt/read/request.hpp"

namespace nd7::test {

/// Whether some allow or grant and no deny, protection or seal matches; the exit and what only
/// keeps denied files in their place are left out. nullopt where that depends on something that the
/// request does not say. Every parameter of `policy` has a value, or is optional and unset.
[[nodiscard]] std::optional<bool> term_oracle(const ir::Policy& policy,
                                              const std::vector<laws::Term>& terms,
                                              const seatbelt::read::Request& request);

}  // namespace nd7::test
