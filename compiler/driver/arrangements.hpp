// Where two policies are compared: the values that their open parameters may have.
#pragma once

#include <string>
#include <vector>

#include "compiler/answer/placement.hpp"
#include "compiler/driver/policy_input.hpp"

namespace nd7::driver {

struct Arrangements {
  std::vector<answer::Placement> list;
  std::vector<std::string> doubts;  ///< why agreement at all of them proves nothing
};

/// At most this many are looked at; more are a doubt.
inline constexpr std::size_t kMaxArrangements = 1000;

/// The placements of both, so that neither is looked at in a corner of the other only. Every
/// combination of set and unset is tried for what a raw profile asks for, and for its values a path
/// of their own and the paths that the profiles name.
[[nodiscard]] Arrangements arrangements(const LoadedPolicy& before, const LoadedPolicy& after,
                                        const SourceMap& sources, const Resolved& options);

}  // namespace nd7::driver
