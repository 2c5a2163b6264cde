// Work bounds. Every operation whose cost is not near linear in its input takes a Budget; beyond it
// the answer is `undecided`, which is neither yes nor no and must never be read as either.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nd7::decide {

/// Upper bounds of one operation. `states` bounds what is kept, `steps` what is looked at; memory
/// is at most a small constant times their sum.
struct Budget {
  std::size_t states = 250'000;
  std::size_t steps = 20'000'000;
};

enum class Answer : std::uint8_t { no, yes, undecided };

/// Counts down a Budget. Once exhausted it stays so.
class Meter {
 public:
  explicit Meter(const Budget& budget) : states_(budget.states), steps_(budget.steps) {}

  /// False when there is no room for `count` more.
  [[nodiscard]] bool take_states(std::size_t count = 1) { return take(states_, count); }
  [[nodiscard]] bool take_steps(std::size_t count = 1) { return take(steps_, count); }
  [[nodiscard]] bool exhausted() const { return exhausted_; }
  [[nodiscard]] Budget left() const { return {states_, steps_}; }

 private:
  bool take(std::size_t& left, std::size_t count) {
    if (exhausted_ || count > left) {
      exhausted_ = true;
      return false;
    }
    left -= count;
    return true;
  }

  std::size_t states_;
  std::size_t steps_;
  bool exhausted_ = false;
};

}  // namespace nd7::decide
