#include "compiler/decide/automaton.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/regex_oracle.hpp"

namespace nd7::decide {
namespace {

using testing::all_words;
using Kind = TextPattern::Kind;

bool naive_matches(const TextPattern& pattern, const std::string& word) {
  const std::string& text = pattern.text;
  switch (pattern.kind) {
    case Kind::literal: return word == text;
    case Kind::prefix: return word.substr(0, text.size()) == text;
    case Kind::subpath:
      if (text == "/") return word.substr(0, 1) == "/";
      return word == text || word.substr(0, text.size() + 1) == text + "/";
    case Kind::ancestors: {
      if (text.empty() || text[0] != '/' || text == "/") return false;
      if (word == "/") return true;
      for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '/' && word == text.substr(0, i)) return true;
      }
      return false;
    }
  }
  return false;
}

TEST(Automaton, ConstantLanguages) {
  EXPECT_TRUE(Automaton::none().empty());
  EXPECT_TRUE(Automaton::any().universal());
  EXPECT_EQ(Automaton::none().complement(), Automaton::any());
  EXPECT_EQ(Automaton::none().states(), 1U);
  EXPECT_TRUE(Automaton::from_texts({}).empty());
  EXPECT_TRUE(Automaton::prefix("").universal());
  EXPECT_TRUE(Automaton::literal("").accepts(""));
  EXPECT_FALSE(Automaton::literal("").accepts("a"));
}

TEST(Automaton, EveryTextPatternOverSmallWords) {
  const auto texts = all_words("ab/", 3);
  const auto words = all_words("ab/", 5);
  for (const Kind kind : {Kind::literal, Kind::prefix, Kind::subpath, Kind::ancestors}) {
    for (const std::string& text : texts) {
      const std::vector<TextPattern> patterns{{kind, text}};
      const Automaton automaton = Automaton::from_texts(patterns);
      EXPECT_EQ(automaton, Automaton::from_table(automaton.table(), 0))
          << "not canonical: " << text;
      for (const std::string& word : words) {
        ASSERT_EQ(automaton.accepts(word), naive_matches(patterns[0], word))
            << static_cast<int>(kind) << " " << text << " on " << word;
      }
    }
  }
}

TEST(Automaton, SubpathKeepsTheComponentBoundary) {
  const Automaton ssh = Automaton::subpath("/h/.ssh");
  EXPECT_TRUE(ssh.accepts("/h/.ssh"));
  EXPECT_TRUE(ssh.accepts("/h/.ssh/id"));
  EXPECT_FALSE(ssh.accepts("/h/.sshd"));
  EXPECT_FALSE(ssh.accepts("/h"));
  EXPECT_TRUE(Automaton::subpath("/").accepts("/"));
  EXPECT_TRUE(Automaton::subpath("/").accepts("/a"));
}

TEST(Automaton, TextsMayHoldAnyByte) {
  std::vector<TextPattern> patterns;
  const std::string nul("/a\0b", 4);
  patterns.push_back({Kind::literal, nul});
  patterns.push_back({Kind::literal, "/a\xFF"});
  patterns.push_back({Kind::subpath, "/\n"});
  const Automaton automaton = Automaton::from_texts(patterns);
  EXPECT_TRUE(automaton.accepts(nul));
  EXPECT_FALSE(automaton.accepts("/ab"));
  EXPECT_FALSE(automaton.accepts(std::string("/a\0c", 4)));
  EXPECT_TRUE(automaton.accepts("/a\xFF"));
  EXPECT_TRUE(automaton.accepts("/\n/x"));
  EXPECT_EQ(automaton, Automaton::from_table(automaton.table(), 0));
}

TEST(Automaton, PrefixesByEveryByteAreTheWholeLanguage) {
  std::vector<TextPattern> patterns{{Kind::literal, ""}};
  for (int byte = 0; byte < 256; ++byte) {
    patterns.push_back({Kind::prefix, std::string(1, static_cast<char>(byte))});
  }
  EXPECT_TRUE(Automaton::from_texts(patterns).universal());
}

TEST(Automaton, WellFormedPathsAreExactlyThose) {
  const Automaton paths = Automaton::well_formed_paths();
  for (const std::string& word : all_words("a./", 6)) {
    bool expected = !word.empty() && word[0] == '/';
    std::string component;
    for (std::size_t i = 1; expected && word != "/" && i <= word.size(); ++i) {
      if (i < word.size() && word[i] != '/') {
        component += word[i];
        continue;
      }
      expected = !component.empty() && component != "." && component != "..";
      component.clear();
    }
    ASSERT_EQ(paths.accepts(word), expected) << word;
  }
  EXPECT_FALSE(paths.accepts(std::string("/a\0b", 4)));
  EXPECT_FALSE(paths.accepts(std::string("\0", 1)));
}

TEST(Automaton, AnAlphabetIsNoLargerThanItsUse) {
  EXPECT_EQ(Automaton::subpath("/").classes(), 2U);
  EXPECT_EQ(Automaton::any().classes(), 1U);
  // `/`, `a` and the rest.
  EXPECT_EQ(Automaton::subpath("/aaa").classes(), 3U);
}

TEST(Automaton, TenThousandSubpathsAreOneTrie) {
  std::vector<TextPattern> patterns;
  for (int i = 0; i < 10'000; ++i) {
    patterns.push_back({Kind::subpath, "/Users/someone/projects/p" + std::to_string(i * 7919)});
  }
  const Automaton automaton = Automaton::from_texts(patterns);
  EXPECT_TRUE(automaton.accepts(patterns[4711].text + "/src"));
  EXPECT_FALSE(automaton.accepts(patterns[4711].text + "x"));
  std::ranges::reverse(patterns);
  EXPECT_EQ(automaton, Automaton::from_texts(patterns));
}

TEST(Automaton, UnionOfManyEqualsTheTrie) {
  std::vector<TextPattern> patterns;
  std::vector<Automaton> parts;
  for (int i = 0; i < 50; ++i) {
    patterns.push_back({i % 3 == 0 ? Kind::prefix : Kind::subpath, "/p/" + std::to_string(i * i)});
    parts.push_back(Automaton::from_texts({&patterns.back(), 1}));
  }
  const auto united = unite_all(parts);
  ASSERT_TRUE(united);
  EXPECT_EQ(*united, Automaton::from_texts(patterns));
  EXPECT_EQ(unite_all({}), Automaton::none());
  EXPECT_EQ(intersect_all({}), Automaton::any());
}

TEST(Automaton, ProductsHonourTheirBudget) {
  const Automaton a = Automaton::subpath("/some/rather/long/path/a");
  const Automaton b = Automaton::subpath("/some/rather/long/path/b");
  EXPECT_FALSE(unite(a, b, {5, 1000}));
  EXPECT_FALSE(unite(a, b, {1000, 5}));
  EXPECT_TRUE(unite(a, b, {1000, 1000}));
  EXPECT_EQ(disjoint(a, b, {5, 1000}), Answer::undecided);
  EXPECT_EQ(included(a, b, {1000, 5}), Answer::undecided);
  EXPECT_EQ(disjoint(a, b), Answer::yes);
}

}  // namespace
}  // namespace nd7::decide
