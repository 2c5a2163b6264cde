#include "compiler/decide/search.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/support/regex_oracle.hpp"

namespace nd7::decide {
namespace {

using testing::RegexMaker;

TEST(Formula, ThreeValuedEvaluation) {
  Formula formula;
  const auto a = formula.leaf(0);
  const auto b = formula.leaf(1);
  formula.any_of({a, formula.negate(b)});
  std::vector<Answer> scratch;
  const auto value = [&](Answer x, Answer y) {
    return formula.evaluate(std::array<Answer, 2>{x, y}, scratch);
  };
  EXPECT_EQ(value(Answer::yes, Answer::undecided), Answer::yes);
  EXPECT_EQ(value(Answer::no, Answer::undecided), Answer::undecided);
  EXPECT_EQ(value(Answer::undecided, Answer::no), Answer::yes);
  EXPECT_EQ(value(Answer::no, Answer::yes), Answer::no);
  EXPECT_EQ(Formula().evaluate({}, scratch), Answer::undecided);
}

TEST(Search, FindsWhatADenyLeavesOpen) {
  const std::vector<Language> languages{Automaton::subpath("/home"), Automaton::subpath("/home/k"),
                                        Automaton::well_formed_paths()};
  Formula formula;
  const auto allowed = formula.leaf(0);
  const auto denied = formula.leaf(1);
  const auto path = formula.leaf(2);
  formula.all_of({allowed, formula.negate(denied), path});
  const SearchResult result = find_witness(languages, formula);
  EXPECT_EQ(result.found, Answer::yes);
  EXPECT_EQ(result.witness, "/home");
}

TEST(Search, WitnessesAreWellFormedAndReadable) {
  RegexMaker make;  // ^/k/[^/]+/[^/]+$ and not under /k/a
  const auto some = [&] { return make.node(RegexMaker::Kind::plus, {make.but('/')}); };
  const auto regex = Language::regex(make.done(
      make.seq({make.begin(), make.text("/k/"), some(), make.byte('/'), some(), make.end()})));
  ASSERT_TRUE(regex);
  const std::vector<Language> languages{*regex, Automaton::subpath("/k/a"),
                                        Automaton::well_formed_paths()};
  Formula formula;
  const auto matches = formula.leaf(0);
  const auto covered = formula.leaf(1);
  const auto path = formula.leaf(2);
  formula.all_of({matches, formula.negate(covered), path});
  const SearchResult result = find_witness(languages, formula);
  EXPECT_EQ(result.found, Answer::yes);
  EXPECT_EQ(result.witness, "/k/b/b");
}

TEST(Search, NothingIsToldFromUndecided) {
  const std::vector<Language> languages{Automaton::subpath("/a/b/c"), Automaton::subpath("/a")};
  Formula formula;
  const auto inner = formula.leaf(0);
  const auto outer = formula.leaf(1);
  formula.all_of({inner, formula.negate(outer)});
  EXPECT_EQ(find_witness(languages, formula).found, Answer::no);
  EXPECT_EQ(find_witness(languages, formula, {2, 1000}).found, Answer::undecided);
  EXPECT_EQ(find_witness(languages, formula, {1000, 3}).found, Answer::undecided);
}

TEST(Search, FollowsAnExpressionTooLargeForAnAutomaton) {
  RegexMaker make;
  std::vector<RegexMaker::Id> parts{make.byte('a')};
  for (int i = 0; i < 30; ++i) parts.push_back(make.dot());
  parts.push_back(make.end());
  const auto regex = Language::regex(make.done(make.seq(parts)));
  ASSERT_TRUE(regex);
  // Beside a single text only one state in each position is visited.
  const std::vector<Language> languages{
      *regex, Automaton::literal("/" + std::string(10, 'b') + "a" + std::string(30, 'c'))};
  Formula formula;
  const auto in_regex = formula.leaf(0);
  const auto in_text = formula.leaf(1);
  formula.all_of({in_regex, in_text});
  EXPECT_EQ(find_witness(languages, formula).found, Answer::yes);
  // A formula that cannot hold is not explored at all.
  Formula outside;
  const auto in = outside.leaf(0);
  outside.all_of({in, outside.constant(false)});
  EXPECT_EQ(find_witness(languages, outside).found, Answer::no);
}

TEST(Search, ConstantFormulas) {
  Formula always;
  always.constant(true);
  const SearchResult result = find_witness({}, always);
  EXPECT_EQ(result.found, Answer::yes);
  EXPECT_EQ(result.witness, "");
}

TEST(Inclusion, OfPaths) {
  EXPECT_EQ(included(Automaton::subpath("/a/b"), Automaton::subpath("/a")), Answer::yes);
  EXPECT_EQ(included(Automaton::subpath("/a"), Automaton::subpath("/a/b")), Answer::no);
  EXPECT_EQ(included(Automaton::none(), Automaton::none()), Answer::yes);
  EXPECT_EQ(disjoint(Automaton::subpath("/a"), Automaton::ancestors("/a/b/c")), Answer::no);
  EXPECT_EQ(disjoint(Automaton::subpath("/a/b/c"), Automaton::ancestors("/a/b/c")), Answer::yes);
}

}  // namespace
}  // namespace nd7::decide
