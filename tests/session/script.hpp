// Shell scripts that use nd7 as an ordinary user does.
#pragma once

#include <string>

#include "tests/kernel/user.hpp"

namespace nd7::test {

struct Output {
  std::string text;  ///< standard output and standard error, in the order written
  int code = -1;     ///< 128 + the signal that ended the script
};

/// Runs `script` with /bin/sh as `user`, in an empty project directory below the home directory,
/// with $ND7, $ND7_EXEC and $ND7C set. Ends it after three minutes, and all that it left running.
[[nodiscard]] Output run_script(const User& user, const std::string& script);

}  // namespace nd7::test
