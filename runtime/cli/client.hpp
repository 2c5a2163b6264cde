// Claude Code as the program of a session: what nd7 run does for it that it does for no other.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "runtime/session/installed.hpp"

namespace nd7::runtime::cli {

struct Client {
  std::vector<std::string> arguments;  ///< the program first
  std::vector<std::string> notes;      ///< for the user, a line each
  std::string shell_prefix;            ///< for its environment
  std::string greeting;  ///< a command that its hook runs at the start; empty if no hook will run
};

/// By the name of the program alone.
[[nodiscard]] bool is_client(const std::string& program);

/// A text says why nd7 refuses.
[[nodiscard]] std::variant<Client, std::string> prepare_client(
    const std::vector<std::string>& arguments, const Installed& installed);

}  // namespace nd7::runtime::cli
