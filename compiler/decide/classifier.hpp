// The compiled decision machine: which of many patterns match a subject, and what follows from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "compiler/decide/automaton.hpp"
#include "compiler/decide/budget.hpp"
#include "compiler/decide/regex_automaton.hpp"
#include "compiler/decide/regex_bank.hpp"
#include "compiler/decide/text_index.hpp"

namespace nd7::decide {

/// A regular expression with the text of its holes.
struct RegexPattern {
  pattern::Regex regex;
  std::vector<std::string> holes;
};

/// Immutable, to be shared between threads.
class Classifier {
 public:
  using Pattern = std::variant<TextPattern, RegexPattern, Automaton>;

  struct Statistics {
    std::size_t text_nodes = 0;
    std::size_t pattern_sets = 0;  ///< of plain texts
    std::size_t automata = 0;      ///< walked for each subject
    std::size_t automaton_states = 0;
    std::size_t simulated_patterns = 0;  ///< matched by simulation: slower, still linear
    std::size_t memory = 0;              ///< bytes
  };

  static constexpr Budget kDefaultBudget{1'000'000, 60'000'000};

  /// Pattern i is known as i. The budget is for the expressions; what it does not suffice for is
  /// simulated. Nothing when a hole has no text or an expression is absurdly large.
  [[nodiscard]] static std::optional<Classifier> compile(std::span<const Pattern> patterns,
                                                         const Budget& budget = kDefaultBudget);

  [[nodiscard]] Statistics statistics() const;

 private:
  friend class Decider;
  explicit Classifier(TextIndex texts) : texts_(std::move(texts)) {}
  TextIndex texts_;
  RegexBank expressions_;
};

/// Answers from a classifier, remembering the verdict of each set of matching patterns. For one
/// thread; memory is bounded (kMaxSets, kMaxTable).
class Decider {
 public:
  /// What follows when exactly `matching` match (sorted, each once). A pure function; 0..254.
  using Verdict = std::function<std::uint8_t(std::span<const std::uint32_t> matching)>;

  static constexpr std::size_t kMaxSets = 4096;
  static constexpr std::size_t kMaxTable = std::size_t{32} << 20U;  ///< bytes

  /// `classifier` must outlive this.
  Decider(const Classifier& classifier, Verdict verdict);

  [[nodiscard]] std::uint8_t decide(std::string_view subject);
  /// The patterns that match, sorted; valid until the next call.
  [[nodiscard]] std::span<const std::uint32_t> matching(std::string_view subject);

 private:
  /// The set of expressions that match, as an id of sets_.
  std::uint32_t expressions(std::string_view subject);
  std::uint32_t walk(const RegexBank::Dfa& dfa, std::string_view subject, std::uint32_t set);
  std::uint32_t join(std::uint32_t set, std::uint32_t list);
  std::uint32_t join(std::uint32_t set, std::span<const std::uint32_t> patterns);
  void collect(std::uint32_t text_set, std::uint32_t set);
  std::uint8_t first_time(std::uint32_t text_set, std::uint32_t set);
  void forget();

  const Classifier& classifier_;
  Verdict verdict_;
  std::vector<NfaMatcher> matchers_;
  SequenceTable sets_;                           // of expressions that matched together; 0 is empty
  SequenceTable join_keys_;                      // set, list
  std::vector<std::uint32_t> joined_;            // by id of join_keys_
  std::vector<std::vector<std::uint8_t>> rows_;  // verdict by set and text set; empty: no row yet
  std::size_t row_bytes_ = 0;
  std::vector<std::uint32_t> matching_;
  std::vector<std::uint32_t> scratch_;
};

}  // namespace nd7::decide
