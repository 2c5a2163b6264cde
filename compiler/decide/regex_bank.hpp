// Many expressions at once: a few deterministic automata, each for as many patterns as fit, and
// simulation for what fits nowhere.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/decide/automaton.hpp"
#include "compiler/decide/budget.hpp"
#include "compiler/decide/nfa.hpp"
#include "compiler/decide/sequence_table.hpp"
#include "compiler/pattern/regex.hpp"

namespace nd7::decide {

class RegexBank {
 public:
  /// Exactly one of the two is set; both outlive the construction only.
  struct Entry {
    const pattern::Regex* regex = nullptr;
    std::span<const std::string> holes;
    const Automaton* automaton = nullptr;
    std::uint32_t id = 0;
  };

  /// A deterministic automaton for some of the patterns. States do not remember what matched: a
  /// pattern that matches whatever follows is reported where that becomes certain.
  struct Dfa {
    /// In a target: entering it reports something, or nothing can match any more.
    static constexpr std::uint32_t kSpecial = 0x8000'0000;

    std::array<std::uint8_t, 256> class_of{};
    std::uint32_t classes = 1;
    std::uint32_t start = 0;  ///< a target
    /// A row for each state, rows named by their first cell: a target for each class (the row,
    /// maybe with kSpecial), then three cells of its own.
    std::vector<std::uint32_t> cells;

    [[nodiscard]] std::uint32_t at_end() const { return classes; }  ///< list, if the subject ends
    [[nodiscard]] std::uint32_t reports() const { return classes + 1; }  ///< list, on entering
    [[nodiscard]] std::uint32_t dead() const {
      return classes + 2;
    }  ///< nothing can match any more
    [[nodiscard]] std::uint32_t row_size() const { return classes + 3; }

    /// Every subject in which something matches begins with it; `after` is the target behind it.
    std::string prefix;
    std::uint32_t after = 0;
    /// If something matches a subject that is not empty, its last byte is one of these.
    std::bitset<256> endings;

    /// Most subjects hold nothing of interest to patterns that may begin anywhere. While no pair of
    /// neighbours is of interest, the state depends on the last byte alone: it is `idle`'s target.
    /// Pairs (b, c) of interest have pairs[b] & pairs[c] >> 8 != 0; some others may have, too.
    bool has_pairs = false;
    std::uint32_t idle = 0;  ///< a row
    std::array<std::uint16_t, 256> pairs{};
  };

  /// Bounds of one Dfa; those of the attempt to build it grow with its patterns up to here. The
  /// budget of all attempts together is given to build().
  static constexpr std::size_t kMaxStates = 1U << 14U;
  static constexpr std::size_t kMaxCells = 1U << 21U;
  static constexpr std::size_t kMaxSteps = 4'000'000;

  /// False when a pattern cannot be compiled at all (a hole without text, absurd size). Patterns
  /// for which the budget does not suffice are simulated.
  [[nodiscard]] bool build(std::span<const Entry> entries, const Budget& budget);

  [[nodiscard]] std::span<const Dfa> dfas() const { return dfas_; }
  /// Lists of patterns, sorted. List 0 is empty.
  [[nodiscard]] std::span<const std::uint32_t> list(std::uint32_t id) const { return lists_[id]; }
  /// Patterns to be simulated.
  [[nodiscard]] std::span<const std::unique_ptr<const Nfa>> simulated() const { return simulated_; }

  struct Walked {
    Automaton automaton;
    std::uint32_t id;
  };
  /// Automata too large to share a Dfa: to be asked one by one.
  [[nodiscard]] std::span<const Walked> walked() const { return walked_; }

  [[nodiscard]] std::size_t states() const;
  [[nodiscard]] std::size_t memory() const;

 private:
  bool build_groups(std::span<const Entry> entries, Meter& meter);
  /// Adds one Dfa for `entries`, unless it does not fit.
  bool try_group(std::span<const Entry> entries, Meter& meter);

  std::vector<Dfa> dfas_;
  SequenceTable lists_;
  std::vector<std::unique_ptr<const Nfa>> simulated_;
  std::vector<Walked> walked_;
};

}  // namespace nd7::decide
