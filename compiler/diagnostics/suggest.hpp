// "did you mean": the nearest name out of a set.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace nd7 {

/// A run that reports more errors than this need not look for what else each of them could mean:
/// among many names that would take long.
inline constexpr std::size_t kMostSuggestions = 50;

/// The candidate with the smallest edit distance (insert, delete, replace, swap of neighbours; case
/// and `-`/`_` differences are cheap), if it is near enough to be a slip. Ties: first in order.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 std::span<const std::string_view> candidates);
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 std::span<const std::string> candidates);

}  // namespace nd7
