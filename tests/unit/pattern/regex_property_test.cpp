#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "compiler/pattern/glob.hpp"
#include "compiler/pattern/regex.hpp"
#include "tests/unit/pattern/census.hpp"
#include "tests/unit/pattern/generators.hpp"
#include "tests/unit/pattern/regex_matcher.hpp"

namespace nd7::pattern {
namespace {

Regex parsed(const std::string& text) {
  RegexResult result = parse_regex(text, RegexMode::strict);
  RC_ASSERT(result.regex.has_value());
  return *std::move(result.regex);
}

/// `count` of what `one` makes.
std::string several(const rc::Gen<char>& one, std::size_t count) {
  return *rc::gen::container<std::string>(count, one);
}

TEST(RegexProperty, QuotedTextMatchesItselfOnly) {
  test::Census census;
  const auto byte = rc::gen::map(rc::gen::inRange(1, 256), [](int value) {
    return static_cast<char>(static_cast<unsigned char>(value));
  });
  const auto special = rc::gen::elementOf(std::string{"^.[$()|*+?{}]\\-/a"});
  ASSERT_TRUE(rc::check("quote", [&] {
    const auto count = *rc::gen::inRange<std::size_t>(1, 40);
    const std::string text = several(rc::gen::oneOf(byte, special), count) + several(special, 5);
    census.count(quote_regex(text) != text);
    const Regex regex = parsed("^" + quote_regex(text) + "$");
    RC_ASSERT(oracle::matches(regex, text));
    RC_ASSERT(anchored_prefix(regex) == text);
    for (std::size_t i = 0; i < text.size(); ++i) {
      std::string other = text;
      other[i] = static_cast<char>(other[i] ^ 0x20);
      RC_ASSERT(!oracle::matches(regex, other));
      RC_ASSERT(!oracle::matches(regex, text.substr(0, i) + text.substr(i + 1)));
    }
    RC_ASSERT(!oracle::matches(regex, text + *byte));
  }));
  census.expect_mostly_worthwhile();
}

TEST(RegexProperty, SampleIsAShortestMatch) {
  test::Census census;
  const auto texts = gen::all_texts("abcA/.]", 3);
  ASSERT_TRUE(rc::check("sample", [&] {
    const auto text = *gen::regex(3) + *gen::regex(3);
    const Regex regex = parsed(text);
    const auto shortest = sample(regex);
    RC_CLASSIFY(!shortest.has_value(), "matches nothing");
    RC_CLASSIFY(shortest.has_value() && !shortest->empty(), "matches text");
    census.count(text.size() > 2);
    if (shortest) RC_ASSERT(oracle::matches(regex, *shortest));
    for (const std::string& other : texts) {
      if (!shortest || other.size() < shortest->size()) RC_ASSERT(!oracle::matches(regex, other));
    }
  }));
  census.expect_mostly_worthwhile();
}

TEST(RegexProperty, EveryMatchBeginsWithTheAnchoredPrefix) {
  test::Census census;
  const auto texts = gen::all_texts("abA/", 3);
  const auto check = [&](const std::string& text) {
    const Regex regex = parsed(text);
    const auto prefix = anchored_prefix(regex);
    RC_ASSERT(prefix.has_value());
    const auto begins = [&](const std::string& subject) {
      return subject.compare(0, prefix->size(), *prefix) == 0;
    };
    const auto shortest = sample(regex);
    if (shortest) RC_ASSERT(begins(*shortest));
    for (const std::string& subject : texts) {
      RC_ASSERT(!oracle::matches(regex, subject) || begins(subject));
    }
    return shortest && !prefix->empty();
  };
  ASSERT_TRUE(rc::check("prefix", [&] {
    const auto literal = *rc::gen::element<std::string>("/", "/a", "a", "ab/");
    const auto first = *gen::regex(2, gen::Anchors::none);
    const auto second = *gen::regex(2, gen::Anchors::none);
    census.count(check("^(" + literal + first + "|" + literal + second + ")"));
    (void)check("(^" + first + ")|^(" + second + ")");
    (void)check("^(" + *gen::regex(3) + ")" + *gen::regex(2));
  }));
  census.expect_mostly_worthwhile();
}

/// Whether `regex` matches some text that differs from `subject` in ASCII case only.
bool matches_in_some_case(const Regex& regex, const std::string& subject, std::size_t from = 0) {
  for (std::size_t i = from; i < subject.size(); ++i) {
    const char byte = subject[i];
    if (!((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'))) continue;
    std::string other = subject;
    other[i] = static_cast<char>(byte ^ 0x20);
    return matches_in_some_case(regex, subject, i + 1) || matches_in_some_case(regex, other, i + 1);
  }
  return oracle::matches(regex, subject);
}

/// Compares the folded expression with its definition; whether it matched more than the original.
bool fold_widens(const std::string& text, const std::vector<std::string>& subjects) {
  const Regex regex = parsed(text);
  const std::string folded_text = fold_ascii_case(text);
  const Regex folded = parsed(folded_text);
  RC_ASSERT(fold_ascii_case(folded_text) == folded_text);
  bool widened = false;
  for (const std::string& subject : subjects) {
    const bool expected = matches_in_some_case(regex, subject);
    RC_ASSERT(oracle::matches(folded, subject) == expected);
    widened = widened || (expected && !oracle::matches(regex, subject));
  }
  return widened;
}

TEST(RegexProperty, FoldingMatchesWhatSomeCaseMatches) {
  test::Census census;
  const auto texts = gen::all_texts("abAB/", 3);
  ASSERT_TRUE(rc::check("fold", [&] {
    const auto letter = *rc::gen::element<std::string>("a", "B", "[^a]", "[A-b]", "[^aB]", "[/b]");
    const auto text =
        *gen::regex(1, gen::Anchors::none) + letter + *gen::regex(1, gen::Anchors::none);
    // A match, and what one changed byte makes of it.
    std::vector<std::string> near{*sample(parsed(text))};
    for (std::size_t i = 0; i < near[0].size(); ++i) {
      for (const char byte : {static_cast<char>(near[0][i] ^ 0x20), 'a', 'B', 'z', '/'}) {
        near.push_back(near[0]);
        near.back()[i] = byte;
      }
    }
    census.count(fold_widens("^(" + text + ")$", near));
    (void)fold_widens("^(" + *gen::regex(3) + ")$", texts);
    (void)fold_widens(*gen::regex(2), texts);
  }));
  census.expect_mostly_worthwhile();
}

TEST(RegexProperty, FoldingALiteralIsComparingInLowerCase) {
  test::Census census;
  const auto lower = [](std::string text) {
    for (char& byte : text) {
      if (byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte + 32);
    }
    return text;
  };
  ASSERT_TRUE(rc::check("lower", [&] {
    const auto text = several(rc::gen::elementOf(std::string{"abABabAB.[/\xe9\xc9@`"}),
                              *rc::gen::inRange<std::size_t>(4, 8));
    auto subject = text;
    for (char& byte : subject) {
      // For a letter the other case; for the rest another byte, which must not match.
      if (*rc::gen::weightedElement<bool>({{1, true}, {3, false}})) {
        byte = static_cast<char>(byte ^ 0x20);
      }
    }
    const bool expected = lower(subject) == lower(text);
    census.count(fold_ascii_case(quote_regex(text)) != quote_regex(text));
    RC_CLASSIFY(expected && subject != text, "match in another case");
    const Regex folded = parsed("^" + fold_ascii_case(quote_regex(text)) + "$");
    RC_ASSERT(oracle::matches(folded, subject) == expected);
  }));
  census.expect_mostly_worthwhile();
}

}  // namespace
}  // namespace nd7::pattern
