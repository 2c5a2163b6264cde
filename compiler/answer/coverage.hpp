// How much of a policy its expectations look at.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "compiler/answer/view.hpp"

namespace nd7::answer {

/// Of the root file's own allows and denies: those that match a request of some expectation.
struct Coverage {
  std::size_t rules = 0;
  std::size_t covered = 0;
  std::vector<std::string> missed;  ///< "team/caches", in order
};
[[nodiscard]] Coverage coverage(const ir::Policy& policy, const SourceMap& sources);

/// Rule sets that differ from the policy in one of the root file's own rules.
struct Mutations {
  std::size_t made = 0;
  std::size_t noticed = 0;            ///< some expectation fails at a standard placement
  std::vector<std::string> survived;  ///< "team/caches dropped"
};
/// `progress` is told how many of how many are done, each time before the next one is judged.
[[nodiscard]] Mutations mutate(const ir::Policy& policy, const SourceMap& sources,
                               const std::function<void(std::size_t, std::size_t)>& progress = {});

}  // namespace nd7::answer
