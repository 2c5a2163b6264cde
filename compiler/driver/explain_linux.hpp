// nd7c explain --target linux
#pragma once

#include <string>

#include "compiler/driver/asked.hpp"
#include "compiler/driver/options.hpp"

namespace nd7::driver {

/// Answers from the Linux plan of a rules file, as it is read back from its text. Returns the exit
/// code.
[[nodiscard]] int explain_on_linux(const std::string& input, const Asked& asked,
                                   const Resolved& options);

}  // namespace nd7::driver
