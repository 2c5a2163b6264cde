#include "compiler/decide/intervals.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bitset>
#include <vector>

namespace nd7::decide {
namespace {

using Bits = std::bitset<IntervalSet::kMax + 1>;

struct Both {
  IntervalSet set;
  Bits bits;
};

Both random_set() {
  Both both;
  const int count = *rc::gen::inRange(0, 6);
  for (int i = 0; i < count; ++i) {
    const std::uint32_t first =
        *rc::gen::oneOf(rc::gen::inRange(0U, 40U), rc::gen::inRange(65500U, 65536U));
    const std::uint32_t last = first + *rc::gen::inRange(0U, 8U);
    both.set = both.set.unite(IntervalSet::range(first, last));
    for (std::uint32_t value = first; value <= last && value <= IntervalSet::kMax; ++value) {
      both.bits.set(value);
    }
  }
  return both;
}

void expect_same(const IntervalSet& set, const Bits& bits) {
  RC_ASSERT(set.count() == bits.count());
  std::optional<std::uint32_t> smallest;
  for (std::uint32_t value = 0; value <= IntervalSet::kMax; ++value) {
    if (value == 100) value = 65400;  // all sets agree between: empty, or full after a complement
    if (bits[value] && !smallest) smallest = value;
    if (bits[value] != set.contains(value)) RC_FAIL("membership differs");
  }
  RC_ASSERT(set.smallest() == smallest);
  RC_ASSERT(set.empty() == bits.none());
}

RC_GTEST_PROP(IntervalSet, AgreesWithBits, ()) {
  const Both a = random_set();
  const Both b = random_set();
  expect_same(a.set.unite(b.set), a.bits | b.bits);
  expect_same(a.set.intersect(b.set), a.bits & b.bits);
  expect_same(a.set.complement(), ~a.bits);
  expect_same(a.set.subtract(b.set), a.bits & ~b.bits);
  RC_ASSERT(a.set.included_in(b.set) == (a.bits & ~b.bits).none());
  RC_ASSERT((a.set == b.set) == (a.bits == b.bits));
}

TEST(IntervalSet, Bounds) {
  EXPECT_TRUE(IntervalSet::range(5, 4).empty());
  EXPECT_TRUE(IntervalSet::range(70000, 80000).empty());
  EXPECT_EQ(IntervalSet::range(65535, 0xFFFFFFFF).count(), 1U);
  EXPECT_EQ(IntervalSet::all().count(), 65536U);
  EXPECT_TRUE(IntervalSet::all().complement().empty());
  EXPECT_EQ(IntervalSet::range(1, 2).unite(IntervalSet::range(3, 4)), IntervalSet::range(1, 4));
}

}  // namespace
}  // namespace nd7::decide
