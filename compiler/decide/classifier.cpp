#include "compiler/decide/classifier.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace nd7::decide {
namespace {

constexpr std::uint8_t kUnknown = 255;

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
  const std::uint32_t* const next = dfa.next.data();
  std::uint32_t row = dfa.start;
  const char* at = subject.data();
  const char* const end = at + subject.size();
  for (;;) {
    if ((row & kSpecial) != 0) {
      row &= ~kSpecial;
      const std::uint32_t state = row / dfa.classes;
      set = join(set, dfa.reports[state]);
      if (dfa.dead[state] != 0) return set;
    }
    if (at == end) return join(set, dfa.at_end[row / dfa.classes]);
    row = next[row + dfa.class_of[static_cast<unsigned char>(*at++)]];
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
