// The connect gate as a process of its own.
#pragma once

#include <string>

#include "runtime/os/descriptor.hpp"
#include "runtime/os/failure.hpp"
#include "runtime/platform/linux/floor.hpp"

namespace nd7::runtime {

/// Starts the gate of a session. It takes listeners of filters over `control` (send_descriptor),
/// and ends when every other end of that is closed or the parent has ended.
Outcome start_gate(const linux_plan::Plan& plan, const Floor& floor, const std::string& broker,
                   Descriptor& control);

}  // namespace nd7::runtime
