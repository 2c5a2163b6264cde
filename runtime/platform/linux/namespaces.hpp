// Namespaces of a session: a user namespace of one user and group, and in it what else is private.
#pragma once

#include <sys/types.h>

#include "runtime/os/failure.hpp"

namespace nd7::runtime::namespaces {

struct Wanted {
  bool pid = false;
  bool network = false;
};

/// New user, mount and IPC namespaces, and those wanted. This thread keeps its user and group ids.
/// With `pid`, children are in the new one, not the caller.
Outcome enter(const Wanted& wanted);

/// Brings the loopback device up and makes every address local, so that a connection to any of
/// them reaches a listener in this namespace.
Outcome own_every_address();

/// Gives up every capability, those that programs could gain by exec included.
Outcome drop_capabilities();

}  // namespace nd7::runtime::namespaces
