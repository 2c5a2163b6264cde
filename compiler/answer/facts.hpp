// Everything that filters may ask beside the subject, as few combinations as tell apart what the
// filters of two profiles tell apart.
#pragma once

#include <optional>
#include <vector>

#include "compiler/answer/search.hpp"

namespace nd7::answer {

/// The surroundings of a request.
struct Surroundings {
  std::vector<std::string> extensions;
  std::vector<seatbelt::read::Fact> facts;
};

inline constexpr std::size_t kMaxSurroundings = 512;

/// Every distinguishable combination for the filters of `op` in both profiles; nullopt if there are
/// more than kMaxSurroundings.
[[nodiscard]] std::optional<std::vector<Surroundings>> surroundings(Side& first, Side& second,
                                                                    seatbelt::Op op);

/// The atoms of `base` that ask about something beside the subject of `op`.
[[nodiscard]] std::vector<seatbelt::read::AtomId> fact_atoms(const seatbelt::read::RuleBase& base,
                                                             seatbelt::Op op);

}  // namespace nd7::answer
