// Counts how many generated cases were worth having: a green property over trivial cases says
// nothing.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>

namespace nd7::test {

class Census {
 public:
  void count(bool worthwhile) {
    ++all_;
    if (worthwhile) ++worthwhile_;
  }
  void expect_mostly_worthwhile() const {
    EXPECT_GT(all_, 0U);
    EXPECT_GT(static_cast<double>(worthwhile_), 0.9 * static_cast<double>(all_))
        << worthwhile_ << " of " << all_;
  }

 private:
  std::size_t all_ = 0;
  std::size_t worthwhile_ = 0;
};

}  // namespace nd7::test
