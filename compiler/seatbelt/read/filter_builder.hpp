// Filters out of calls like `(subpath "/a")` and `(require-not F)`.
#pragma once

#include <span>
#include <vector>

#include "compiler/seatbelt/read/context.hpp"

namespace nd7::seatbelt::read {

/// True for functions whose arguments may be names that nothing binds: `(syscall-number SYS_open)`.
[[nodiscard]] bool takes_symbols(const Value& function);

/// A call of `filter`; several arguments are alternatives.
[[nodiscard]] Value make_filter(Context& context, Filter filter, Arguments arguments, Place place);

/// `(entitlement-value V)`: only inside `require-entitlement`.
[[nodiscard]] Value make_entitlement_value(Context& context, Arguments arguments, Place place);

/// One filter of several; a single one stays itself except under a negation.
[[nodiscard]] Value combine(Context& context, FilterNode::Kind kind, std::span<const FilterId> kids,
                            Place place);

}  // namespace nd7::seatbelt::read
