// Ports that filters tell apart, as few as there are kinds of them.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/answer/search.hpp"

namespace nd7::answer {

/// For requests of `op`: of the ports that the rules of both sides treat alike, the smallest that
/// is named, or one that is not named anywhere. 9 and 443 stand for themselves. Rising.
[[nodiscard]] std::vector<std::uint16_t> distinct_ports(Side& first, Side& second, seatbelt::Op op);

}  // namespace nd7::answer
