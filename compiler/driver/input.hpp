// The rules files that a command line names.
#pragma once

#include <optional>
#include <string>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/source_map.hpp"

namespace nd7::driver {

/// Reads `name`, or standard input for `-`. ND9001 if it cannot be read.
[[nodiscard]] std::optional<FileId> read_input(const std::string& name, SourceMap& sources,
                                               Diagnostics& diagnostics);

}  // namespace nd7::driver
