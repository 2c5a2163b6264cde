// Matching of Seatbelt's regular expressions: a simulation of the automaton, linear in the subject.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "compiler/pattern/regex.hpp"

namespace nd7::seatbelt::read {

struct Instruction {
  enum class Kind : std::uint8_t {
    bytes,  ///< one byte out of sets[first], then the next instruction
    split,  ///< `first` and `second`
    jump,   ///< `first`
    begin,  ///< only at the start of the subject
    end,    ///< only at its end
    accept,
  };
  Kind kind = Kind::accept;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
};

struct Program {
  std::vector<Instruction> code;  ///< begins at 0; empty: nothing to run
  std::vector<pattern::ByteSet> sets;
};

/// nullopt if the expression has holes, or is nested deeper than any that a person writes (200).
[[nodiscard]] std::optional<Program> compile(const pattern::Regex& regex);

/// Unanchored search. Work is bounded by the size of the program times that of the subject.
[[nodiscard]] bool search(const Program& program, std::string_view subject);

}  // namespace nd7::seatbelt::read
