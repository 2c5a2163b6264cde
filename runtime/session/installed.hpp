// nd7's own programs, and the shell that commands are run by.
#pragma once

#include <string>

#include "runtime/os/failure.hpp"

namespace nd7::runtime {

struct Installed {
  std::string nd7;       ///< this program's physical path
  std::string nd7_exec;  ///< beside it
};

/// Where they are, whatever they are. For what runs inside a session, where files of other users
/// look as if nobody owned them.
Outcome locate_installed(Installed& installed);

/// Refuses an nd7-exec that is missing, no regular file, or that others could replace: writable by
/// group or others, or in such a directory.
Outcome find_installed(Installed& installed);

/// The user's shell if it is bash or zsh and only root can replace it; else /bin/zsh, else /bin/sh.
/// `wanted` is the environment's word for it, or null.
[[nodiscard]] std::string choose_shell(const char* wanted);

}  // namespace nd7::runtime
