// Where access changes: a plan as the list of places that mounts can be made of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/linux/plan.hpp"

namespace nd7::runtime {

enum class Access : std::uint8_t {
  closed,  ///< nothing below can be seen
  read,
  write,  ///< and read
  own,    ///< the session's own, to write: what the host has here does not exist
};

/// A directory of the session's own.
struct OwnPlace {
  std::string path;
  bool read_only = false;
};

struct Place {
  std::string path;  ///< absolute, physical
  Access access = Access::read;
  bool exec = true;
  bool file_only = false;  ///< left as it is if it turns out to be a directory
  bool own = false;        ///< not the host's, whatever its access
};

/// Every place where access differs from what is above it, and the directories between a writable
/// place and something protected in it: as mount points they cannot be renamed. A directory stands
/// before what is below it; the first is the root.
using Layout = std::vector<Place>;

/// `plan` has no open parameters; `own` are the session's own directories.
[[nodiscard]] Layout layout_of(const linux_plan::Plan& plan, const std::vector<OwnPlace>& own);

/// True if `path` is `tree` or below it. Both absolute, without a trailing slash.
[[nodiscard]] bool is_at_or_below(std::string_view path, std::string_view tree);

}  // namespace nd7::runtime
