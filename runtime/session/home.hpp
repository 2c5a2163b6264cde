// Whose sessions these are: the home directory of the password database, never of the environment,
// which belongs to the programs that nd7 confines.
#pragma once

#include <string>

#include "runtime/os/failure.hpp"

namespace nd7::runtime {

/// The physical home directory of the real user.
Outcome home_directory(std::string& home);

}  // namespace nd7::runtime
