// Who sent a message: told by the kernel beside it. Not who connected, which the connect gate does
// for everybody.
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <optional>

#include "runtime/os/descriptor.hpp"
#include "runtime/os/failure.hpp"
#include "runtime/platform/linux/floor.hpp"

namespace nd7::runtime {

/// From now on messages over `connection` bring their sender.
Outcome ask_for_sender(int connection);

/// Room for it in a message's control data.
inline constexpr std::size_t kSenderSpace = CMSG_SPACE(sizeof(ucred)) + CMSG_SPACE(sizeof(int));

class Sender {
 public:
  /// A control message of level SOL_SOCKET; what is not about the sender is left alone.
  void take(const cmsghdr& header);

  /// The sender's process, if it belongs to the session: it is in the session's user namespace,
  /// which nothing else can enter. Its number cannot come to mean another process meanwhile.
  [[nodiscard]] std::optional<pid_t> process(const Floor& floor) const;

 private:
  std::optional<ucred> credentials_;
  Descriptor pinned_;
};

}  // namespace nd7::runtime
