// The sockets through which a session's network reaches the outside: made inside, served outside.
#pragma once

#include <vector>

#include "compiler/linux/plan.hpp"
#include "runtime/platform/linux/floor.hpp"

namespace nd7::runtime {

/// Listens on every port that the plan allows connecting to, on every address. In the session's
/// network namespace, with its capabilities.
Outcome listen_for(const linux_plan::Plan& plan, std::vector<Listener>& listeners);

/// Over a connected socket pair.
Outcome send_listeners(int to, const std::vector<Listener>& listeners);
Outcome receive_listeners(int from, const linux_plan::Plan& plan, std::vector<Listener>& listeners);

}  // namespace nd7::runtime
