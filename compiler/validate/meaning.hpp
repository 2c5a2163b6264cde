// What the terms of the law mean for one operation, as a decision diagram.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "compiler/decide/bdd.hpp"
#include "compiler/laws/terms.hpp"
#include "compiler/validate/atoms.hpp"

namespace nd7::validate {

struct Meaning {
  decide::Bdd::Function allowed;     ///< with or without leaving the sandbox
  decide::Bdd::Function unconfined;  ///< allowed, and the new image leaves it
};

class Meanings {
 public:
  Meanings(const ir::Policy& policy, const std::vector<laws::Term>& terms, Atoms& atoms,
           decide::Bdd& bdd, std::vector<bool> unset);

  [[nodiscard]] Meaning of(seatbelt::Op op);
  /// The condition of a term, for one operation: filters that the operation does not take match
  /// nothing.
  [[nodiscard]] decide::Bdd::Function condition(const laws::Term& term, seatbelt::Op op);

  /// Whether a term speaks about an operation: the operation or a class above it is named.
  [[nodiscard]] static bool names(const laws::Term& term, seatbelt::Op op);

 private:
  [[nodiscard]] decide::Bdd::Function function(ir::CondId cond, seatbelt::Op op, bool deny);
  [[nodiscard]] decide::Bdd::Function variable(ir::AtomId id);

  const ir::Policy& policy_;
  const std::vector<laws::Term>& terms_;
  Atoms& atoms_;
  decide::Bdd& bdd_;
  std::vector<bool> unset_;
  std::vector<std::vector<std::uint32_t>> naming_;  ///< by operation: the terms that name it
  std::vector<std::optional<decide::Bdd::Function>> variables_;  ///< by atom
  /// By condition, operation, and whether a deny asks: what the function depends on.
  std::unordered_map<std::uint64_t, decide::Bdd::Function> known_;
};

}  // namespace nd7::validate
