#include "compiler/decide/classifier.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace nd7::decide {
namespace {

constexpr std::uint8_t kUnknown = 255;

/// How many bytes of `subject` can be passed over: behind them the state is the target of `idle` on
/// the last of them. 0 when the state is not known that way.
std::size_t idle_bytes(const RegexBank::Dfa& dfa, std::string_view subject) {
  if (!dfa.has_pairs || subject.empty()) return 0;
  const std::uint32_t front = dfa.class_of[static_cast<unsigned char>(subject.front())];
  const std::uint32_t first = dfa.cells[dfa.start + front];
  if (first != dfa.cells[dfa.idle + front] || (first & RegexBank::Dfa::kSpecial) != 0) return 0;
  const std::uint16_t* const pairs = dfa.pairs.data();
  const auto* const begin = reinterpret_cast<const unsigned char*>(subject.data());
  const auto* const last = begin + subject.size() - 1;
  const auto* at = begin;
  // No chain of loads, and a branch that is nearly always the same: this passes over most subjects.
  for (; last - at >= 4; at += 4) {
    const unsigned m0 = pairs[at[0]];
    const unsigned m1 = pairs[at[1]];
    const unsigned m2 = pairs[at[2]];
    const unsigned m3 = pairs[at[3]];
    const unsigned m4 = pairs[at[4]];
    if (((m0 & m1 >> 8U) | (m1 & m2 >> 8U) | (m2 & m3 >> 8U) | (m3 & m4 >> 8U)) != 0) break;
  }
  while (at != last && (pairs[at[0]] & unsigned{pairs[at[1]]} >> 8U) == 0) ++at;
  return static_cast<std::size_t>(at - begin) + 1;
}

}  // namespace

std::optional<Classifier> Classifier::compile(std::span<const Pattern> patterns,
                                              const Budget& budget) {
  std::vector<TextIndex::Entry> texts;
  std::vector<RegexBank::Entry> expressions;
  for (std::uint32_t id = 0; id < patterns.size(); ++id) {
    if (const auto* text = std::get_if<TextPattern>(&patterns[id])) {
      texts.push_back({text, id});
    } else if (const auto* regex = std::get_if<RegexPattern>(&patterns[id])) {
      expressions.push_back({&regex->regex, regex->holes, nullptr, id});
    } else {
      expressions.push_back({nullptr, {}, std::get_if<Automaton>(&patterns[id]), id});
    }
  }
  Classifier classifier{TextIndex(texts)};
  if (!classifier.expressions_.build(expressions, budget)) return std::nullopt;
  return classifier;
}

Classifier::Statistics Classifier::statistics() const {
  Statistics statistics;
  statistics.text_nodes = texts_.nodes();
  statistics.pattern_sets = texts_.sets().size();
  statistics.automata = expressions_.dfas().size() + expressions_.walked().size();
  statistics.automaton_states = expressions_.states();
  statistics.simulated_patterns = expressions_.simulated().size();
  statistics.memory = texts_.memory() + expressions_.memory();
  return statistics;
}

Decider::Decider(const Classifier& classifier, Verdict verdict)
    : classifier_(classifier), verdict_(std::move(verdict)) {
  for (const auto& nfa : classifier_.expressions_.simulated()) matchers_.emplace_back(*nfa);
  forget();
}

void Decider::forget() {
  sets_ = SequenceTable();
  (void)sets_.intern({});
  join_keys_ = SequenceTable();
  joined_.clear();
  rows_.assign(1, {});
  row_bytes_ = 0;
}

std::uint32_t Decider::join(std::uint32_t set, std::span<const std::uint32_t> patterns) {
  const auto have = sets_[set];
  scratch_.clear();
  std::ranges::set_union(have, patterns, std::back_inserter(scratch_));
  const std::uint32_t id = sets_.intern(scratch_);
  if (id == rows_.size()) rows_.emplace_back();
  return id;
}

std::uint32_t Decider::join(std::uint32_t set, std::uint32_t list) {
  if (list == 0) return set;
  const std::uint32_t key = join_keys_.intern(std::array<std::uint32_t, 2>{set, list});
  if (key == joined_.size()) joined_.push_back(join(set, classifier_.expressions_.list(list)));
  return joined_[key];
}

std::uint32_t Decider::walk(const RegexBank::Dfa& dfa, std::string_view subject,
                            std::uint32_t set) {
  constexpr std::uint32_t kSpecial = RegexBank::Dfa::kSpecial;
  const std::uint32_t* const cells = dfa.cells.data();
  const auto byte_class = [&](char c) { return dfa.class_of[static_cast<unsigned char>(c)]; };
  if (!subject.empty() && !dfa.endings[static_cast<unsigned char>(subject.back())]) return set;
  std::uint32_t row = dfa.start;
  if (!dfa.prefix.empty()) {
    if (!subject.starts_with(dfa.prefix)) return set;
    subject.remove_prefix(dfa.prefix.size());
    row = dfa.after;
  } else if (const std::size_t passed = idle_bytes(dfa, subject)) {
    row = cells[dfa.idle + byte_class(subject[passed - 1])];
    subject.remove_prefix(passed);
  }
  const char* at = subject.data();
  const char* const end = at + subject.size();
  for (;;) {
    if ((row & kSpecial) != 0) {
      row &= ~kSpecial;
      set = join(set, cells[row + dfa.reports()]);
      if (cells[row + dfa.dead()] != 0) return set;
    }
    if (at == end) return join(set, cells[row + dfa.at_end()]);
    row = (cells + byte_class(*at++))[row];
  }
}

std::uint32_t Decider::expressions(std::string_view subject) {
  std::uint32_t set = 0;
  for (const RegexBank::Dfa& dfa : classifier_.expressions_.dfas()) set = walk(dfa, subject, set);
  for (const RegexBank::Walked& walked : classifier_.expressions_.walked()) {
    if (walked.automaton.accepts(subject)) set = join(set, {&walked.id, 1});
  }
  for (NfaMatcher& matcher : matchers_) {
    matching_.clear();
    matcher.match(subject, matching_);
    if (!matching_.empty()) set = join(set, matching_);
  }
  return set;
}

void Decider::collect(std::uint32_t text_set, std::uint32_t set) {
  matching_.clear();
  classifier_.texts_.sets().members(text_set, matching_);
  const auto expressions = sets_[set];
  matching_.insert(matching_.end(), expressions.begin(), expressions.end());
  std::ranges::sort(matching_);
  matching_.erase(std::unique(matching_.begin(), matching_.end()), matching_.end());
}

std::uint8_t Decider::first_time(std::uint32_t text_set, std::uint32_t set) {
  collect(text_set, set);
  const std::uint8_t verdict = verdict_(matching_);
  std::vector<std::uint8_t>& row = rows_[set];
  if (row.empty()) {
    row.assign(classifier_.texts_.sets().size(), kUnknown);
    row_bytes_ += row.size();
  }
  row[text_set] = verdict;
  return verdict;
}

std::uint8_t Decider::decide(std::string_view subject) {
  if (sets_.size() > kMaxSets || join_keys_.size() > 4 * kMaxSets || row_bytes_ > kMaxTable) {
    forget();
  }
  const std::uint32_t text_set = classifier_.texts_.find(subject);
  const std::uint32_t set = expressions(subject);
  const std::vector<std::uint8_t>& row = rows_[set];
  if (!row.empty() && row[text_set] != kUnknown) return row[text_set];
  return first_time(text_set, set);
}

std::span<const std::uint32_t> Decider::matching(std::string_view subject) {
  if (sets_.size() > kMaxSets || join_keys_.size() > 4 * kMaxSets) forget();
  const std::uint32_t text_set = classifier_.texts_.find(subject);
  collect(text_set, expressions(subject));
  return matching_;
}

}  // namespace nd7::decide
