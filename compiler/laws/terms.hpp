// The terms of the law: for one profile, every set of requests that decides, by role.
//
//   allowed(r) = ¬sealed(r) ∧ ¬protected(r)
//                ∧ ( exit(r) ∨ ( (builtin(r) ∨ import(r) ∨ allow(r) ∨ grant(r)) ∧ ¬denied(r) ) )
//
// `denied` holds the denies with their relaxations taken out, expanded to every operation that they
// close, and what law 7 derives from them. Order means nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/ir/policy.hpp"
#include "compiler/laws/profile.hpp"

namespace nd7::laws {

enum class Role : std::uint8_t {
  allow,
  grant,
  deny,
  kept,  ///< derived by law 7: what is denied cannot be moved or linked away
  exit,
  protect,  ///< the programs and rules files themselves
  seal,
};

struct Term {
  Role role = Role::allow;
  std::vector<seatbelt::Op> ops;  ///< explicit: an operation counts only if it, or for allows a
                                  ///< class above it, is named
  ir::CondId cond;
  std::optional<std::uint32_t> rule;  ///< index into Policy::rules; none for the compiler's own
  std::string label;                  ///< "floor/credentials", "nd7/seal", "grant /data"
  std::optional<Span> span;
};

struct TermOptions {
  Profile profile = Profile::floor;
  std::optional<seatbelt::Release> release;
  std::vector<std::string> grants;   ///< physical absolute paths
  std::vector<std::string> protect;  ///< physical absolute paths of files
};

/// Adds ND2047, ND3001 and ND3003. May intern new conditions in `policy`.
[[nodiscard]] std::vector<Term> derive_terms(ir::Policy& policy, const TermOptions& options,
                                             Diagnostics& diagnostics);

/// The operations that a deny of `ops` names, given its condition: law 7's classes, concrete
/// operations and partners, and others only if some allow reaches them.
[[nodiscard]] std::vector<seatbelt::Op> closed_operations(const std::vector<seatbelt::Op>& ops,
                                                          const ir::Conditions& conditions,
                                                          ir::CondId cond,
                                                          const std::vector<bool>& reached,
                                                          std::optional<seatbelt::Release> release);

}  // namespace nd7::laws
