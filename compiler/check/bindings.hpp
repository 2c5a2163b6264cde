// `-D NAME=VALUE`: which parameter is meant, and whether the value may be.
#pragma once

#include <map>
#include <string>

#include "compiler/check/check.hpp"

namespace nd7 {

/// Sets the values of HOME, PROJ, TMP and EXIT in `policy`, and returns those of declared
/// parameters by their full key. ND5006–ND5010 for values and names that must not be.
[[nodiscard]] std::map<std::string, std::string> resolve_bindings(const Composition& composition,
                                                                  const CheckOptions& options,
                                                                  ir::Policy& policy,
                                                                  Diagnostics& diagnostics);

/// Why `path` is not an absolute, normalised path without control characters; empty if it is.
[[nodiscard]] std::string path_problem(std::string_view path);

}  // namespace nd7
