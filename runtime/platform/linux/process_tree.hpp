// Signals for a command and what it has started, found by who started whom.
#pragma once

#include <sys/types.h>

#include <optional>

#include "runtime/os/descriptor.hpp"

namespace nd7::runtime {

/// `proc` is an open /proc of the namespace that the numbers are of. Descendants that left the
/// process group of `root` are left alone, as they would be by a terminal.
void signal_tree(int proc, pid_t root, int number);

/// Stops all of them first, so that none can start another one meanwhile, then kills them.
void kill_tree(int proc, pid_t root);

/// The parent's number, or nothing if there is no such process.
[[nodiscard]] std::optional<pid_t> parent_of(int proc, pid_t process);

}  // namespace nd7::runtime
