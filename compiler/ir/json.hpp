// The policy IR as JSON (docs/ir.md describes the form).
#pragma once

#include <string>

#include "compiler/ir/policy.hpp"

namespace nd7::ir {

/// One object, indented, ends with a newline. Depends on nothing but the policy.
[[nodiscard]] std::string to_json(const Policy& policy, const SourceMap& sources);

}  // namespace nd7::ir
