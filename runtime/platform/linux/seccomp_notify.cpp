#include "runtime/platform/linux/seccomp_notify.hpp"

#include <sys/ioctl.h>

#include <cerrno>

namespace nd7::runtime::seccomp {
namespace {

// Linux 6.6; the headers of supported distributions are older.
constexpr unsigned long kSetFlags = _IOW('!', 4, std::uint64_t);
constexpr std::uint64_t kSynchronousWake = 1;

}  // namespace

bool receive(int listener, seccomp_notif& notification, bool& ended) {
  notification = {};  // the kernel refuses one that is not zero
  if (::ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notification) == 0) return true;
  ended = errno != EINTR && errno != ENOENT && errno != EAGAIN;
  return false;
}

bool is_waiting(int listener, std::uint64_t id) {
  return ::ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

void answer(int listener, std::uint64_t id, std::int64_t result) {
  seccomp_notif_resp response{};
  response.id = id;
  if (result < 0) {
    response.error = static_cast<std::int32_t>(result);
  } else {
    response.val = result;
  }
  ::ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

void prefer_synchronous_wake(int listener) { ::ioctl(listener, kSetFlags, kSynchronousWake); }

}  // namespace nd7::runtime::seccomp
