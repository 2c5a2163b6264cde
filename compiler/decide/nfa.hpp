// Nondeterministic automata with anchors, for one pattern or for many at once, and the step that
// both the subset construction and the linear-time simulation share.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compiler/decide/automaton.hpp"
#include "compiler/decide/byte_classes.hpp"
#include "compiler/decide/sequence_table.hpp"
#include "compiler/pattern/regex.hpp"

namespace nd7::decide {

/// States of one NFA; beyond it a pattern is not added.
inline constexpr std::size_t kMaxNfaStates = 400'000;

class Nfa {
 public:
  struct State {
    enum class Kind : std::uint8_t {
      jump,   ///< to `next`
      split,  ///< to all of branches[next .. next + count)
      bytes,  ///< to `next` on a byte of set `set`
      begin,  ///< to `next`, at the start of the subject only
      end,    ///< to `next`, at the end of the subject only
      match,  ///< pattern `next` matches
    };
    Kind kind = Kind::jump;
    bool floating = false;  ///< `bytes` only: active at every position but the first
    std::uint32_t next = 0;
    std::uint32_t set = 0;
    std::uint32_t count = 0;
  };

  /// Adds an expression that is searched for anywhere. `holes[i]` is the text of parameter i.
  /// False, with nothing added, when a hole has no text or the NFA would grow too large.
  [[nodiscard]] bool add(const pattern::Regex& regex, std::span<const std::string> holes,
                         std::uint32_t pattern);
  /// Adds a language that the whole subject must belong to.
  [[nodiscard]] bool add(const Automaton& automaton, std::uint32_t pattern);
  /// To be called once, after the last add() and before anything below.
  void finish();

  [[nodiscard]] const ByteClasses& classes() const { return classes_; }
  [[nodiscard]] std::size_t size() const { return states_.size(); }
  [[nodiscard]] const State& state(std::uint32_t id) const { return states_[id]; }
  [[nodiscard]] std::span<const std::uint32_t> branches(const State& split) const {
    return {branches_.data() + split.next, split.count};
  }
  [[nodiscard]] const std::bitset<256>& set(std::uint32_t id) const { return sets_[id]; }
  [[nodiscard]] std::span<const std::uint32_t> classes_of_set(std::uint32_t id) const {
    return classes_of_set_[id];
  }
  /// Entries that are active at the start of the subject: all of them.
  [[nodiscard]] std::span<const std::uint32_t> entries() const { return entries_; }
  /// Where the floating states go on a byte of each class.
  [[nodiscard]] std::span<const std::uint32_t> floating_next(std::uint32_t byte_class) const {
    return floating_next_[byte_class];
  }
  /// Patterns that match at the end of every subject, as `$` does.
  [[nodiscard]] std::span<const std::uint32_t> floating_at_end() const { return floating_at_end_; }
  /// No pattern can begin after the start of the subject.
  [[nodiscard]] bool anchored() const { return anchored_; }
  [[nodiscard]] std::size_t memory() const;

 private:
  class RegexCompiler;
  std::uint32_t add_state(State::Kind kind, std::uint32_t next);
  std::uint32_t add_split(std::span<const std::uint32_t> targets);
  std::uint32_t set_id(const std::bitset<256>& set);
  void truncate(std::size_t states, std::size_t branches);

  std::vector<State> states_;
  std::vector<std::uint32_t> branches_;
  std::vector<std::bitset<256>> sets_;
  std::vector<std::vector<std::uint32_t>> classes_of_set_;
  std::vector<std::uint32_t> entries_;
  std::vector<std::uint32_t> floating_entries_;
  std::vector<std::vector<std::uint32_t>> floating_next_;
  std::vector<std::uint32_t> floating_at_end_;
  bool anchored_ = true;
  ByteClasses classes_;
  SequenceTable set_ids_;
};

/// What is active at one position: everything reachable without reading a byte.
struct NfaPosition {
  std::vector<std::uint32_t> states;  ///< `bytes` states, sorted; floating ones are left out
  std::vector<std::uint32_t> now;     ///< patterns that match whatever follows, sorted
  std::vector<std::uint32_t>
      at_end;  ///< patterns that match if nothing follows, sorted; with `now`
};

/// Computes positions. One per thread; costs memory in proportion to the NFA.
class NfaWalker {
 public:
  explicit NfaWalker(const Nfa& nfa) : nfa_(nfa), seen_(nfa.size(), 0) {}

  /// Everything reachable from `seeds`. `at_start`: at the first byte, where `^` holds.
  void reach(std::span<const std::uint32_t> seeds, bool at_start, NfaPosition& out);
  /// NFA states looked at by reach() so far.
  [[nodiscard]] std::size_t work() const { return work_; }

 private:
  void follow(bool at_start, bool at_end, NfaPosition& out);
  void push(std::uint32_t state);

  const Nfa& nfa_;
  std::vector<std::uint32_t> seen_;
  std::uint32_t epoch_ = 0;
  std::vector<std::uint32_t> stack_;
  std::vector<std::uint32_t> ends_;
  std::size_t work_ = 0;
};

}  // namespace nd7::decide
