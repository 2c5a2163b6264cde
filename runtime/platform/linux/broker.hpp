// The broker: the one way out of a session. It runs outside, is asked by nd7-exec, and starts each
// command as its own child under the rules that hold at that moment. One process serves one
// request.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "compiler/linux/plan.hpp"
#include "runtime/os/failure.hpp"
#include "runtime/platform/linux/floor.hpp"

namespace nd7::runtime {

/// What holds for the next command.
struct CommandPolicy {
  linux_plan::Plan plan;  ///< of the command profile, without open parameters
  std::string shell;      ///< absolute
};

/// Reads the session's policy as it is now; a text is why there is none.
using ReadPolicy = std::function<std::variant<CommandPolicy, std::string>()>;

struct BrokerOptions {
  const Floor* floor = nullptr;
  std::vector<OwnDirectory> own;
  bool private_processes = true;
  const Descriptor* gate = nullptr;  ///< takes what reports a command's connects
  ReadPolicy read_policy;
  std::string greeting;  ///< a command that is not run: its coming is all there is to it
};

/// How the process of serve() ends if it served the greeting.
inline constexpr int kGreeted = 3;

/// Serves one connection in a process of its own: authenticates the peer, starts its command, hands
/// on signals, and ends when the command or the peer does.
[[noreturn]] void serve(Descriptor connection, const BrokerOptions& options);

}  // namespace nd7::runtime
