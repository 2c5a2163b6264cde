// A command as nd7-exec is asked to run it, in the words of a shell.
#pragma once

#include <string>
#include <string_view>

namespace nd7::runtime::hook {

/// One word of a POSIX shell that stands for exactly these bytes: '…', a single quote as '\''.
[[nodiscard]] std::string shell_word(std::string_view text);

/// What the environment's CLAUDE_CODE_SHELL_PREFIX has to be. The client quotes the path itself.
[[nodiscard]] std::string shell_prefix(std::string_view nd7_exec);
inline constexpr const char* kShellPrefixVariable = "CLAUDE_CODE_SHELL_PREFIX";

/// ND7_EXEC -c 'COMMAND'. A command that is exactly that already, to its last byte, stays as it is.
[[nodiscard]] std::string through(std::string_view nd7_exec, std::string_view command);

}  // namespace nd7::runtime::hook
