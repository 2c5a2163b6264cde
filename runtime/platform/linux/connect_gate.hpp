// Every connect of a session is made by this gate, outside: below Landlock ABI 9 nothing else in
// the kernel can keep a program from the Unix sockets of others, each a way to have work done
// unconfined.
//
// The socket is judged by its own descriptor and connected to a copy of the address: what the
// caller changes in its memory or its descriptors meanwhile changes nothing. A Unix socket may be
// connected to if it was made in the session, or if the rules open its path.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "compiler/linux/plan.hpp"
#include "runtime/os/descriptor.hpp"
#include "runtime/os/failure.hpp"
#include "runtime/platform/linux/unix_listeners.hpp"

namespace nd7::runtime {

class ConnectGate {
 public:
  /// `own`: the sockets of the session's network namespace. `broker`: the path of the one outside
  /// that every session may reach.
  ConnectGate(const linux_plan::Plan& plan, const UnixListeners& own, const std::string& broker);

  /// Answers the calls that `listener` reports until the last process of its filter has ended.
  void serve(int listener) const;

 private:
  struct Call;
  [[nodiscard]] std::int64_t judge(int listener, const Call& call) const;
  [[nodiscard]] std::int64_t connect_unix(const Call& call) const;

  const linux_plan::Plan& plan_;
  static constexpr int kMostWaiting = 256;  ///< connects that wait for their peers at once

  const UnixListeners& own_;
  mutable std::atomic<int> waiting_{0};
  dev_t broker_device_ = 0;
  ino_t broker_inode_ = 0;
};

}  // namespace nd7::runtime
