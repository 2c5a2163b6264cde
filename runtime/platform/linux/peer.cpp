#include "runtime/platform/linux/peer.hpp"

#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace nd7::runtime {
namespace {

constexpr int kPeerPidfd = 77;  // SO_PEERPIDFD, Linux 6.5

}  // namespace

std::optional<pid_t> peer_of_session(int connection, const Floor& floor) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return std::nullopt;
  if (peer.uid != ::geteuid() || peer.pid <= 0) return std::nullopt;
  int raw = -1;
  size = sizeof raw;
  if (::getsockopt(connection, SOL_SOCKET, kPeerPidfd, &raw, &size) != 0) return std::nullopt;
  const Descriptor pinned{raw};
  struct stat status {};
  const std::string space = "/proc/" + std::to_string(peer.pid) + "/ns/user";
  if (::stat(space.c_str(), &status) != 0 || status.st_ino != floor.identity) return std::nullopt;
  // While it still runs, its number was its own when its namespace was looked up.
  if (::syscall(SYS_pidfd_send_signal, pinned.get(), 0, nullptr, 0) != 0 && errno != EPERM) {
    return std::nullopt;
  }
  return peer.pid;
}

}  // namespace nd7::runtime
