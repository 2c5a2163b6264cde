#include "compiler/decide/bdd.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

namespace nd7::decide {
namespace {

using Function = Bdd::Function;

constexpr unsigned kAtoms = 5;
constexpr std::uint32_t kRows = 1U << kAtoms;

std::vector<bool> row_of(std::uint32_t row) {
  std::vector<bool> atoms;
  for (unsigned i = 0; i < kAtoms; ++i) atoms.push_back((row >> i & 1U) != 0);
  return atoms;
}

/// A function and, by hand, its truth table.
struct Pair {
  Function function;
  std::uint32_t table;
};

std::uint32_t atom_table(unsigned atom) {
  std::uint32_t table = 0;
  for (std::uint32_t row = 0; row < kRows; ++row) {
    if ((row >> atom & 1U) != 0) table |= 1U << row;
  }
  return table;
}

RC_GTEST_PROP(Bdd, AgreesWithTruthTables, ()) {
  Bdd bdd;
  std::vector<Pair> pool{{Bdd::constant(false), 0}, {Bdd::constant(true), 0xFFFFFFFF}};
  for (unsigned i = 0; i < kAtoms; ++i) pool.push_back({bdd.variable(i), atom_table(i)});
  const auto any = [&] { return pool[*rc::gen::inRange<std::size_t>(0, pool.size())]; };
  const int operations = *rc::gen::inRange(1, 25);
  for (int i = 0; i < operations; ++i) {
    const Pair f = any();
    const Pair g = any();
    const Pair h = any();
    switch (*rc::gen::inRange(0, 6)) {
      case 0: pool.push_back({bdd.negate(f.function), ~f.table}); break;
      case 1: pool.push_back({bdd.conjunction(f.function, g.function), f.table & g.table}); break;
      case 2: pool.push_back({bdd.disjunction(f.function, g.function), f.table | g.table}); break;
      case 3:
        pool.push_back({bdd.if_then_else(f.function, g.function, h.function),
                        (f.table & g.table) | (~f.table & h.table)});
        break;
      case 4: {
        const std::vector<Function> parts{f.function, g.function, h.function};
        pool.push_back({bdd.any_of(parts), f.table | g.table | h.table});
        pool.push_back({bdd.all_of(parts), f.table & g.table & h.table});
        break;
      }
      default: {
        const std::vector<Bdd::Case> cases{{f.function, g.function}, {g.function, h.function}};
        const std::uint32_t otherwise = (g.table & h.table) | (~g.table & f.table);
        pool.push_back(
            {bdd.first_match(cases, f.function), (f.table & g.table) | (~f.table & otherwise)});
      }
    }
  }
  for (const Pair& f : pool) {
    for (std::uint32_t row = 0; row < kRows; ++row) {
      const bool expected = (f.table >> row & 1U) != 0;
      RC_ASSERT((bdd.evaluate(f.function, row_of(row)) == Answer::yes) == expected);
    }
    const auto model = bdd.sat_one(f.function);
    RC_ASSERT(model.has_value() == (f.table != 0));
    if (model) {
      std::vector<bool> atoms(kAtoms, false);
      for (const auto& [atom, value] : *model) atoms[atom] = value;
      RC_ASSERT(bdd.evaluate(f.function, atoms) == Answer::yes);
    }
    RC_ASSERT((bdd.satisfiable(f.function) == Answer::yes) == (f.table != 0));
    RC_ASSERT((bdd.valid(f.function) == Answer::yes) == (f.table == 0xFFFFFFFF));
    for (const Pair& g : pool) {
      RC_ASSERT((bdd.equal(f.function, g.function) == Answer::yes) == (f.table == g.table));
    }
  }
}

TEST(Bdd, LargeDisjunctionsInAnyOrderAreNearLinear) {
  constexpr std::uint32_t kMany = 10'000;
  for (const std::uint32_t stride : {1U, 7U, 9'999U}) {
    Bdd bdd(Budget{2'000'000, 2'000'000});
    std::vector<Function> atoms;
    for (std::uint32_t i = 0; i < kMany; ++i) {
      atoms.push_back(bdd.variable(static_cast<std::uint32_t>(std::uint64_t{i} * stride % kMany)));
    }
    const Function all = bdd.any_of(atoms);
    ASSERT_FALSE(all.undecided());
    EXPECT_EQ(bdd.nodes_of(all), kMany + 2);
    const Function none = bdd.negate(all);
    EXPECT_EQ(bdd.nodes_of(none), kMany + 2);
    EXPECT_EQ(bdd.equal(bdd.negate(none), all), Answer::yes);
    const auto model = bdd.sat_one(none);
    ASSERT_TRUE(model);
    EXPECT_EQ(model->size(), kMany);
  }
}

TEST(Bdd, DeepOperationsDoNotRecurse) {
  constexpr std::uint32_t kMany = 100'000;
  Bdd bdd;
  std::vector<Function> even;
  std::vector<Function> odd;
  for (std::uint32_t i = 0; i < kMany; ++i) (i % 2 == 0 ? even : odd).push_back(bdd.variable(i));
  const Function both = bdd.disjunction(bdd.any_of(even), bdd.any_of(odd));
  EXPECT_EQ(bdd.nodes_of(both), kMany + 2);
}

TEST(Bdd, FirstMatchOfManyIsNearLinear) {
  constexpr std::uint32_t kMany = 10'000;
  Bdd bdd(Budget{4'000'000, 8'000'000});
  std::vector<Bdd::Case> cases;
  for (std::uint32_t i = 0; i < kMany; ++i) {
    cases.push_back({bdd.variable(i), Bdd::constant(i % 3 == 0)});
  }
  const Function first = bdd.first_match(cases, Bdd::constant(false));
  ASSERT_FALSE(first.undecided());
  std::reverse(cases.begin(), cases.end());
  const Function last = bdd.first_match(cases, Bdd::constant(false));
  ASSERT_FALSE(last.undecided());
  EXPECT_EQ(bdd.equal(first, last), Answer::no);
  std::vector<bool> atoms(kMany, false);
  atoms[1] = atoms[3] = true;
  EXPECT_EQ(bdd.evaluate(first, atoms), Answer::no);
  EXPECT_EQ(bdd.evaluate(last, atoms), Answer::yes);
}

TEST(Bdd, BeyondTheBudgetNothingIsEqual) {
  Bdd bdd(Budget{6, 1000});
  std::vector<Function> atoms;
  for (std::uint32_t i = 0; i < 6; ++i) atoms.push_back(bdd.variable(i));
  const Function f = bdd.any_of(atoms);
  EXPECT_TRUE(f.undecided());
  EXPECT_EQ(bdd.equal(f, f), Answer::undecided);
  EXPECT_EQ(bdd.satisfiable(f), Answer::undecided);
  EXPECT_EQ(bdd.evaluate(f, {}), Answer::undecided);
  EXPECT_FALSE(bdd.sat_one(f));
  EXPECT_TRUE(bdd.negate(f).undecided());

  // Pairs of the two halves in the worst order: exponential, stopped by either bound.
  for (const Budget& budget : {Budget{5'000, 10'000'000}, Budget{1'000'000, 5'000}}) {
    Bdd small(budget);
    std::vector<Function> pairs;
    for (std::uint32_t i = 0; i < 20; ++i) {
      pairs.push_back(small.conjunction(small.variable(i), small.variable(i + 20)));
    }
    EXPECT_TRUE(small.any_of(pairs).undecided());
    EXPECT_LE(small.nodes(), budget.states + 2);
  }
}

}  // namespace
}  // namespace nd7::decide
