// On macOS a deny also matches its names with other ASCII case: the kernel judges a file that does
// not exist yet in the spelling asked for, and the usual volume folds case when it is made.
#pragma once

#include <optional>

#include "compiler/ir/policy.hpp"

namespace nd7::laws {

/// `cond` with every path atom that stands in a denying position joined by its case-folded form:
/// positive atoms of a deny (`denying` true), negated ones of an allow (`denying` false).
[[nodiscard]] ir::CondId fold_denied_names(ir::Conditions& conditions, ir::CondId cond,
                                           bool denying);

/// A regular expression for the directories above `path` in every case that their names can be
/// made in; a parameter at its front stays as it is. nullopt where case changes nothing.
[[nodiscard]] std::optional<ir::Text> other_case_ancestors(const ir::Text& path);

}  // namespace nd7::laws
