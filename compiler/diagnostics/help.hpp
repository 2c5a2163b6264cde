// The page of each diagnostic code, built into the program.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/diagnostics/diagnostic.hpp"

namespace nd7 {

/// Markdown of docs/codes/NDnnnn.md, byte for byte; none if the build had no page for the code.
[[nodiscard]] std::optional<std::string_view> help_page(Code code);

}  // namespace nd7
