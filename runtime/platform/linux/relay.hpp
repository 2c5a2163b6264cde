// The session's network as served from outside: what arrives at a listener is carried to the
// address that the program asked for.
#pragma once

#include <vector>

#include "runtime/os/failure.hpp"
#include "runtime/platform/linux/floor.hpp"

namespace nd7::runtime {

/// Serves until the process ends. Confines itself first: no files, no other ports. A port that is
/// for this machine only is carried to loopback addresses alone.
Outcome relay(std::vector<Listener> listeners);

}  // namespace nd7::runtime
