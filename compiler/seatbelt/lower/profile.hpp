// A Seatbelt profile as data, in the order in which it is printed.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/policy.hpp"
#include "compiler/laws/terms.hpp"

namespace nd7::seatbelt {

/// One `(allow …)` or `(deny …)`.
struct ProfileRule {
  bool allow = false;
  bool no_sandbox = false;
  std::vector<Op> ops;
  std::vector<ir::CondId> filters;  ///< any of them matches; none: the rule has no filter
  /// The rule is there only if these optional parameters are set, and those are not.
  std::vector<ir::ParamId> if_set;
  std::vector<ir::ParamId> if_unset;
  laws::Role role = laws::Role::allow;
  std::string label;  ///< "floor/credentials"
  std::string place;  ///< "floor.toml:23"; empty for the compiler's own
};

struct SeatbeltProfile {
  laws::Profile kind = laws::Profile::floor;
  std::vector<ProfileRule> rules;
};

}  // namespace nd7::seatbelt
