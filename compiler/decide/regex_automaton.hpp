// Deterministic automata of regular expressions, within a bound or on demand; and matching in time
// linear in the subject without any.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
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

/// The subset construction, state by state.
class LazyDfa {
 public:
  enum class Mode : std::uint8_t {
    settle,  ///< one language: once a pattern matches for good, nothing else is followed
    report,  ///< many patterns: a state names those that matched for good on entering it, only then
  };

  /// `nfa` must be finished and outlive this.
  LazyDfa(const Nfa& nfa, Mode mode)
      : nfa_(nfa),
        mode_(mode),
        walker_(nfa),
        bucket_(nfa.classes().count()),
        restart_(nfa.classes().count(), kNone) {}

  [[nodiscard]] std::uint32_t start();
  /// The targets of `state` on each byte class. False beyond the meter.
  [[nodiscard]] bool expand(std::uint32_t state, std::vector<std::uint32_t>& row, Meter& meter);

  [[nodiscard]] std::size_t size() const { return states_.size(); }
  /// Patterns that matched for good at this position; valid until the next expand().
  [[nodiscard]] std::span<const std::uint32_t> now(std::uint32_t state) const;
  /// Patterns that match if the subject ends here, those of now() included.
  [[nodiscard]] std::span<const std::uint32_t> at_end(std::uint32_t state) const;
  /// Every continuation has the same fate: matched for good, or can match no more.
  [[nodiscard]] bool settled(std::uint32_t state) const;

 private:
  [[nodiscard]] std::span<const std::uint32_t> active(std::uint32_t state) const;
  std::uint32_t intern();
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  const Nfa& nfa_;
  Mode mode_;
  NfaWalker walker_;
  NfaPosition position_;
  SequenceTable states_;  // |now|, |at_end|, now..., at_end..., active NFA states...
  std::vector<std::uint32_t> key_;
  std::vector<std::vector<std::uint32_t>> bucket_;
  std::vector<std::uint32_t> restart_;  // by byte class: where only floating states lead; or kNone
};

/// The language of all patterns of `nfa` together, if it fits.
[[nodiscard]] std::optional<Automaton> determinise(const Nfa& nfa, const Budget& budget = {});

/// All subjects in which `regex` is found. Nothing when a hole has no text in `holes`, or beyond
/// the budget.
[[nodiscard]] std::optional<Automaton> regex_automaton(const pattern::Regex& regex,
                                                       std::span<const std::string> holes = {},
                                                       const Budget& budget = {});

/// Simulates an NFA: time proportional to its size times the subject's, whatever the pattern.
class NfaMatcher {
 public:
  /// `nfa` must be finished and outlive this. Not to be shared between threads.
  explicit NfaMatcher(const Nfa& nfa);

  /// Appends the patterns that match `subject`, sorted, each once.
  void match(std::string_view subject, std::vector<std::uint32_t>& patterns);
  /// Whether any pattern does.
  [[nodiscard]] bool matches(std::string_view subject);

 private:
  /// Reads one byte; false when nothing can match any more.
  bool advance(unsigned char byte);

  const Nfa& nfa_;
  NfaWalker walker_;
  NfaPosition start_;
  NfaPosition current_;
  std::vector<std::uint32_t> seeds_;
};

/// One regular expression, matched by simulation.
class RegexMatcher {
 public:
  /// Nothing when a hole has no text or the expression is too large.
  [[nodiscard]] static std::optional<RegexMatcher> make(const pattern::Regex& regex,
                                                        std::span<const std::string> holes = {});
  [[nodiscard]] bool matches(std::string_view subject) { return matcher_.matches(subject); }

 private:
  explicit RegexMatcher(std::unique_ptr<Nfa> nfa) : nfa_(std::move(nfa)), matcher_(*nfa_) {}
  std::unique_ptr<Nfa> nfa_;
  NfaMatcher matcher_;
};

}  // namespace nd7::decide
