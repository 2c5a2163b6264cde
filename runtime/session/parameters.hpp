// Parameters of rules whose values come from this machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/policy.hpp"
#include "runtime/session/record.hpp"

namespace nd7::runtime {

/// Binds in `record` what the environment and the project's git directory say, where the rules ask
/// for it and nobody has said otherwise. A text for each value that is not believed.
std::vector<std::string> bind_from_machine(const std::vector<ir::Param>& params, Record& record);

/// The project's git directory; of a worktree the common one, which is believed only if its entry
/// for the worktree points back at `project`: the file that names it lies where the session may
/// write.
[[nodiscard]] std::optional<std::string> git_common_directory(const std::string& project);

}  // namespace nd7::runtime
