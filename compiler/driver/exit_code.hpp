// nd7c's exit codes: the contract of README.md, "Exit codes".
#pragma once

namespace nd7::driver {

enum ExitCode : int {
  kClean = 0,
  kFindings = 1,   ///< errors in the input, or an output that cannot be written
  kUsage = 2,      ///< the command line
  kCannotRun = 3,  ///< an input that cannot be read
  kUndecided = 4,  ///< checks that were not decided; nothing is written
  kInternal = 70,  ///< a bug in nd7c; nothing is written
};

}  // namespace nd7::driver
