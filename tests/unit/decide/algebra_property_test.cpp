// Laws of the algebra of languages, on random expressions and texts.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "compiler/decide/automaton.hpp"
#include "compiler/decide/regex_automaton.hpp"
#include "compiler/decide/search.hpp"
#include "tests/support/regex_oracle.hpp"

namespace nd7::decide {
namespace {

using testing::all_words;
using testing::NaiveRegex;
using testing::regex_from;

std::vector<std::uint8_t> random_program() {
  return *rc::gen::container<std::vector<std::uint8_t>>(rc::gen::weightedOneOf<std::uint8_t>(
      {{3, rc::gen::inRange<std::uint8_t>(0, 5)}, {2, rc::gen::inRange<std::uint8_t>(0, 12)}}));
}

TextPattern random_text() {
  TextPattern pattern;
  pattern.kind = static_cast<TextPattern::Kind>(*rc::gen::inRange(0, 4));
  pattern.text = "/" + *rc::gen::container<std::string>(rc::gen::element('a', 'b', '/'));
  return pattern;
}

Automaton random_language() {
  if (*rc::gen::inRange(0, 3) == 0) {
    std::vector<TextPattern> patterns;
    const int count = *rc::gen::inRange(0, 8);
    for (int i = 0; i < count; ++i) patterns.push_back(random_text());
    return Automaton::from_texts(patterns);
  }
  // An expression of exponential size is replaced by a text.
  const auto automaton = regex_automaton(regex_from(random_program()), {}, {2000, 200'000});
  return automaton ? *automaton : Automaton::subpath("/a");
}

RC_GTEST_PROP(Algebra, Laws, ()) {
  const Automaton a = random_language();
  const Automaton b = random_language();
  const Automaton c = random_language();
  const auto either = unite(a, b);
  const auto both = intersect(a, b);
  const auto minus = subtract(a, b);
  RC_PRE(either && both && minus);
  RC_ASSERT(*either == unite(b, a));
  RC_ASSERT(*both == intersect(b, a));
  RC_ASSERT(*minus == intersect(a, b.complement()));
  RC_ASSERT(either->complement() == intersect(a.complement(), b.complement()));
  RC_ASSERT(both->complement() == unite(a.complement(), b.complement()));
  RC_ASSERT(unite(*either, c) == unite(a, unite(b, c).value()));
  RC_ASSERT(intersect(*either, c) == unite(intersect(a, c).value(), intersect(b, c).value()));
  RC_ASSERT(a.complement().complement() == a);
  RC_ASSERT(unite(a, a) == a);
  RC_ASSERT(unite(a, a.complement())->universal());
  RC_ASSERT(intersect(a, a.complement())->empty());
  RC_ASSERT(unite(a, *both) == a);
  RC_ASSERT((included(a, b) == Answer::yes) == minus->empty());
  RC_ASSERT((disjoint(a, b) == Answer::yes) == both->empty());
  RC_ASSERT(included(*both, a) == Answer::yes);
  for (const std::string& word : all_words("ab/", 4)) {
    RC_ASSERT(either->accepts(word) == (a.accepts(word) || b.accepts(word)));
    RC_ASSERT(both->accepts(word) == (a.accepts(word) && b.accepts(word)));
    RC_ASSERT(minus->accepts(word) == (a.accepts(word) && !b.accepts(word)));
  }
}

RC_GTEST_PROP(Algebra, ResultsAreMinimalAndCanonical, ()) {
  const Automaton a = random_language();
  const Automaton b = random_language();
  const auto either = unite(a, b);
  RC_PRE(either.has_value());
  const TransitionTable& table = either->table();
  const auto blocks = equivalence_classes(table);
  RC_ASSERT(*std::max_element(blocks.begin(), blocks.end()) + 1 == table.size());
  RC_ASSERT(canonical(table, 0) == table);
}

/// Equivalent states by the table-filling definition.
RC_GTEST_PROP(Algebra, RefinementAgreesWithTheDefinition, ()) {
  TransitionTable table;
  for (const char letter : {'a', 'b'}) {
    table.classes.refine(std::bitset<256>().set(static_cast<unsigned char>(letter)));
  }
  const auto size = *rc::gen::inRange<std::uint32_t>(1, 12);
  for (std::uint32_t state = 0; state < size; ++state) {
    std::vector<Edge> row;
    for (std::uint32_t c = 1; c < table.classes.count(); ++c) {
      if (*rc::gen::arbitrary<bool>())
        row.push_back({c, *rc::gen::inRange<std::uint32_t>(0, size)});
    }
    table.add_state(*rc::gen::inRange<std::uint32_t>(0, size), row, *rc::gen::inRange(0, 3) == 0);
  }
  std::vector<std::vector<bool>> differ(size, std::vector<bool>(size, false));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t p = 0; p < size; ++p) {
      for (std::uint32_t q = 0; q < size; ++q) {
        bool apart = table.accepting[p] != table.accepting[q];
        for (std::uint32_t c = 0; c < table.classes.count(); ++c) {
          apart = apart || differ[table.next(p, c)][table.next(q, c)];
        }
        if (apart && !differ[p][q]) differ[p][q] = changed = true;
      }
    }
  }
  const auto blocks = equivalence_classes(table);
  for (std::uint32_t p = 0; p < size; ++p) {
    for (std::uint32_t q = 0; q < size; ++q) {
      RC_ASSERT((blocks[p] == blocks[q]) == !differ[p][q]);
    }
  }
}

RC_GTEST_PROP(Search, WitnessesAreShortestAndReadBest, ()) {
  std::vector<Language> languages;
  std::vector<Automaton> automata;
  for (int i = 0; i < 3; ++i) {
    if (*rc::gen::arbitrary<bool>()) {
      const pattern::Regex regex = regex_from(random_program());
      const auto automaton = regex_automaton(regex, {}, {500, 50'000});
      RC_PRE(automaton.has_value());
      languages.push_back(Language::regex(regex).value());
      automata.push_back(*automaton);
    } else {
      automata.push_back(random_language());
      languages.emplace_back(automata.back());
    }
  }
  Formula formula;
  const auto first = formula.leaf(0);
  const auto second = formula.leaf(1);
  const auto third = formula.leaf(2);
  formula.all_of({first, formula.negate(second), formula.any_of({third, formula.constant(true)})});
  const SearchResult result = find_witness(languages, formula);
  const auto product = subtract(automata[0], automata[1]);
  RC_PRE(product && result.found != Answer::undecided);
  RC_ASSERT((result.found == Answer::no) == product->empty());
  if (result.found == Answer::no) return;
  RC_ASSERT(product->accepts(result.witness));
  const auto cost = [](const std::string& word) {
    std::uint32_t sum = 0;
    for (const char c : word) sum += reading_cost(static_cast<unsigned char>(c));
    return sum;
  };
  for (const std::string& word : all_words("ab/c", 4)) {
    if (!product->accepts(word)) continue;
    RC_ASSERT(result.witness.size() <= word.size());
    if (word.size() == result.witness.size()) RC_ASSERT(cost(result.witness) <= cost(word));
  }
}

RC_GTEST_PROP(RegexAutomaton, ThreeMatchersAgree, ()) {
  const auto program = random_program();
  RC_PRE(program.size() < 30);
  const pattern::Regex regex = regex_from(program);
  const auto automaton = regex_automaton(regex);
  RC_PRE(automaton.has_value());
  auto matcher = RegexMatcher::make(regex);
  const NaiveRegex naive(regex);
  for (const std::string& word : all_words("ab/", 4)) {
    const bool expected = naive.found_in(word);
    RC_ASSERT(automaton->accepts(word) == expected);
    RC_ASSERT(matcher->matches(word) == expected);
  }
}

}  // namespace
}  // namespace nd7::decide
