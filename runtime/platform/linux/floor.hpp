// The floor: a session's program, started below everything that holds for the whole session.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compiler/linux/plan.hpp"
#include "runtime/os/descriptor.hpp"
#include "runtime/os/failure.hpp"

namespace nd7::runtime {

/// One of the session's own directories, and the host's that stands behind it.
struct OwnDirectory {
  std::string path;
  std::string source;
  bool read_only = false;
};

/// A socket in the session's network that the parent serves.
struct Listener {
  Descriptor socket;
  linux_plan::Port port;  ///< one port: first == last
};

struct FloorOptions {
  linux_plan::Plan plan;                 ///< without open parameters
  std::vector<OwnDirectory> own;         ///< in the order of their paths
  bool private_processes = true;         ///< a PID namespace with a /proc of its own
  std::vector<std::string> arguments;    ///< the program first
  std::vector<std::string> environment;  ///< NAME=VALUE
  std::string directory;                 ///< where the program starts
};

struct Floor;
/// Called once the namespaces are there and before the program runs.
using BeforeStart = std::function<Outcome(const Floor&)>;

/// A session's namespaces, held open for its commands, and its first process.
struct Floor {
  pid_t process = -1;  ///< ends with the program's exit code, or 128 + the signal that ended it
  Descriptor user;
  Descriptor processes;  ///< none without private_processes
  Descriptor network;
  Descriptor ipc;
  std::uint64_t identity = 0;  ///< the user namespace's inode
  std::vector<Listener> listeners;
  Descriptor connects;              ///< where the program's connects wait for their answers
  std::vector<std::string> absent;  ///< places of the plan that open something and are not there
};

/// Starts the program; it runs when this returns. A failure: nothing runs.
[[nodiscard]] Outcome start_floor(const FloorOptions& options, const BeforeStart& before,
                                  Floor& floor);

/// Of a failed program start, what a shell would exit with.
inline constexpr int kNotFound = 127;
inline constexpr int kNotExecutable = 126;

}  // namespace nd7::runtime
