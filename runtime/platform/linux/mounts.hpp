// A layout as mounts of the calling process's own mount namespace.
#pragma once

#include <string>
#include <vector>

#include "runtime/os/descriptor.hpp"
#include "runtime/os/failure.hpp"
#include "runtime/platform/linux/layout.hpp"

namespace nd7::runtime::mounts {

/// What stands behind one of the session's own places.
struct Own {
  std::string path;
  Descriptor source;  ///< an open directory; none: a new tmpfs
};

struct Options {
  bool fresh_proc = false;  ///< in a new PID namespace
  std::vector<Own> own;
};

struct Applied {
  Outcome failure;
  /// Places that open something and were left out: missing, reached through a symbolic link, or a
  /// directory where a file was named.
  std::vector<std::string> absent;
  /// Closed places that do not exist: nothing is there to close.
  std::vector<std::string> missing;
};

/// Needs to be in a new user and mount namespace, with its capabilities.
[[nodiscard]] Applied apply(const Layout& layout, const Options& options);

}  // namespace nd7::runtime::mounts
