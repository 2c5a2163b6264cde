#include "compiler/decide/regex_bank.hpp"

#include <algorithm>
#include <utility>

#include "compiler/decide/regex_automaton.hpp"

namespace nd7::decide {
namespace {

bool add(Nfa& nfa, const RegexBank::Entry& entry) {
  return entry.regex != nullptr ? nfa.add(*entry.regex, entry.holes, entry.id)
                                : nfa.add(*entry.automaton, entry.id);
}

}  // namespace

bool RegexBank::build(std::span<const Entry> entries, const Budget& budget) {
  (void)lists_.intern({});
  Meter meter(budget);

  std::vector<std::span<const Entry>> open;
  if (!entries.empty()) open.push_back(entries);
  while (!open.empty()) {
    const auto group = open.back();
    open.pop_back();
    if (try_group(group, meter)) continue;
    if (group.size() > 1) {
      const std::size_t half = group.size() / 2;
      open.push_back(group.subspan(half));
      open.push_back(group.first(half));
    } else if (group.front().automaton != nullptr) {
      walked_.push_back({*group.front().automaton, group.front().id});
    } else {
      auto nfa = std::make_unique<Nfa>();
      if (!add(*nfa, group.front())) return false;
      nfa->finish();
      simulated_.push_back(std::move(nfa));
    }
  }
  return true;
}

bool RegexBank::try_group(std::span<const Entry> entries, Meter& meter) {
  if (meter.exhausted()) return false;
  Nfa nfa;
  for (const Entry& entry : entries) {
    if (!add(nfa, entry)) return false;
  }
  nfa.finish();
  LazyDfa lazy(nfa, LazyDfa::Mode::report);
  const std::uint32_t classes = nfa.classes().count();
  const std::size_t size = entries.size();
  const std::size_t most = std::min({kMaxStates, kMaxCells / classes, 4096 * size});
  const Budget bound{most, std::min({kMaxSteps, 400'000 * size, meter.left().steps})};
  Meter attempt(bound);
  std::vector<std::vector<std::uint32_t>> rows;
  (void)lazy.start();
  bool fits = true;
  for (std::uint32_t state = 0; fits && state < lazy.size(); ++state) {
    fits = lazy.expand(state, rows.emplace_back(), attempt);
  }
  if (!meter.take_steps(bound.steps - attempt.left().steps) || !fits) return false;
  if (!meter.take_states(lazy.size())) return false;

  Dfa dfa;
  dfa.classes = classes;
  for (unsigned byte = 0; byte < 256; ++byte) {
    dfa.class_of[byte] =
        static_cast<std::uint8_t>(nfa.classes().of(static_cast<unsigned char>(byte)));
  }
  const auto target = [&](std::uint32_t state) {
    const bool special = !lazy.now(state).empty() || lazy.settled(state);
    return state * classes | (special ? Dfa::kSpecial : 0U);
  };
  dfa.start = target(0);
  for (std::uint32_t state = 0; state < lazy.size(); ++state) {
    for (const std::uint32_t next : rows[state]) dfa.next.push_back(target(next));
    dfa.reports.push_back(lists_.intern(lazy.now(state)));
    dfa.at_end.push_back(lists_.intern(lazy.at_end(state)));
    dfa.dead.push_back(lazy.settled(state) ? 1 : 0);
  }
  dfas_.push_back(std::move(dfa));
  return true;
}

std::size_t RegexBank::states() const {
  std::size_t count = 0;
  for (const Dfa& dfa : dfas_) count += dfa.reports.size();
  return count;
}

std::size_t RegexBank::memory() const {
  std::size_t bytes = lists_.memory();
  for (const auto& nfa : simulated_) bytes += nfa->memory();
  for (const Dfa& dfa : dfas_) {
    bytes += sizeof(Dfa) + dfa.dead.capacity() +
             (dfa.next.capacity() + dfa.reports.capacity() + dfa.at_end.capacity()) *
                 sizeof(std::uint32_t);
  }
  for (const Walked& walked : walked_) bytes += walked.automaton.memory();
  return bytes;
}

}  // namespace nd7::decide
