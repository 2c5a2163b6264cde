// Directories that a session needs outside before it can start.
#pragma once

#include <string>
#include <vector>

#include "compiler/linux/plan.hpp"
#include "runtime/os/failure.hpp"
#include "runtime/platform/linux/floor.hpp"
#include "runtime/session/record.hpp"

namespace nd7::runtime {

/// The session's own /tmp, /dev/shm and run-time directory: what stands behind them outside.
struct OwnPlaces {
  std::vector<OwnDirectory> directories;
  std::string broker;  ///< where the broker's socket is made
};

/// Makes them (0700) and notes them in the record, by which they are removed.
Outcome make_own_places(Record& record, OwnPlaces& places);

/// Makes what the rules want made, and what they close or protect where the session may write and
/// is not there: something that appeared later would be open. The latter, directories and empty
/// files, are noted in the record.
Outcome make_places(const linux_plan::Plan& plan, Record& record);

}  // namespace nd7::runtime
