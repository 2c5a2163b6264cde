#include "compiler/decide/regex_bank.hpp"

#include <algorithm>
#include <bitset>
#include <iterator>
#include <utility>

#include "compiler/decide/regex_automaton.hpp"

namespace nd7::decide {
namespace {

bool add(Nfa& nfa, const RegexBank::Entry& entry) {
  return entry.regex != nullptr ? nfa.add(*entry.regex, entry.holes, entry.id)
                                : nfa.add(*entry.automaton, entry.id);
}

using Dfa = RegexBank::Dfa;

/// Fills in `prefix`: as long as a single byte leads on and nothing is reported.
void find_prefix(Dfa& dfa) {
  constexpr std::size_t kLongest = 64;
  std::array<std::uint32_t, 256> bytes_in_class{};
  std::array<unsigned char, 256> byte_in_class{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    ++bytes_in_class[dfa.class_of[byte]];
    byte_in_class[dfa.class_of[byte]] = static_cast<unsigned char>(byte);
  }
  dfa.after = dfa.start;
  while (dfa.prefix.size() < kLongest && (dfa.after & Dfa::kSpecial) == 0 &&
         dfa.cells[dfa.after + dfa.at_end()] == 0) {
    std::uint32_t ways = 0;
    std::uint32_t way = 0;
    for (std::uint32_t c = 0; c < dfa.classes; ++c) {
      const std::uint32_t row = dfa.cells[dfa.after + c] & ~Dfa::kSpecial;
      if (dfa.cells[row + dfa.dead()] != 0) continue;
      ways += bytes_in_class[c];
      way = c;
    }
    if (ways != 1) return;
    dfa.prefix += static_cast<char>(byte_in_class[way]);
    dfa.after = dfa.cells[dfa.after + way];
  }
}

/// Fills in `endings`.
void find_endings(Dfa& dfa) {
  std::vector<bool> in_class(dfa.classes, false);
  for (std::uint32_t row = 0; row < dfa.cells.size(); row += dfa.row_size()) {
    if (dfa.cells[row + dfa.reports()] != 0) in_class.assign(dfa.classes, true);
    for (std::uint32_t c = 0; c < dfa.classes; ++c) {
      const std::uint32_t next = dfa.cells[row + c] & ~Dfa::kSpecial;
      if (dfa.cells[next + dfa.at_end()] != 0) in_class[c] = true;
    }
  }
  for (unsigned byte = 0; byte < 256; ++byte) dfa.endings[byte] = in_class[dfa.class_of[byte]];
}

/// Fills in `pairs`, unless most subjects would have a pair of interest.
void find_pairs(Dfa& dfa) {
  if ((dfa.start & Dfa::kSpecial) != 0) return;
  dfa.idle = dfa.cells[dfa.start + dfa.class_of[0]];
  if ((dfa.idle & Dfa::kSpecial) != 0) return;
  std::vector<std::uint32_t> readable(dfa.classes, 0);
  std::uint32_t all_readable = 0;
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (reading_cost(static_cast<unsigned char>(byte)) > 1) continue;
    ++readable[dfa.class_of[byte]];
    ++all_readable;
  }
  std::vector<std::bitset<256>> rows;  // partner classes; the last row is of all further ones
  std::vector<std::uint16_t> mask(dfa.classes, 0);
  std::uint32_t usual = 0;
  for (std::uint32_t first = 0; first < dfa.classes; ++first) {
    const std::uint32_t from = dfa.cells[dfa.idle + first] & ~Dfa::kSpecial;
    std::bitset<256> partners;
    for (std::uint32_t second = 0; second < dfa.classes; ++second) {
      const std::uint32_t expected = dfa.cells[dfa.idle + second];
      if ((expected & Dfa::kSpecial) == 0 && dfa.cells[from + second] == expected) continue;
      partners.set(second);
      usual += readable[first] * readable[second];
    }
    if (partners.none()) continue;
    auto row = std::ranges::find(rows, partners);
    if (row == rows.end() && rows.size() < 8) {
      rows.push_back(partners);
      row = std::prev(rows.end());
    } else if (row == rows.end()) {
      row = std::prev(rows.end());
      *row |= partners;
    }
    mask[first] = static_cast<std::uint16_t>(1U << (row - rows.begin()));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::uint32_t second = 0; second < dfa.classes; ++second) {
      if (rows[i][second]) mask[second] = static_cast<std::uint16_t>(mask[second] | 256U << i);
    }
  }
  for (unsigned byte = 0; byte < 256; ++byte) dfa.pairs[byte] = mask[dfa.class_of[byte]];
  dfa.has_pairs = usual <= all_readable * all_readable / 16;
}

}  // namespace

bool RegexBank::build(std::span<const Entry> entries, const Budget& budget) {
  (void)lists_.intern({});
  Meter meter(budget);
  // Patterns that begin at the start only are soon out of the question, as long as none of those
  // that may begin anywhere is beside them.
  std::vector<Entry> anchored;
  std::vector<Entry> floating;
  for (const Entry& entry : entries) {
    Nfa nfa;
    const bool compiled = add(nfa, entry);
    if (!compiled && entry.regex != nullptr) return false;
    nfa.finish();
    (nfa.anchored() ? anchored : floating).push_back(entry);
  }
  return build_groups(floating, meter) && build_groups(anchored, meter);
}

bool RegexBank::build_groups(std::span<const Entry> entries, Meter& meter) {
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
    return state * dfa.row_size() | (special ? Dfa::kSpecial : 0U);
  };
  dfa.start = target(0);
  dfa.cells.reserve(lazy.size() * dfa.row_size());
  for (std::uint32_t state = 0; state < lazy.size(); ++state) {
    for (const std::uint32_t next : rows[state]) dfa.cells.push_back(target(next));
    dfa.cells.push_back(lists_.intern(lazy.at_end(state)));
    dfa.cells.push_back(lists_.intern(lazy.now(state)));
    dfa.cells.push_back(lazy.settled(state) ? 1 : 0);
  }
  find_prefix(dfa);
  find_endings(dfa);
  find_pairs(dfa);
  dfas_.push_back(std::move(dfa));
  return true;
}

std::size_t RegexBank::states() const {
  std::size_t count = 0;
  for (const Dfa& dfa : dfas_) count += dfa.cells.size() / dfa.row_size();
  return count;
}

std::size_t RegexBank::memory() const {
  std::size_t bytes = lists_.memory();
  for (const auto& nfa : simulated_) bytes += nfa->memory();
  for (const Dfa& dfa : dfas_) {
    bytes += sizeof(Dfa) + dfa.cells.capacity() * sizeof(std::uint32_t);
  }
  for (const Walked& walked : walked_) bytes += walked.automaton.memory();
  return bytes;
}

}  // namespace nd7::decide
