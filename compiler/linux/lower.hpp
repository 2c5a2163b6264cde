// From the terms of the law to a Linux plan.
#pragma once

#include <vector>

#include "compiler/ir/policy.hpp"
#include "compiler/laws/terms.hpp"
#include "compiler/linux/plan.hpp"

namespace nd7::linux_plan {

/// Bound parameters become text; the others stay. A tree is opened where every operation of an
/// access is allowed, and closed where one of it is denied; what a deny says by a pattern is not
/// kept. Terms that keep denied files in their place, and the exit, are left out: carves stay by
/// themselves, and the exit is not a program that the plan opens. Says nothing of what is lost: the
/// validator finds that.
[[nodiscard]] Plan lower(const ir::Policy& policy, const std::vector<laws::Term>& terms,
                         laws::Profile profile);

}  // namespace nd7::linux_plan
