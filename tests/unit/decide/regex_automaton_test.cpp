#include "compiler/decide/regex_automaton.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "tests/support/regex_oracle.hpp"

namespace nd7::decide {
namespace {

using testing::all_words;
using testing::NaiveRegex;
using testing::regex_from;
using testing::RegexMaker;

/// Classes of Myhill and Nerode, counted over short words: exact for small automata.
std::size_t residuals(const Automaton& automaton, const std::vector<std::string>& words) {
  std::vector<std::vector<bool>> seen;
  for (const std::string& prefix : words) {
    std::vector<bool> residual;
    for (const std::string& rest : words) residual.push_back(automaton.accepts(prefix + rest));
    if (std::find(seen.begin(), seen.end(), residual) == seen.end()) seen.push_back(residual);
  }
  return seen.size();
}

/// Whether the stack machine of regex_from() always finds its operands: other programs build trees
/// that shorter ones build too.
bool well_formed(std::span<const std::uint8_t> program) {
  int depth = 0;
  for (const std::uint8_t op : program) {
    const int operands = op < 7 ? 0 : op < 9 ? 2 : 1;
    if (depth < operands) return false;
    depth += 1 - operands;
  }
  return true;
}

void check_all_of_length(std::size_t length, std::size_t longest_word) {
  const auto words = all_words("ab/", longest_word);
  const auto short_words = all_words("ab/.", 3);
  std::vector<std::uint8_t> program(length, 0);
  for (std::size_t code = 0;; ++code) {
    std::size_t rest = code;
    for (std::uint8_t& op : program) {
      op = static_cast<std::uint8_t>(rest % 12);
      rest /= 12;
    }
    if (rest != 0) return;
    if (!well_formed(program)) continue;
    const pattern::Regex regex = regex_from(program);
    const auto automaton = regex_automaton(regex);
    ASSERT_TRUE(automaton);
    auto matcher = RegexMatcher::make(regex);
    ASSERT_TRUE(matcher);
    const NaiveRegex naive(regex);
    for (const std::string& word : words) {
      const bool expected = naive.found_in(word);
      ASSERT_EQ(automaton->accepts(word), expected) << "code " << code << " on " << word;
      ASSERT_EQ(matcher->matches(word), expected) << "code " << code << " on " << word;
    }
    // With n states, words of n - 1 letters reach and tell apart all of them.
    if ((length < 3 || code % 50 == 0) && automaton->states() <= 4) {
      ASSERT_EQ(residuals(*automaton, short_words), automaton->states()) << "code " << code;
    }
  }
}

TEST(RegexAutomaton, AgreesWithTheObviousMatcherOnEverySmallExpression) {
  check_all_of_length(1, 5);
  check_all_of_length(2, 5);
  check_all_of_length(3, 5);
}

TEST(RegexAutomaton, AgreesWithTheObviousMatcherOnEveryExpressionOfFour) {
  check_all_of_length(4, 3);
}

TEST(RegexAutomaton, AnchorsMayStandAnywhere) {
  RegexMaker make;  // (^|/)x(/|$)
  const auto before = make.alt({make.begin(), make.byte('/')});
  const auto after = make.alt({make.byte('/'), make.end()});
  const pattern::Regex regex = make.done(make.seq({before, make.byte('x'), after}));
  const auto automaton = regex_automaton(regex);
  ASSERT_TRUE(automaton);
  for (const char* yes : {"x", "/x", "x/", "/x/", "a/x", "x/a", "xx/x", "/a/x/b"}) {
    EXPECT_TRUE(automaton->accepts(yes)) << yes;
  }
  for (const char* no : {"", "xx", "/xa", "ax", "/xa/ax", "/"}) {
    EXPECT_FALSE(automaton->accepts(no)) << no;
  }
}

TEST(RegexAutomaton, AnchorsThatCannotHold) {
  RegexMaker never;  // a^
  const auto nothing = regex_automaton(never.done(never.seq({never.byte('a'), never.begin()})));
  ASSERT_TRUE(nothing);
  EXPECT_TRUE(nothing->empty());
  RegexMaker empty_only;  // $^
  const auto empty_word =
      regex_automaton(empty_only.done(empty_only.seq({empty_only.end(), empty_only.begin()})));
  ASSERT_TRUE(empty_word);
  EXPECT_EQ(*empty_word, Automaton::literal(""));
}

TEST(RegexAutomaton, HolesAreLiteralText) {
  RegexMaker make;
  const pattern::Regex regex =
      make.done(make.seq({make.begin(), make.hole(1), make.text("/x"), make.end()}));
  const std::vector<std::string> holes{"unused", "/a.b*"};
  const auto automaton = regex_automaton(regex, holes);
  ASSERT_TRUE(automaton);
  EXPECT_EQ(*automaton, Automaton::literal("/a.b*/x"));
  EXPECT_FALSE(regex_automaton(regex, std::vector<std::string>{"only one"}));
  EXPECT_FALSE(RegexMatcher::make(regex));
}

/// `(a*)*b` and deeper; `.*a` before n dots; n times `.*a.*` within each other.
pattern::Regex nested_stars(int depth) {
  RegexMaker make;
  RegexMaker::Id id = make.byte('a');
  for (int i = 0; i < depth; ++i) id = make.star(id);
  return make.done(make.seq({id, make.byte('b')}));
}
pattern::Regex letter_before_dots(int dots) {
  RegexMaker make;
  std::vector<RegexMaker::Id> parts{make.byte('a')};
  for (int i = 0; i < dots; ++i) parts.push_back(make.dot());
  parts.push_back(make.end());
  return make.done(make.seq(parts));
}
pattern::Regex nested_infixes(int depth) {
  RegexMaker make;
  RegexMaker::Id id = make.byte('a');
  for (int i = 0; i < depth; ++i) {
    const auto left = make.star(make.dot());
    const auto right = make.star(make.dot());
    id = make.node(RegexMaker::Kind::plus, {make.seq({left, id, make.byte('a'), right})});
  }
  return make.done(make.seq({make.begin(), id, make.end()}));
}

TEST(RegexAutomaton, AdversarialPatternsEndWithinTheBound) {
  const auto begin = std::chrono::steady_clock::now();
  const auto stars = regex_automaton(nested_stars(40));
  ASSERT_TRUE(stars);
  EXPECT_EQ(stars->states(), 2U);
  EXPECT_FALSE(regex_automaton(letter_before_dots(25), {}, {20'000, 2'000'000}));
  EXPECT_TRUE(regex_automaton(letter_before_dots(8)));
  const auto infixes = regex_automaton(nested_infixes(20), {}, {20'000, 2'000'000});
  EXPECT_TRUE(!infixes || infixes->accepts(std::string(21, 'a')));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST(RegexAutomaton, SimulationNeedsNoAutomaton) {
  auto matcher = RegexMatcher::make(letter_before_dots(25));
  ASSERT_TRUE(matcher);
  std::string subject(5000, 'b');
  EXPECT_FALSE(matcher->matches(subject));
  subject[subject.size() - 26] = 'a';
  EXPECT_TRUE(matcher->matches(subject));
  auto stars = RegexMatcher::make(nested_stars(40));
  ASSERT_TRUE(stars);
  EXPECT_FALSE(stars->matches(std::string(20'000, 'a')));
}

TEST(RegexAutomaton, MalformedTreesAreRefusedOrHarmless) {
  pattern::Regex cycle;
  cycle.nodes.resize(2);
  cycle.nodes[0].kind = cycle.nodes[1].kind = pattern::RegexNode::Kind::concat;
  cycle.nodes[0].kids = {1};
  cycle.nodes[1].kids = {0};
  EXPECT_FALSE(regex_automaton(cycle));
  EXPECT_FALSE(regex_automaton(pattern::Regex{}));
  pattern::Regex outside;
  outside.nodes.resize(1);
  outside.nodes[0].kind = pattern::RegexNode::Kind::star;
  outside.nodes[0].kids = {7};
  EXPECT_FALSE(regex_automaton(outside));
}

TEST(NfaMatcher, NamesEveryPatternThatMatches) {
  Nfa nfa;
  RegexMaker one;
  ASSERT_TRUE(nfa.add(one.done(one.text("ab")), {}, 7));
  RegexMaker two;
  ASSERT_TRUE(nfa.add(two.done(two.seq({two.byte('b'), two.end()})), {}, 3));
  ASSERT_TRUE(nfa.add(Automaton::subpath("/ab"), 5));
  nfa.finish();
  NfaMatcher matcher(nfa);
  std::vector<std::uint32_t> patterns;
  matcher.match("/ab", patterns);
  EXPECT_EQ(patterns, (std::vector<std::uint32_t>{3, 5, 7}));
  patterns.clear();
  matcher.match("/ab/c", patterns);
  EXPECT_EQ(patterns, (std::vector<std::uint32_t>{5, 7}));
  patterns.clear();
  matcher.match("/abc", patterns);
  EXPECT_EQ(patterns, (std::vector<std::uint32_t>{7}));
}

}  // namespace
}  // namespace nd7::decide
