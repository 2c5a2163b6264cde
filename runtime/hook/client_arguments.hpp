// The arguments that Claude Code is started with under nd7: the user's, with the hook, the
// settings and the paragraph for the model that make the client cooperate with the rules.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "runtime/hook/client_settings.hpp"

namespace nd7::runtime::hook {

struct Version {
  int major = 0;
  int minor = 0;
  int patch = 0;
  friend auto operator<=>(const Version&, const Version&) = default;
};
/// "2.1.332"; nothing for anything else.
[[nodiscard]] std::optional<Version> version_of(std::string_view text);

struct ClientRequest {
  std::vector<std::string> arguments;  ///< as the user gave them, the program first
  Installation installation;
  std::optional<Version> version;  ///< of the client, if it is known
  /// The text of a file that an argument names; nothing if it cannot be read.
  std::function<std::optional<std::string>(const std::string&)> read_file;
};

struct ClientArguments {
  std::vector<std::string> arguments;
  std::vector<std::string> notes;  ///< for the user, a line each
  bool conversation = true;        ///< false for --version, `mcp list` and the like: no hook runs
};

/// A text says why nd7 refuses: what the user asks for would leave the session, or cannot be joined
/// with what nd7 needs. Everything that is not nd7's business stays as it is and in its order.
[[nodiscard]] std::variant<ClientArguments, std::string> client_arguments(
    const ClientRequest& request);

/// What is appended to the system prompt.
[[nodiscard]] std::string_view paragraph_for_model();

}  // namespace nd7::runtime::hook
