// One descriptor a message, over a socket of this machine.
#pragma once

#include "runtime/os/descriptor.hpp"
#include "runtime/os/failure.hpp"

namespace nd7::runtime {

Outcome send_descriptor(int to, const Descriptor& descriptor);

/// An empty descriptor without a failure: the other end has closed.
Outcome receive_descriptor(int from, Descriptor& descriptor);

}  // namespace nd7::runtime
