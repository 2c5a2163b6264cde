// What went wrong with a system call, said for a person.
#pragma once

#include <cerrno>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace nd7::runtime {

struct Failure {
  std::string step;  ///< what was tried: "mount /proc", "read /home/ada/.nd7/…"
  int error = 0;     ///< errno, or 0 where the system said nothing

  [[nodiscard]] std::string text() const {
    if (error == 0) return step;
    return step + ": " + std::generic_category().message(error);
  }
};

/// Nothing: it worked.
using Outcome = std::optional<Failure>;

/// A failure of the call that has just set errno.
[[nodiscard]] inline Failure failed(std::string step) { return {std::move(step), errno}; }

}  // namespace nd7::runtime
