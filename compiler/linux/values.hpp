// Gives a plan's parameters their values.
#pragma once

#include <map>
#include <string>

#include "compiler/linux/plan.hpp"

namespace nd7::linux_plan {

/// `plan` with the holes of the keys in `values` filled. An optional parameter without a value
/// takes the trees that hold it along; other parameters without one stay. Values are physical,
/// absolute and normal.
[[nodiscard]] Plan with_values(const Plan& plan, const std::map<std::string, std::string>& values);

}  // namespace nd7::linux_plan
