// A session from its start to its end, as its parent outside sees it: the floor, the relay that
// carries its network, the broker that starts its commands.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "runtime/os/failure.hpp"
#include "runtime/platform/linux/broker.hpp"
#include "runtime/platform/linux/floor.hpp"

namespace nd7::runtime {

struct SupervisorOptions {
  FloorOptions floor;
  /// An existing directory of this user's alone, where the broker's socket is made.
  std::string broker_directory;
  ReadPolicy read_policy;
  /// Tells the person at the terminal; one line without its end.
  std::function<void(std::string_view)> say;
  /// A place that the plan opens and that is not there.
  std::function<void(const std::string&)> absent;
  /// Called when all is there and just before the program runs.
  std::function<void()> started;
  /// A command by which the program shows that it asks nd7 for its commands; empty if none will
  /// come. It is not run.
  std::string greeting;
  /// Called if it has not come after half a minute, and at the end if it never came.
  std::function<void(bool at_end)> not_greeted;
};

struct Ended {
  Outcome failure;  ///< nothing ran; `code` says what a shell would exit with
  int code = 0;     ///< the program's exit code, or 128 + the signal that ended it
};

[[nodiscard]] Ended supervise(const SupervisorOptions& options);

}  // namespace nd7::runtime
