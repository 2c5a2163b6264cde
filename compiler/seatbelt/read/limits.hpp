// What reading one profile may cost. Every limit has its own coded error.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nd7::seatbelt::read {

struct Limits {
  std::size_t bytes = std::size_t{32} << 20U;       ///< of all texts together
  std::size_t datums = 2'000'000;                   ///< lists, strings and words
  std::size_t nesting = 200;                        ///< lists within lists, filters within filters
  std::uint64_t steps = 10'000'000;                 ///< evaluated expressions and calls
  std::size_t depth = 10'000;                       ///< calls within calls
  std::size_t cells = 4'000'000;                    ///< pairs, bindings, filters and their uses
  std::size_t text_bytes = std::size_t{64} << 20U;  ///< of all strings that evaluation makes
};

}  // namespace nd7::seatbelt::read
