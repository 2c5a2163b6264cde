// Who is at the other end of a connection.
#pragma once

#include <sys/types.h>

#include <optional>

#include "runtime/platform/linux/floor.hpp"

namespace nd7::runtime {

/// The peer's process, if it belongs to the session: it is in the session's user namespace, which
/// nothing else can enter. Its number cannot come to mean another process meanwhile.
[[nodiscard]] std::optional<pid_t> peer_of_session(int connection, const Floor& floor);

}  // namespace nd7::runtime
