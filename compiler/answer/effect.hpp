// Rules of a file that change nothing: they match nothing, denies take all of them back, or others
// allow the same already.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/answer/view.hpp"

namespace nd7::answer {

struct Idle {
  enum class Why : std::uint8_t {
    empty,       ///< no request matches
    taken_back,  ///< every request that it matches is denied by other rules
    redundant,   ///< without it, the same is allowed
  };
  std::uint32_t rule = 0;  ///< index into Policy::rules
  Why why = Why::empty;
  std::optional<std::string> other;  ///< "set/id" of the rule that decides one of its requests
};

/// At most this many rules of a file are looked at, and fewer beside very many others; the rest is
/// not said to be idle.
inline constexpr std::size_t kMaxRulesLookedAt = 2000;
inline constexpr std::size_t kMaxPairsLookedAt = 2'000'000;

/// The idle rules among the root file's own: idle at each of the standard placements.
[[nodiscard]] std::vector<Idle> idle_rules(const ir::Policy& policy, const SourceMap& sources);

}  // namespace nd7::answer
