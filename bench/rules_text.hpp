// Rules files of any size, much like those that people write: mostly paths, some patterns, some
// denies, some addresses.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compiler/check/files.hpp"

namespace nd7::bench {

/// A root file's text, and the files that it uses: one file has a limit of its own.
struct Rules {
  std::string root;
  MemoryFiles files;
};
[[nodiscard]] Rules rules_of(std::size_t count);

}  // namespace nd7::bench
