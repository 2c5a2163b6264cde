// The layers in their order, for a process that is about to become a session's program or command.
#pragma once

#include <string>
#include <vector>

#include "runtime/os/failure.hpp"
#include "runtime/platform/linux/child_report.hpp"
#include "runtime/platform/linux/floor.hpp"

namespace nd7::runtime {

/// Makes the plan's mounts in this process's own mount namespace. Reports what is absent.
Outcome make_mounts(const linux_plan::Plan& plan, const std::vector<OwnDirectory>& own,
                    bool fresh_proc, const ChildReport& report);

/// Landlock and the system-call filter; nothing after this may need a right that the plan lacks.
/// Every connect is reported at `connects`, for a ConnectGate.
Outcome restrict_to(const linux_plan::Plan& plan, const std::vector<OwnDirectory>& own,
                    Descriptor& connects);

/// Every signal at its default, none blocked: what the parent ignores must not reach a program.
void reset_signals();

/// Replaces this process. Searches PATH of `environment` where the name holds no slash. Returns
/// only when it failed, with errno.
void execute(const std::vector<std::string>& arguments,
             const std::vector<std::string>& environment);

}  // namespace nd7::runtime
