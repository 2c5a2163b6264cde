// Programs where the ordinary user can run them.
#pragma once

#include <string>

#include "tests/kernel/user.hpp"

namespace nd7::test {

/// `built`, or for root a copy below the user's home directory, in a folder that is root's: the
/// build folder may be one that others cannot enter, or below /tmp, which a session has of its own.
[[nodiscard]] std::string program_for(const User& user, const std::string& built);

}  // namespace nd7::test
