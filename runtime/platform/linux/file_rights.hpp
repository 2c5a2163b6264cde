// The Landlock rules of a plan: the second lock on files, the only one on directory descriptors
// that were open before, and the first on ports.
#pragma once

#include "compiler/linux/plan.hpp"
#include "runtime/os/failure.hpp"
#include "runtime/platform/linux/layout.hpp"

namespace nd7::runtime {

/// For this thread and all it starts; to be called after the mounts are made. Whatever a place
/// holds that is closed or read-only is left to the mounts: Landlock cannot take out a part of a
/// tree.
Outcome enforce_file_rights(const linux_plan::Plan& plan, const Layout& layout);

}  // namespace nd7::runtime
