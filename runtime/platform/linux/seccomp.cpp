#include "runtime/platform/linux/seccomp.hpp"

#include <fcntl.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace nd7::runtime::seccomp {
namespace {

using Comparisons = std::vector<scmp_arg_cmp>;

scmp_arg_cmp compare(unsigned argument, scmp_compare how, std::uint64_t value,
                     std::uint64_t second = 0) {
  return {argument, how, value, second};
}
scmp_arg_cmp equal(unsigned argument, std::uint64_t value) {
  return compare(argument, SCMP_CMP_EQ, value);
}
scmp_arg_cmp at_least(unsigned argument, std::uint64_t value) {
  return compare(argument, SCMP_CMP_GE, value);
}
/// Some bits of an argument, whatever the others are.
scmp_arg_cmp masked(unsigned argument, std::uint64_t mask, std::uint64_t value) {
  return compare(argument, SCMP_CMP_MASKED_EQ, mask, value);
}

/// Kernel attack surface, ways around the other layers, and ways into other processes.
constexpr std::array kRefused{
    "acct",
    "add_key",
    "bpf",
    "chroot",
    "delete_module",
    "fanotify_init",
    "finit_module",
    "fsconfig",
    "fsmount",
    "fsopen",
    "fspick",
    "init_module",
    "io_uring_enter",
    "io_uring_register",
    "io_uring_setup",
    "kcmp",
    "kexec_file_load",
    "kexec_load",
    "keyctl",
    "lookup_dcookie",
    "mount",
    "mount_setattr",
    "move_mount",
    "name_to_handle_at",
    "open_by_handle_at",
    "open_tree",
    "perf_event_open",
    "pidfd_getfd",
    "pivot_root",
    "process_madvise",
    "process_vm_readv",
    "process_vm_writev",
    "ptrace",
    "quotactl",
    "quotactl_fd",
    "reboot",
    "request_key",
    "setns",
    "swapoff",
    "swapon",
    "umount",
    "umount2",
    "userfaultfd",
    "vhangup",
};

constexpr std::uint64_t kNewTimeNamespace = 0x80;
constexpr std::array<std::uint64_t, 8> kNewNamespaces{CLONE_NEWNS,  CLONE_NEWCGROUP,  CLONE_NEWUTS,
                                                      CLONE_NEWIPC, CLONE_NEWUSER,    CLONE_NEWPID,
                                                      CLONE_NEWNET, kNewTimeNamespace};

constexpr std::uint64_t kFastOpen = 0x20000000;    // MSG_FASTOPEN
constexpr std::uint64_t kSocketType = 0xf;         // beside it: SOCK_CLOEXEC, SOCK_NONBLOCK
constexpr std::uint64_t kLow32 = 0xffffffff;       // the kernel looks at no more of an int
constexpr std::uint64_t kTerminalInject = 0x5412;  // TIOCSTI
constexpr std::uint64_t kConsoleInject = 0x541c;   // TIOCLINUX
constexpr std::uint64_t kSetModeFilter = 1;
constexpr std::uint64_t kNewListener = 8;

class Filter {
 public:
  Filter() : context_(::seccomp_init(SCMP_ACT_ALLOW), &::seccomp_release) {
    if (!context_) {
      note(-ENOMEM, "make a system-call filter");
      return;
    }
    note(::seccomp_attr_set(context_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS)),
         "refuse calls of other architectures");
  }

  /// A call that the library or the architecture does not know does not exist for programs either.
  void refuse(const char* call, int error, const Comparisons& when = {}) {
    if (failure_) return;
    const int number = ::seccomp_syscall_resolve_name(call);
    if (number < 0) return;
    note(::seccomp_rule_add_array(context_.get(), SCMP_ACT_ERRNO(static_cast<unsigned>(error)),
                                  number, static_cast<unsigned>(when.size()), when.data()),
         std::string{"refuse "} + call);
  }

  /// Every value of an argument but the allowed ones, which are in ascending order. Bits that the
  /// kernel would not look at make a value another one, and so refused.
  void refuse_others(const char* call, Comparisons when, unsigned argument,
                     const std::vector<std::uint64_t>& allowed) {
    std::uint64_t next = 0;
    when.push_back({});
    for (const std::uint64_t value : allowed) {
      for (; next < value; ++next) {
        when.back() = equal(argument, next);
        refuse(call, EPERM, when);
      }
      next = value + 1;
    }
    when.back() = at_least(argument, next);
    refuse(call, EPERM, when);
  }

  void report(const char* call) {
    if (failure_) return;
    note(::seccomp_rule_add(context_.get(), SCMP_ACT_NOTIFY, ::seccomp_syscall_resolve_name(call),
                            0),
         std::string{"report "} + call);
  }

  Outcome load(Descriptor& reports) {
    if (!failure_) note(::seccomp_load(context_.get()), "load the system-call filter");
    if (failure_) return failure_;
    // The library's own belongs to the library.
    reports = Descriptor{::fcntl(::seccomp_notify_fd(context_.get()), F_DUPFD_CLOEXEC, 3)};
    if (!reports) return failed("take the reports of the system-call filter");
    return std::nullopt;
  }

 private:
  void note(int result, std::string step) {
    if (result < 0 && !failure_) failure_ = Failure{std::move(step), -result};
  }

  std::unique_ptr<void, decltype(&::seccomp_release)> context_;
  Outcome failure_;
};

void refuse_sockets(Filter& filter, const Options& options) {
  filter.refuse_others("socket", {}, 0, {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK});
  for (const std::uint64_t family : {AF_INET, AF_INET6}) {
    for (std::uint64_t type = 0; type <= kSocketType; ++type) {
      const Comparisons kind{equal(0, family), masked(1, kSocketType, type)};
      if (type == SOCK_STREAM) {
        filter.refuse_others("socket", kind, 2, {0, IPPROTO_TCP});
      } else if (type == SOCK_DGRAM && options.udp) {
        filter.refuse_others("socket", kind, 2, {0, IPPROTO_UDP});
      } else {
        filter.refuse("socket", EPERM, kind);
      }
    }
  }
  filter.refuse("socket", EPERM, {equal(0, AF_NETLINK), compare(2, SCMP_CMP_NE, NETLINK_ROUTE)});
  for (std::uint64_t type = 0; type <= kSocketType; ++type) {
    if (type == SOCK_STREAM || type == SOCK_SEQPACKET) continue;
    filter.refuse("socket", EPERM, {equal(0, AF_UNIX), masked(1, kSocketType, type)});
  }
}

}  // namespace

Outcome enforce(const Options& options, Descriptor& connects) {
  Filter filter;
  for (const char* call : kRefused) filter.refuse(call, EPERM);
  // Its flags are behind a pointer, where a filter cannot look: libraries fall back to clone.
  filter.refuse("clone3", ENOSYS);
  for (const std::uint64_t space : kNewNamespaces) {
    filter.refuse("unshare", EPERM, {masked(0, space, space)});
    filter.refuse("clone", EPERM, {masked(0, space, space)});
  }
  filter.refuse("ioctl", EPERM, {masked(1, kLow32, kTerminalInject)});
  filter.refuse("ioctl", EPERM, {masked(1, kLow32, kConsoleInject)});
  // A filter of its own a program may have; to decide calls of others it may not.
  filter.refuse("seccomp", EPERM,
                {masked(0, kLow32, kSetModeFilter), masked(1, kNewListener, kNewListener)});
  filter.refuse("sendto", EPERM, {masked(3, kFastOpen, kFastOpen)});
  filter.refuse("sendmsg", EPERM, {masked(2, kFastOpen, kFastOpen)});
  filter.refuse("sendmmsg", EPERM, {masked(3, kFastOpen, kFastOpen)});
  refuse_sockets(filter, options);
  filter.report("connect");
  return filter.load(connects);
}

}  // namespace nd7::runtime::seccomp
