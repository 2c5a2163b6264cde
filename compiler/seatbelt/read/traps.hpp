// Places where a raw profile does not do what it seems to say.
#pragma once

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/seatbelt/read/rule_base.hpp"

namespace nd7::seatbelt::read {

/// Adds warnings ND6101–ND6107, each with both places where there are two. The work is bounded: of
/// very large profiles only the first pairs of rules are compared.
void find_traps(const RuleBase& base, Diagnostics& diagnostics);

/// The two halves: rules that get in each other's way, and filters that mean something else.
void find_rule_traps(const RuleBase& base, Diagnostics& diagnostics);
void find_filter_traps(const RuleBase& base, Diagnostics& diagnostics);

}  // namespace nd7::seatbelt::read
