// Where HOME, PROJ, TMP and nd7-exec may lie relative to each other: the placements for which an
// invariant is proved when they are not bound.
//
// One representative stands for each arrangement that the rules of a policy can tell apart by their
// fixed names: the project beside, below, deep below, at the home directory, or elsewhere; the
// temporary directory elsewhere, in the home, in the project; and the project at each directory
// that a rule names below the home or the root.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/policy.hpp"

namespace nd7::answer {

struct Placement {
  std::string home;
  std::string project;
  std::string tmp;
  std::string exit;
  std::string meaning;  ///< "the project is the home directory"
};

inline constexpr std::size_t kStandardPlacements = 6;  ///< at most; they come first
inline constexpr std::size_t kMaxNamedPlaces = 24;

/// Bound parameters keep their value; with all bound there is one placement.
[[nodiscard]] std::vector<Placement> placements(const ir::Policy& policy);

/// The one that explanations use when nothing is bound.
[[nodiscard]] Placement example_placement(const ir::Policy& policy);

/// Binds the parameters of `policy`: the places, and a path of its own to every other open one.
void place(ir::Policy& policy, const Placement& placement);

}  // namespace nd7::answer
