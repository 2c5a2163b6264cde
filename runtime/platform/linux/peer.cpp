#include "runtime/platform/linux/peer.hpp"

#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace nd7::runtime {
namespace {

// Linux 6.5; the headers of supported distributions are older.
constexpr int kPassPidfd = 76;    // SO_PASSPIDFD
constexpr int kPidfdMessage = 4;  // SCM_PIDFD

}  // namespace

Outcome ask_for_sender(int connection) {
  const int on = 1;
  if (::setsockopt(connection, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0 ||
      ::setsockopt(connection, SOL_SOCKET, kPassPidfd, &on, sizeof on) != 0) {
    return failed("ask the kernel who sends");
  }
  return std::nullopt;
}

void Sender::take(const cmsghdr& header) {
  if (header.cmsg_type == SCM_CREDENTIALS && header.cmsg_len == CMSG_LEN(sizeof(ucred))) {
    ucred credentials{};
    std::memcpy(&credentials, CMSG_DATA(&header), sizeof credentials);
    credentials_ = credentials;
  }
  if (header.cmsg_type == kPidfdMessage && header.cmsg_len == CMSG_LEN(sizeof(int))) {
    int descriptor = -1;
    std::memcpy(&descriptor, CMSG_DATA(&header), sizeof descriptor);
    pinned_ = Descriptor{descriptor};
  }
}

std::optional<pid_t> Sender::process(const Floor& floor) const {
  if (!credentials_ || !pinned_ || credentials_->uid != ::geteuid() || credentials_->pid <= 0) {
    return std::nullopt;
  }
  const pid_t process = credentials_->pid;
  struct stat status {};
  const std::string space = "/proc/" + std::to_string(process) + "/ns/user";
  if (::stat(space.c_str(), &status) != 0 || status.st_ino != floor.identity) return std::nullopt;
  // While it still runs, its number was its own when its namespace was looked up.
  if (::syscall(SYS_pidfd_send_signal, pinned_.get(), 0, nullptr, 0) != 0 && errno != EPERM) {
    return std::nullopt;
  }
  return process;
}

}  // namespace nd7::runtime
