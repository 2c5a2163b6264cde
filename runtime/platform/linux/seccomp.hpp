// The system-call filter: what neither mounts nor Landlock can see.
//
// A list of calls that have no business below a session, a closed list of socket kinds, and the
// flag that sends data with a TCP connection past Landlock. Everything else is allowed: what a call
// may do to files is decided by the other layers. Calls of other architectures (32-bit, x32) do not
// exist.
#pragma once

#include "runtime/os/descriptor.hpp"
#include "runtime/os/failure.hpp"

namespace nd7::runtime::seccomp {

struct Options {
  bool udp = false;  ///< UDP sockets may be made
};

/// For this thread and all it starts. Sets no_new_privs. Every connect waits for an answer at
/// `connects`; without anyone who gives them, none succeeds. AF_UNIX datagrams, which need no
/// connect, are refused.
Outcome enforce(const Options& options, Descriptor& connects);

}  // namespace nd7::runtime::seccomp
