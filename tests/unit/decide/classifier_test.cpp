#include "compiler/decide/classifier.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/regex_oracle.hpp"

namespace nd7::decide {
namespace {

using testing::all_words;
using testing::NaiveRegex;
using testing::regex_from;
using testing::RegexMaker;
using Kind = TextPattern::Kind;
using Ids = std::vector<std::uint32_t>;

Ids ids(std::span<const std::uint32_t> patterns) { return {patterns.begin(), patterns.end()}; }

/// The number of patterns that match, and the first of them, in one number.
std::uint8_t fingerprint(std::span<const std::uint32_t> matching) {
  std::uint32_t value = 1;
  for (const std::uint32_t id : matching) value = (value * 31 + id) % 251;
  return static_cast<std::uint8_t>(value);
}

pattern::Regex name_regex(const std::string& name) {
  RegexMaker make;
  const auto before = make.alt({make.begin(), make.byte('/')});
  const auto after = make.alt({make.byte('/'), make.end()});
  return make.done(make.seq({before, make.text(name), after}));
}

TEST(Classifier, NestedTextsAddUp) {
  const std::vector<Classifier::Pattern> patterns{
      TextPattern{Kind::subpath, "/a"},  TextPattern{Kind::subpath, "/a/b"},
      TextPattern{Kind::prefix, "/a/b"}, TextPattern{Kind::literal, "/a/b/c"},
      TextPattern{Kind::subpath, "/"},   TextPattern{Kind::ancestors, "/a/b/c"}};
  const auto classifier = Classifier::compile(patterns);
  ASSERT_TRUE(classifier);
  Decider decider(*classifier, fingerprint);
  EXPECT_EQ(ids(decider.matching("/a")), (Ids{0, 4, 5}));
  EXPECT_EQ(ids(decider.matching("/a/b")), (Ids{0, 1, 2, 4, 5}));
  EXPECT_EQ(ids(decider.matching("/a/bx")), (Ids{0, 2, 4}));
  EXPECT_EQ(ids(decider.matching("/a/b/c")), (Ids{0, 1, 2, 3, 4}));
  EXPECT_EQ(ids(decider.matching("/a/b/c/d")), (Ids{0, 1, 2, 4}));
  EXPECT_EQ(ids(decider.matching("/ab")), (Ids{4}));
  EXPECT_EQ(ids(decider.matching("/")), (Ids{4, 5}));
  EXPECT_EQ(ids(decider.matching("")), Ids{});
}

RC_GTEST_PROP(Classifier, AgreesWithEachPatternByItself, ()) {
  std::vector<Classifier::Pattern> patterns;
  std::vector<pattern::Regex> regexes;
  const int count = *rc::gen::inRange(0, 10);
  for (int i = 0; i < count; ++i) {
    const auto text = "/" + *rc::gen::container<std::string>(rc::gen::element('a', 'b', '/'));
    const auto kind = static_cast<Kind>(*rc::gen::inRange(0, 4));
    const auto program =
        *rc::gen::container<std::vector<std::uint8_t>>(10, rc::gen::inRange<std::uint8_t>(0, 12));
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        patterns.emplace_back(Automaton::from_texts(std::vector<TextPattern>{{kind, text}}));
        break;
      case 1: patterns.emplace_back(RegexPattern{regex_from(program), {}}); break;
      default: patterns.emplace_back(TextPattern{kind, text});
    }
  }
  // With next to no budget everything is simulated or walked: the answers must not change.
  const Budget budget = *rc::gen::arbitrary<bool>() ? Classifier::kDefaultBudget : Budget{10, 10};
  const auto classifier = Classifier::compile(patterns, budget);
  RC_ASSERT(classifier.has_value());
  Decider decider(*classifier, fingerprint);
  for (const std::string& word : all_words("ab/", 3)) {
    Ids expected;
    for (std::uint32_t id = 0; id < patterns.size(); ++id) {
      bool matches = false;
      if (const auto* text = std::get_if<TextPattern>(&patterns[id])) {
        matches = Automaton::from_texts({text, 1}).accepts(word);
      } else if (const auto* regex = std::get_if<RegexPattern>(&patterns[id])) {
        matches = NaiveRegex(regex->regex).found_in(word);
      } else {
        matches = std::get<Automaton>(patterns[id]).accepts(word);
      }
      if (matches) expected.push_back(id);
    }
    RC_ASSERT(decider.decide(word) == fingerprint(expected));
    RC_ASSERT(decider.decide(word) == fingerprint(expected));
    RC_ASSERT(ids(decider.matching(word)) == expected);
  }
}

TEST(Classifier, ManyNamesShareOneSmallAutomaton) {
  std::vector<Classifier::Pattern> patterns;
  for (int i = 0; i < 200; ++i) {
    patterns.emplace_back(RegexPattern{name_regex("name" + std::to_string(i)), {}});
  }
  const auto classifier = Classifier::compile(patterns);
  ASSERT_TRUE(classifier);
  const auto statistics = classifier->statistics();
  EXPECT_EQ(statistics.automata, 1U);
  EXPECT_LT(statistics.automaton_states, 1000U);
  EXPECT_EQ(statistics.simulated_patterns, 0U);
  Decider decider(*classifier, fingerprint);
  EXPECT_EQ(ids(decider.matching("/name3/x/name17/name3")), (Ids{3, 17}));
  EXPECT_EQ(ids(decider.matching("/name3x")), Ids{});
}

TEST(Classifier, ExplosivePatternsAreSimulatedAndTheRestIsNot) {
  std::vector<Classifier::Pattern> patterns;
  for (int i = 0; i < 3; ++i) {
    RegexMaker make;
    std::vector<RegexMaker::Id> parts{make.byte('a')};
    for (int dots = 0; dots < 20 + i; ++dots) parts.push_back(make.dot());
    parts.push_back(make.end());
    patterns.emplace_back(RegexPattern{make.done(make.seq(parts)), {}});
  }
  patterns.emplace_back(RegexPattern{name_regex("x"), {}});
  patterns.emplace_back(TextPattern{Kind::subpath, "/a"});
  const auto classifier = Classifier::compile(patterns);
  ASSERT_TRUE(classifier);
  EXPECT_EQ(classifier->statistics().simulated_patterns, 3U);
  EXPECT_EQ(classifier->statistics().automata, 1U);
  Decider decider(*classifier, fingerprint);
  EXPECT_EQ(ids(decider.matching("/a/x/" + std::string(18, 'b'))), (Ids{1, 3, 4}));
}

TEST(Classifier, ForgettingKeepsAnswers) {
  // More sets of names than are remembered.
  std::vector<Classifier::Pattern> patterns;
  for (int i = 0; i < 14; ++i) {
    patterns.emplace_back(RegexPattern{name_regex(std::string(1, static_cast<char>('a' + i))), {}});
  }
  const auto classifier = Classifier::compile(patterns);
  ASSERT_TRUE(classifier);
  Decider decider(*classifier, fingerprint);
  for (std::uint32_t set = 0; set < (1U << 14U); set += 2) {
    std::string path;
    Ids expected;
    for (std::uint32_t i = 0; i < 14; ++i) {
      if ((set >> i & 1U) == 0) continue;
      path += std::string("/") + static_cast<char>('a' + i);
      expected.push_back(i);
    }
    ASSERT_EQ(decider.decide(path), fingerprint(expected)) << path;
  }
}

TEST(Classifier, AHoleWithoutTextIsRefused) {
  RegexMaker make;
  const std::vector<Classifier::Pattern> patterns{RegexPattern{make.done(make.hole(0)), {}}};
  EXPECT_FALSE(Classifier::compile(patterns));
}

}  // namespace
}  // namespace nd7::decide
