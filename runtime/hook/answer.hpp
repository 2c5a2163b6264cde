// nd7 hook-prefix: what Claude Code asks before it runs a command, and what it is told.
//
// The client takes every failure but exit code 2 for "go on without me", and a reply that it does
// not understand for none. So there are two outcomes: one JSON object that allows the call, or
// exit code 2 and a message.
#pragma once

#include <string>
#include <string_view>

namespace nd7::runtime::hook {

inline constexpr int kAnswered = 0;
inline constexpr int kBlocked = 2;  ///< the one code that stops the call

struct Answer {
  int code = kBlocked;
  std::string text;  ///< for standard output if answered, else for standard error; a whole line
};

/// `input` is what the client wrote: hostile. `nd7_exec` is this installation's, absolute.
/// `prefix` is the environment's CLAUDE_CODE_SHELL_PREFIX, empty if there is none: if it is nd7's,
/// the client itself starts every command through nd7-exec and the call is allowed as it is;
/// otherwise its command is rewritten.
[[nodiscard]] Answer answer(std::string_view input, std::string_view nd7_exec,
                            std::string_view prefix);

/// Not an answer: the reason, for a failure before there was anything to answer to.
[[nodiscard]] Answer blocked(std::string_view why);

}  // namespace nd7::runtime::hook
