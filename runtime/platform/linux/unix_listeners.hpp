// Which Unix sockets belong to a network namespace, by the file that stands for them.
#pragma once

#include <sys/types.h>

#include "runtime/os/descriptor.hpp"
#include "runtime/os/failure.hpp"

namespace nd7::runtime {

/// Asks about the network namespace in which it was opened.
class UnixListeners {
 public:
  /// In the namespace that this thread is in.
  Outcome open();

  /// Whether a listening socket of that namespace is bound to this inode. An error is "no".
  [[nodiscard]] bool is_bound(dev_t device, ino_t inode) const;

 private:
  Descriptor diagnosis_;
};

}  // namespace nd7::runtime
