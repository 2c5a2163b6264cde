// Conversations of Claude Code with a scripted model, under nd7.
#pragma once

#include <string>

#include "tests/session/script.hpp"

namespace nd7::test {

/// Not the user of other tests, which may run at the same time.
inline constexpr const char* kUser = "nd7-e2e";

/// Where the client's program is, installed on first use where `user` can run it; else `reason`
/// says why there is none.
[[nodiscard]] std::string client_program(const User& user, std::string& reason);

/// Whether the home directory of `user` is the tests' own to change.
[[nodiscard]] bool may_change_home(const User& user);

struct Talk {
  std::string model;   ///< the model's script, as model.mjs takes it
  std::string before;  ///< shell, before anything starts, in the project
  std::string body;    ///< shell: `claude ARGUMENTS` runs the client under nd7, `bare` without it
};

/// What the client and the model said. ~/e2e holds the conversation's files; ~/granted is there and
/// empty, ~/.claude and ~/.claude.json are not. The model's port is the one that is open.
[[nodiscard]] Output hold(const User& user, const std::string& program, const Talk& talk);

}  // namespace nd7::test
