// Codes about options, inputs and outputs: what yields them is a command, not a file.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "tests/golden/code_runs.hpp"

namespace nd7::test {

struct CommandCase {
  const char* code;
  const char* name;
  bool fails;  ///< the code comes, and the exit code is `exit`; else it does not come
  int exit;
  Outcome (*run)();
};

inline void PrintTo(const CommandCase& c, std::ostream* out) { *out << c.code << '/' << c.name; }

[[nodiscard]] const std::vector<CommandCase>& command_cases();

}  // namespace nd7::test
