// Reads a plan's JSON (docs/linux-plan.md), strictly: what the printer would not have written is
// refused. The input may be hostile. Depends on nothing but the plan and JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/linux/plan.hpp"

namespace nd7::linux_plan {

/// The version of the format.
inline constexpr int kFormat = 1;
inline constexpr std::size_t kMaxPlanBytes = std::size_t{32} << 20U;
inline constexpr std::size_t kMaxEntries = 200'000;  ///< trees, carves, ports and directories
inline constexpr std::size_t kMaxExceptions = 200'000;

struct ReadResult {
  std::optional<Plan> plan;
  std::string reason;  ///< why there is none: "closed[3].path: `..` in a path"
};

/// A plan whose `params` are not empty was printed before its places were known: it is read, and
/// cannot be applied.
[[nodiscard]] ReadResult read(std::string_view json);

}  // namespace nd7::linux_plan
