// The terms of the law as rule bases that the engine can search, at one placement: exactly as they
// are, and the bounds within which a plan has to stay whatever is lost.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/answer/search.hpp"
#include "compiler/ir/policy.hpp"
#include "compiler/laws/terms.hpp"

namespace nd7::linux_plan {

[[nodiscard]] bool opens(laws::Role role);
/// Denies, protection and the seal; not what keeps denied files in their place.
[[nodiscard]] bool closes(laws::Role role);
/// What protection and the seal say beside their own subject: carves do it by themselves.
[[nodiscard]] bool is_structural(const ir::Policy& policy, const laws::Term& term);
/// True if the term names the operation or, for what it stands for, a class above it.
[[nodiscard]] bool names(const laws::Term& term, seatbelt::Op op);

/// Operations on files that a plan keeps, by the access that they are part of.
[[nodiscard]] const std::vector<seatbelt::Op>&
reading();  ///< the first three, and what tells of it
[[nodiscard]] const std::vector<seatbelt::Op>& writing();
[[nodiscard]] const std::vector<seatbelt::Op>& running();

class Meanings {
 public:
  /// `policy` has its parameters bound, but for optional ones that are unset.
  Meanings(const ir::Policy& policy, const std::vector<laws::Term>& terms,
           const SourceMap& sources);

  /// All that no plan may exceed: every allow, without the denies that are made of trees alone.
  [[nodiscard]] std::optional<answer::Side> upper(std::string& bug) const;
  /// What every plan has to allow: allows that are made of trees and whole accesses, without all
  /// that some rule may have closed.
  [[nodiscard]] std::optional<answer::Side> lower(std::string& bug) const;
  /// What allows open under all denies, for the operations `about`. Allows in `without` are left
  /// out, and what terms in `wholly` close is closed as generously as any plan may close it.
  [[nodiscard]] std::optional<answer::Side> opened(const std::vector<seatbelt::Op>& about,
                                                   const std::set<std::size_t>& without,
                                                   const std::set<std::size_t>& wholly,
                                                   std::string& bug) const;
  /// What `term` matches, whatever its role.
  [[nodiscard]] std::optional<answer::Side> matched_by(std::size_t term, std::string& bug) const;

  /// Trees and nothing else, as far as `term` speaks about files and sockets.
  [[nodiscard]] bool is_plain(std::size_t term) const;
  /// Something else than trees, among its exceptions, too.
  [[nodiscard]] bool has_patterns(std::size_t term) const;

 private:
  using Terms = std::vector<laws::Term>;
  [[nodiscard]] std::optional<answer::Side> side_of(ir::Policy& policy, const Terms& terms,
                                                    bool builtins, std::string& bug) const;
  void add(Terms& into, ir::Policy& policy, const laws::Term& term, ir::CondId cond) const;
  /// Denies what is private, but for what allows of `about`, other than `without`, name there.
  /// `for_certain`: only trees of allows that every plan has, and below /tmp alone.
  void add_private(Terms& into, ir::Policy& policy, const std::vector<seatbelt::Op>& about,
                   bool for_certain, const std::set<std::size_t>& without) const;
  /// What the term may close at most, as denies.
  void add_generously(Terms& into, ir::Policy& policy, const laws::Term& term,
                      ir::CondId cond) const;
  [[nodiscard]] static std::vector<seatbelt::Op> whole_accesses(const laws::Term& term);

  const ir::Policy& policy_;
  const std::vector<laws::Term>& terms_;
  const SourceMap& sources_;
};

}  // namespace nd7::linux_plan
