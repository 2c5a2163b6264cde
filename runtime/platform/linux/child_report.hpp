// What a child process says to its parent before it becomes another program: lines of text over a
// pipe that exec closes. "absent PATH" is a remark; "failed ERRNO STEP" is the end of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/os/descriptor.hpp"
#include "runtime/os/failure.hpp"

namespace nd7::runtime {

class ChildReport {
 public:
  /// Both ends close on exec.
  Outcome open();

  // --- in the child
  void absent(std::string_view path) const;
  /// Says so and ends the process.
  [[noreturn]] void fail(const Failure& failure) const;

  // --- in the parent
  /// Waits until every child has closed its end.
  [[nodiscard]] Outcome read(std::vector<std::string>& absent);
  void close_child_end() { child_.reset(); }

 private:
  void send(const std::string& record) const;
  Descriptor parent_;
  Descriptor child_;
};

}  // namespace nd7::runtime
