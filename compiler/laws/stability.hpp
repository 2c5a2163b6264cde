// Law 7: can the set of a deny be left by moving a parent directory?
//
// A deny forbids unlinking (and so moving) what it denies and the literal ancestors of its fixed
// part. The set is stable if no other directory can be moved so that something denied below it
// stops being denied. The answer is structural and errs towards "no".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/policy.hpp"

namespace nd7::laws {

struct Stability {
  bool stable = true;
  /// When not stable: a denied path, and the directory whose move frees it. May be empty where the
  /// condition is not one pattern.
  std::string denied;
  std::string moved;
};

[[nodiscard]] Stability stability(const ir::Policy& policy, ir::CondId denied);

/// Whether everything below a member of the set is a member, too. Errs towards "no".
[[nodiscard]] bool closed_below(const ir::Conditions& conditions, ir::CondId cond);

/// Paths whose proper ancestors must not be moved: one for each rooted pattern of the condition.
[[nodiscard]] std::vector<ir::Text> fixed_parts(const ir::Policy& policy, ir::CondId denied);

}  // namespace nd7::laws
