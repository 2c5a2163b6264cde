#include "runtime/platform/linux/connect_gate.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "compiler/linux/model.hpp"
#include "runtime/platform/linux/seccomp_notify.hpp"

namespace nd7::runtime {

/// One call, copied once.
struct ConnectGate::Call {
  std::uint64_t id = 0;
  pid_t caller = -1;
  Descriptor socket;  ///< the caller's own, shared
  sockaddr_storage address{};
  socklen_t size = 0;
  int domain = AF_UNSPEC;
};

namespace {

constexpr unsigned kOfThread = O_EXCL;  // PIDFD_THREAD, since Linux 6.9

/// The process of a thread; 0 if there is none any more.
pid_t process_of(pid_t thread) {
  const Descriptor file{
      ::open(("/proc/" + std::to_string(thread) + "/status").c_str(), O_RDONLY | O_CLOEXEC)};
  std::array<char, 1024> text{};
  if (!file || ::read(file.get(), text.data(), text.size() - 1) <= 0) return 0;
  // The name, on the first line, has its line ends escaped.
  const char* const at = std::strstr(text.data(), "\nTgid:");
  return at == nullptr ? 0 : static_cast<pid_t>(std::strtol(at + 6, nullptr, 10));
}

/// The caller is a thread, and often not its process's first one.
Descriptor descriptor_of(pid_t thread, int number) {
  Descriptor pinned{static_cast<int>(::syscall(SYS_pidfd_open, thread, kOfThread))};
  if (!pinned && errno == EINVAL) {
    pinned = Descriptor{static_cast<int>(::syscall(SYS_pidfd_open, process_of(thread), 0))};
  }
  if (!pinned) return {};
  return Descriptor{static_cast<int>(::syscall(SYS_pidfd_getfd, pinned.get(), number, 0))};
}

bool copy_address(pid_t process, std::uint64_t from, void* to, std::size_t size) {
  const iovec here{to, size};
  const iovec there{reinterpret_cast<void*>(from), size};
  return ::process_vm_readv(process, &here, 1, &there, 1, 0) == static_cast<ssize_t>(size);
}

std::int64_t connect(const Descriptor& socket, const sockaddr* address, socklen_t size) {
  return ::connect(socket.get(), address, size) == 0 ? 0 : -errno;
}

/// A connection that the socket waits for would hold up all others.
bool may_wait(const Descriptor& socket) {
  return (::fcntl(socket.get(), F_GETFL) & O_NONBLOCK) == 0;
}

std::string proc_of(pid_t process, std::string_view name) {
  return "/proc/" + std::to_string(process) + "/" + std::string{name};
}

/// What a path means to the caller: below its root and, if relative, from its directory.
Descriptor open_as(pid_t caller, const std::string& path) {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
  std::string whole = path;
  if (!path.starts_with("/")) {
    std::array<char, PATH_MAX> directory{};
    const ssize_t length =
        ::readlink(proc_of(caller, "cwd").c_str(), directory.data(), directory.size() - 1);
    if (length <= 0) return {};
    whole = std::string{directory.data(), static_cast<std::size_t>(length)} + "/" + path;
  }
  const Descriptor root{::open(proc_of(caller, "root").c_str(), O_PATH | O_CLOEXEC)};
  if (!root) return {};
  return Descriptor{
      static_cast<int>(::syscall(SYS_openat2, root.get(), whole.c_str(), &how, sizeof how))};
}

}  // namespace

ConnectGate::ConnectGate(const linux_plan::Plan& plan, const UnixListeners& own,
                         const std::string& broker)
    : plan_(plan), own_(own) {
  struct stat status {};
  if (::stat(broker.c_str(), &status) == 0) {
    broker_device_ = status.st_dev;
    broker_inode_ = status.st_ino;
  }
}

void ConnectGate::serve(int listener) const {
  seccomp::prefer_synchronous_wake(listener);
  seccomp_notif notification{};
  bool ended = false;
  while (!ended) {
    if (!seccomp::receive(listener, notification, ended)) continue;
    auto call = std::make_shared<Call>();
    call->id = notification.id;
    call->caller = static_cast<pid_t>(notification.pid);
    const auto size = static_cast<std::uint32_t>(notification.data.args[2]);
    call->socket = descriptor_of(call->caller, static_cast<int>(notification.data.args[0]));
    socklen_t length = sizeof call->domain;
    if (!call->socket) {
      seccomp::answer(listener, call->id, -EBADF);
    } else if (::getsockopt(call->socket.get(), SOL_SOCKET, SO_DOMAIN, &call->domain, &length) !=
               0) {
      seccomp::answer(listener, call->id, -ENOTSOCK);
    } else if (size < sizeof(sa_family_t) || size > sizeof call->address) {
      seccomp::answer(listener, call->id, -EINVAL);
    } else if (!copy_address(call->caller, notification.data.args[1], &call->address, size)) {
      seccomp::answer(listener, call->id, -EFAULT);
    } else if (!seccomp::is_waiting(listener, call->id)) {
      continue;  // what was read may be another process's
    } else {
      call->size = size;
      if (may_wait(call->socket) && waiting_ < kMostWaiting) {
        ++waiting_;
        std::thread{[this, listener, call] {
          seccomp::answer(listener, call->id, judge(listener, *call));
          --waiting_;
        }}.detach();
      } else if (may_wait(call->socket)) {
        seccomp::answer(listener, call->id, -EAGAIN);
      } else {
        seccomp::answer(listener, call->id, judge(listener, *call));
      }
    }
  }
}

std::int64_t ConnectGate::judge(int listener, const Call& call) const {
  if (!seccomp::is_waiting(listener, call.id)) return -EINTR;
  const auto* const address = reinterpret_cast<const sockaddr*>(&call.address);
  if (call.domain == AF_UNIX) return connect_unix(call);
  if (call.domain == AF_NETLINK || address->sa_family == AF_UNSPEC) {
    return connect(call.socket, address, call.size);
  }
  if (call.domain != AF_INET && call.domain != AF_INET6) return -EACCES;
  // The namespace has listeners at the open ports alone; this says "denied" where the rules do.
  int type = 0;
  socklen_t length = sizeof type;
  ::getsockopt(call.socket.get(), SOL_SOCKET, SO_TYPE, &type, &length);
  if (type == SOCK_STREAM) {
    const auto* const internet = reinterpret_cast<const sockaddr_in*>(address);
    const std::uint16_t port = ntohs(internet->sin_port);  // at the same place for both families
    const auto protocol = linux_plan::Protocol::tcp;
    if (!linux_plan::decide_connect(plan_, protocol, true, port).allowed &&
        !linux_plan::decide_connect(plan_, protocol, false, port).allowed) {
      return -EACCES;
    }
  }
  return connect(call.socket, address, call.size);
}

std::int64_t ConnectGate::connect_unix(const Call& call) const {
  const auto* const address = reinterpret_cast<const sockaddr_un*>(&call.address);
  if (address->sun_family != AF_UNIX) {
    return connect(call.socket, reinterpret_cast<const sockaddr*>(address), call.size);
  }
  constexpr std::size_t kStart = offsetof(sockaddr_un, sun_path);
  if (call.size <= kStart) return -EINVAL;
  // Abstract names are of the network namespace, which is the session's.
  if (address->sun_path[0] == '\0') {
    return connect(call.socket, reinterpret_cast<const sockaddr*>(address), call.size);
  }
  const std::string path{address->sun_path, ::strnlen(address->sun_path, call.size - kStart)};
  const Descriptor file = open_as(call.caller, path);
  if (!file) return -errno;
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return -errno;
  if (!S_ISSOCK(status.st_mode)) return -ECONNREFUSED;
  if (!(status.st_dev == broker_device_ && status.st_ino == broker_inode_) &&
      !own_.is_bound(status.st_dev, status.st_ino)) {
    std::array<char, PATH_MAX> physical{};
    const std::string link = "/proc/self/fd/" + std::to_string(file.get());
    const ssize_t length = ::readlink(link.c_str(), physical.data(), physical.size() - 1);
    if (length <= 0) return -EACCES;
    const std::string_view seen{physical.data(), static_cast<std::size_t>(length)};
    if (!linux_plan::decide_socket(plan_, seen).allowed) return -EACCES;
  }
  // By the file that was looked at, whatever its name means by now.
  sockaddr_un pinned{};
  pinned.sun_family = AF_UNIX;
  const std::string link = "/proc/self/fd/" + std::to_string(file.get());
  std::memcpy(pinned.sun_path, link.c_str(), link.size() + 1);
  return connect(call.socket, reinterpret_cast<const sockaddr*>(&pinned), sizeof pinned);
}

}  // namespace nd7::runtime
