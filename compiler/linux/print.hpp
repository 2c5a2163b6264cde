// A plan as JSON, as docs/linux-plan.md describes it.
#pragma once

#include <string>

#include "compiler/linux/plan.hpp"

namespace nd7::linux_plan {

/// One object, indented, an entry a line, ends with a newline. The same plan gives the same bytes.
[[nodiscard]] std::string print(const Plan& plan);

}  // namespace nd7::linux_plan
