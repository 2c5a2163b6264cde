// Which of the two profiles of a session.
#pragma once

#include <cstdint>

namespace nd7::laws {

enum class Profile : std::uint8_t {
  floor,    ///< what a program runs under: has the exit, no grants
  command,  ///< what nd7-exec applies to one command: has the grants, no exit
};

}  // namespace nd7::laws
