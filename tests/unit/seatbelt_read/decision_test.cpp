// One row of decisions.tsv is one profile, one request, one verdict.
#include <gtest/gtest.h>

#include <set>

#include "tests/unit/seatbelt_read/support.hpp"

namespace nd7::seatbelt::read::test {
namespace {

TEST(Decisions, EveryRowHolds) {
  const std::optional<Table> table =
      read_table(ND7_SOURCE_DIR "/tests/unit/seatbelt_read/decisions.tsv");
  ASSERT_TRUE(table);
  std::set<std::string> ids;
  for (const std::vector<std::string>& row : table->rows) {
    ASSERT_EQ(row.size(), 6U) << row[0];
    EXPECT_TRUE(ids.insert(row[0]).second) << row[0];
    EXPECT_EQ(verdict(row[1], row[2], row[3]), row[4]) << row[0];
  }
  EXPECT_GE(ids.size(), 70U);
}

}  // namespace
}  // namespace nd7::seatbelt::read::test
