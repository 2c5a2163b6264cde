// Cheap comparisons of filters, for findings that should not cry wolf.
#pragma once

#include <cstddef>

#include "compiler/seatbelt/read/rule_base.hpp"

namespace nd7::seatbelt::read {

/// False only if no request of `op` can satisfy both filters. `budget` is counted down by the pairs
/// that are looked at; at zero the answer is true.
[[nodiscard]] bool may_overlap(const RuleBase& base, FilterId a, FilterId b, Op op,
                               std::size_t& budget);

/// The same filters in the same order.
[[nodiscard]] bool equal_filters(const RuleBase& base, FilterId a, FilterId b, std::size_t& budget);

}  // namespace nd7::seatbelt::read
