#include "runtime/cli/commands.hpp"

#include <array>

namespace nd7::runtime::cli {

std::span<const Command> commands() {
  static constexpr std::array<Command, 6> kCommands{{
      {"run", "start a program under rules", run_run},
      {"allow", "let a session's commands write somewhere, from the next one", run_allow},
      {"deny", "take that back", run_deny},
      {"sessions", "list the running sessions", run_sessions},
      {"doctor", "find out whether this machine can keep a session", run_doctor},
      {"hook-prefix", "answer Claude Code, which asks before it runs a command", run_hook_prefix},
  }};
  return kCommands;
}

}  // namespace nd7::runtime::cli
