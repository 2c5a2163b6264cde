// `ops` and `where`: operations by name, and expressions as conditions on their subjects.
#pragma once

#include <optional>
#include <vector>

#include "compiler/check/names.hpp"
#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/ir/policy.hpp"
#include "compiler/syntax/expression.hpp"
#include "compiler/syntax/rules_file.hpp"

namespace nd7 {

struct NamedOperation {
  seatbelt::Op op;
  Span span;
};

/// The operations of an `ops` list; unknown ones are ND2004, those that `release` (or, without one,
/// some supported release) lacks ND3002. Empty after errors.
[[nodiscard]] std::vector<NamedOperation> resolve_operations(
    const ValuesNode& ops, std::optional<seatbelt::Release> release, Names& names,
    Diagnostics& diagnostics);

/// The condition that `expr` is for operations with one subject kind. Every filter must fit every
/// operation (ND2007); a negation gets the guard of its variant (ND2029 where none can be written).
[[nodiscard]] std::optional<ir::CondId> resolve_where(const Expr& expr,
                                                      const std::vector<NamedOperation>& ops,
                                                      Names& names, ir::Policy& policy,
                                                      Diagnostics& diagnostics);

}  // namespace nd7
