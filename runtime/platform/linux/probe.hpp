// Can this machine keep a session? Found by starting one, not by reading settings.
#pragma once

#include <string>
#include <vector>

namespace nd7::runtime {

struct Check {
  std::string name;  ///< "user namespaces"
  bool good = false;
  std::string found;   ///< "Landlock ABI 7", or what went wrong
  std::string remedy;  ///< what a person can do; empty if good
};

/// In the order in which a session needs them. `directory` is one that the user may enter.
[[nodiscard]] std::vector<Check> probe(const std::string& directory);

}  // namespace nd7::runtime
