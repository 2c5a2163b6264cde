#include "compiler/decide/regex_automaton.hpp"

#include <algorithm>
#include <utility>

namespace nd7::decide {

std::uint32_t LazyDfa::intern() {
  key_.clear();
  if (mode_ == Mode::settle && !position_.now.empty()) {
    // All states that matched for good are one.
    key_.assign({1, 1, 0, 0});
    return states_.intern(key_);
  }
  key_.push_back(static_cast<std::uint32_t>(position_.now.size()));
  key_.push_back(static_cast<std::uint32_t>(position_.at_end.size()));
  for (const auto* part : {&position_.now, &position_.at_end, &position_.states}) {
    key_.insert(key_.end(), part->begin(), part->end());
  }
  return states_.intern(key_);
}

std::uint32_t LazyDfa::start() {
  walker_.reach(nfa_.entries(), true, position_);
  return intern();
}

bool LazyDfa::expand(std::uint32_t state, std::vector<std::uint32_t>& row, Meter& meter) {
  const std::uint32_t classes = nfa_.classes().count();
  row.assign(classes, state);
  if (mode_ == Mode::settle && settled(state)) return meter.take_steps();
  std::size_t work = classes;
  for (const std::uint32_t id : active(state)) {
    const Nfa::State& from = nfa_.state(id);
    for (const std::uint32_t c : nfa_.classes_of_set(from.set)) bucket_[c].push_back(from.next);
    work += nfa_.classes_of_set(from.set).size();
  }
  const std::size_t known = states_.size();
  bool within = meter.take_steps(work);
  for (std::uint32_t c = 0; c < classes; ++c) {
    const bool plain = bucket_[c].empty();
    if (plain && restart_[c] != kNone) {
      row[c] = restart_[c];
      continue;
    }
    if (within) {
      const auto floating = nfa_.floating_next(c);
      bucket_[c].insert(bucket_[c].end(), floating.begin(), floating.end());
      const std::size_t before = walker_.work();
      walker_.reach(bucket_[c], false, position_);
      row[c] = intern();
      if (plain) restart_[c] = row[c];
      within = meter.take_steps(walker_.work() - before);
    }
    bucket_[c].clear();
  }
  return within && meter.take_states(states_.size() - known);
}

std::span<const std::uint32_t> LazyDfa::now(std::uint32_t state) const {
  const auto key = states_[state];
  return key.subspan(2, key[0]);
}

std::span<const std::uint32_t> LazyDfa::at_end(std::uint32_t state) const {
  const auto key = states_[state];
  return key.subspan(2 + key[0], key[1]);
}

std::span<const std::uint32_t> LazyDfa::active(std::uint32_t state) const {
  const auto key = states_[state];
  return key.subspan(2 + key[0] + key[1]);
}

bool LazyDfa::settled(std::uint32_t state) const {
  if (mode_ == Mode::settle && !now(state).empty()) return true;
  return active(state).empty() && nfa_.anchored() && at_end(state).empty();
}

std::optional<Automaton> determinise(const Nfa& nfa, const Budget& budget) {
  Meter meter(budget);
  LazyDfa dfa(nfa, LazyDfa::Mode::settle);
  TransitionTable table;
  table.classes = nfa.classes();
  std::vector<std::uint32_t> row;
  std::vector<Edge> edges;
  (void)dfa.start();
  for (std::uint32_t state = 0; state < dfa.size(); ++state) {
    if (!dfa.expand(state, row, meter)) return std::nullopt;
    edges.clear();
    for (std::uint32_t c = 1; c < row.size(); ++c) edges.push_back({c, row[c]});
    table.add_state(row[0], edges, !dfa.at_end(state).empty());
  }
  return Automaton::from_table(table, 0);
}

std::optional<Automaton> regex_automaton(const pattern::Regex& regex,
                                         std::span<const std::string> holes, const Budget& budget) {
  Nfa nfa;
  if (!nfa.add(regex, holes, 0)) return std::nullopt;
  nfa.finish();
  return determinise(nfa, budget);
}

NfaMatcher::NfaMatcher(const Nfa& nfa) : nfa_(nfa), walker_(nfa) {
  walker_.reach(nfa_.entries(), true, start_);
}

bool NfaMatcher::advance(unsigned char byte) {
  seeds_.clear();
  for (const std::uint32_t id : current_.states) {
    const Nfa::State& state = nfa_.state(id);
    if (nfa_.set(state.set)[byte]) seeds_.push_back(state.next);
  }
  const auto floating = nfa_.floating_next(nfa_.classes().of(byte));
  seeds_.insert(seeds_.end(), floating.begin(), floating.end());
  walker_.reach(seeds_, false, current_);
  return !current_.states.empty() || !nfa_.anchored();
}

void NfaMatcher::match(std::string_view subject, std::vector<std::uint32_t>& patterns) {
  const auto first = static_cast<std::ptrdiff_t>(patterns.size());
  const auto take = [&](const std::vector<std::uint32_t>& found) {
    patterns.insert(patterns.end(), found.begin(), found.end());
    const auto begin = patterns.begin() + first;
    std::sort(begin, patterns.end());
    patterns.erase(std::unique(begin, patterns.end()), patterns.end());
  };
  current_ = start_;
  std::size_t position = 0;
  for (; position < subject.size(); ++position) {
    if (!current_.now.empty()) take(current_.now);
    const bool alive = advance(static_cast<unsigned char>(subject[position]));
    if (!alive && current_.now.empty() && current_.at_end.empty()) return;
  }
  take(current_.at_end);
}

bool NfaMatcher::matches(std::string_view subject) {
  current_ = start_;
  for (const char c : subject) {
    if (!current_.now.empty()) return true;
    if (!advance(static_cast<unsigned char>(c)) && current_.now.empty() &&
        current_.at_end.empty()) {
      return false;
    }
  }
  return !current_.at_end.empty();
}

std::optional<RegexMatcher> RegexMatcher::make(const pattern::Regex& regex,
                                               std::span<const std::string> holes) {
  auto nfa = std::make_unique<Nfa>();
  if (!nfa->add(regex, holes, 0)) return std::nullopt;
  nfa->finish();
  return RegexMatcher(std::move(nfa));
}

}  // namespace nd7::decide
