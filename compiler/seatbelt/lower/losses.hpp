// What Seatbelt cannot say, found while lowering, and whether the rules accept it.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/ir/policy.hpp"
#include "compiler/laws/terms.hpp"

namespace nd7::seatbelt {

class Losses {
 public:
  Losses(ir::Policy& policy, Diagnostics& diagnostics)
      : policy_(policy), diagnostics_(diagnostics) {}

  /// `cond` as Seatbelt can test it. A host name becomes any host in an allow (wider), and nothing
  /// in a deny (not kept); both are reported for the term.
  [[nodiscard]] ir::CondId apply(ir::CondId cond, const laws::Term& term);

  /// A deny of every request of `ops`, for which Seatbelt has no filter: it cannot outrank what the
  /// imported system.sb allows by itself. Reported for the term.
  void report_total_deny(const std::vector<Op>& ops, const laws::Term& term);

  /// ND2046 for every acceptance of one of Seatbelt's losses that did not occur.
  void report_unused();

 private:
  void report(std::string_view loss, const laws::Term& term, const std::string& message,
              const std::string& witness, std::string_view help);

  ir::Policy& policy_;
  Diagnostics& diagnostics_;
  std::set<std::string> occurred_;
};

}  // namespace nd7::seatbelt
