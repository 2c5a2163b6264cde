// Sets of small numbers, such as ports, as sorted intervals.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nd7::decide {

/// A set of integers 0..65535 in canonical form: `==` is equality of sets.
class IntervalSet {
 public:
  static constexpr std::uint32_t kMax = 65535;

  struct Interval {
    std::uint32_t first = 0;
    std::uint32_t last = 0;  ///< inclusive
    friend bool operator==(const Interval&, const Interval&) = default;
  };

  IntervalSet() = default;
  [[nodiscard]] static IntervalSet all() { return range(0, kMax); }
  /// Empty when `first > last`; what lies above kMax is cut off.
  [[nodiscard]] static IntervalSet range(std::uint32_t first, std::uint32_t last);
  [[nodiscard]] static IntervalSet single(std::uint32_t value) { return range(value, value); }

  [[nodiscard]] IntervalSet unite(const IntervalSet& other) const;
  [[nodiscard]] IntervalSet intersect(const IntervalSet& other) const;
  [[nodiscard]] IntervalSet subtract(const IntervalSet& other) const {
    return intersect(other.complement());
  }
  [[nodiscard]] IntervalSet complement() const;

  [[nodiscard]] bool contains(std::uint32_t value) const;
  [[nodiscard]] bool empty() const { return intervals_.empty(); }
  /// How many integers.
  [[nodiscard]] std::uint32_t count() const;
  [[nodiscard]] std::optional<std::uint32_t> smallest() const;
  [[nodiscard]] bool included_in(const IntervalSet& other) const { return subtract(other).empty(); }
  /// Ascending, neither overlapping nor adjacent.
  [[nodiscard]] std::span<const Interval> intervals() const { return intervals_; }

  friend bool operator==(const IntervalSet&, const IntervalSet&) = default;

 private:
  std::vector<Interval> intervals_;
};

}  // namespace nd7::decide
