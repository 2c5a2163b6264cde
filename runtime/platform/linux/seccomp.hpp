// The system-call filter: what neither mounts nor Landlock can see.
//
// A list of calls that have no business below a session, a closed list of socket kinds, and the
// flag that sends data with a TCP connection past Landlock. Everything else is allowed: what a call
// may do to files is decided by the other layers. Calls of other architectures (32-bit, x32) do not
// exist.
#pragma once

#include "runtime/os/failure.hpp"

namespace nd7::runtime::seccomp {

struct Options {
  bool udp = false;            ///< UDP sockets may be made
  bool unix_datagrams = true;  ///< AF_UNIX sockets other than streams may be made
};

/// For this thread and all it starts. Sets no_new_privs.
Outcome enforce(const Options& options);

}  // namespace nd7::runtime::seccomp
