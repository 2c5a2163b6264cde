#include "compiler/decide/intervals.hpp"

#include <algorithm>

namespace nd7::decide {

IntervalSet IntervalSet::range(std::uint32_t first, std::uint32_t last) {
  IntervalSet set;
  last = std::min(last, kMax);
  if (first <= last) set.intervals_.push_back({first, last});
  return set;
}

IntervalSet IntervalSet::unite(const IntervalSet& other) const {
  std::vector<Interval> sorted;
  sorted.reserve(intervals_.size() + other.intervals_.size());
  std::ranges::merge(intervals_, other.intervals_, std::back_inserter(sorted), {}, &Interval::first,
                     &Interval::first);
  IntervalSet result;
  for (const Interval& interval : sorted) {
    auto& kept = result.intervals_;
    if (!kept.empty() && interval.first <= kept.back().last + 1) {
      kept.back().last = std::max(kept.back().last, interval.last);
    } else {
      kept.push_back(interval);
    }
  }
  return result;
}

IntervalSet IntervalSet::intersect(const IntervalSet& other) const {
  IntervalSet result;
  auto a = intervals_.begin();
  auto b = other.intervals_.begin();
  while (a != intervals_.end() && b != other.intervals_.end()) {
    const std::uint32_t first = std::max(a->first, b->first);
    const std::uint32_t last = std::min(a->last, b->last);
    if (first <= last) result.intervals_.push_back({first, last});
    if (a->last < b->last)
      ++a;
    else
      ++b;
  }
  return result;
}

IntervalSet IntervalSet::complement() const {
  IntervalSet result;
  std::uint32_t next = 0;
  for (const Interval& interval : intervals_) {
    if (interval.first > next) result.intervals_.push_back({next, interval.first - 1});
    next = interval.last + 1;
  }
  if (next <= kMax) result.intervals_.push_back({next, kMax});
  return result;
}

bool IntervalSet::contains(std::uint32_t value) const {
  const auto after = std::ranges::upper_bound(intervals_, value, {}, &Interval::first);
  return after != intervals_.begin() && value <= std::prev(after)->last;
}

std::uint32_t IntervalSet::count() const {
  std::uint32_t total = 0;
  for (const Interval& interval : intervals_) total += interval.last - interval.first + 1;
  return total;
}

std::optional<std::uint32_t> IntervalSet::smallest() const {
  if (intervals_.empty()) return std::nullopt;
  return intervals_.front().first;
}

}  // namespace nd7::decide
