// Requests in Seatbelt's terms, answered by a plan.
#pragma once

#include <optional>

#include "compiler/linux/model.hpp"
#include "compiler/seatbelt/read/request.hpp"

namespace nd7::linux_plan {

/// nullopt for operations that are nothing on Linux, or that no plan decides. What Linux allows
/// whatever a plan says is allowed without a rule. Parameters have to be bound.
[[nodiscard]] std::optional<Decision> decide(const Plan& plan,
                                             const seatbelt::read::Request& request);

}  // namespace nd7::linux_plan
