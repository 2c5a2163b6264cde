#include "runtime/platform/linux/namespaces.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "runtime/os/descriptor.hpp"

namespace nd7::runtime::namespaces {
namespace {

Outcome put(const char* file, std::string_view text) {
  const Descriptor descriptor{::open(file, O_WRONLY | O_CLOEXEC)};
  if (!descriptor ||
      ::write(descriptor.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    return failed(std::string{"write "} + file);
  }
  return std::nullopt;
}

/// The same ids inside as outside.
std::string map_of(unsigned id) {
  const std::string text = std::to_string(id);
  return text + " " + text + " 1";
}

struct RouteRequest {
  nlmsghdr header;
  rtmsg route;
  rtattr attribute;
  std::uint32_t device;
};

/// `local default dev lo` for one family of addresses.
Outcome add_local_default(int socket, std::uint8_t family, std::uint32_t device) {
  RouteRequest request{};
  request.header.nlmsg_len = sizeof request;
  request.header.nlmsg_type = RTM_NEWROUTE;
  request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE | NLM_F_ACK;
  request.route.rtm_family = family;
  request.route.rtm_table = RT_TABLE_LOCAL;
  request.route.rtm_protocol = RTPROT_BOOT;
  request.route.rtm_scope = RT_SCOPE_HOST;
  request.route.rtm_type = RTN_LOCAL;
  request.attribute.rta_len = RTA_LENGTH(sizeof request.device);
  request.attribute.rta_type = RTA_OIF;
  request.device = device;
  if (::send(socket, &request, sizeof request, 0) != sizeof request) {
    return failed("ask for a local route");
  }
  struct {
    nlmsghdr header;
    nlmsgerr error;
  } answer{};
  const ssize_t size = ::recv(socket, &answer, sizeof answer, MSG_TRUNC);
  if (size < static_cast<ssize_t>(sizeof answer.header + sizeof answer.error.error)) {
    return failed("hear about a local route");
  }
  if (answer.header.nlmsg_type != NLMSG_ERROR || answer.error.error != 0) {
    return Failure{"add a local route", -answer.error.error};
  }
  return std::nullopt;
}

}  // namespace

Outcome enter(const Wanted& wanted) {
  const unsigned user = ::geteuid();
  const unsigned group = ::getegid();
  const int flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC | (wanted.pid ? CLONE_NEWPID : 0) |
                    (wanted.network ? CLONE_NEWNET : 0);
  if (::unshare(flags) != 0) return failed("make namespaces");
  if (auto failure = put("/proc/self/setgroups", "deny")) return failure;
  if (auto failure = put("/proc/self/uid_map", map_of(user))) return failure;
  return put("/proc/self/gid_map", map_of(group));
}

Outcome own_every_address() {
  const Descriptor control{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  ifreq loopback{};
  std::strcpy(loopback.ifr_name, "lo");
  loopback.ifr_flags = IFF_UP | IFF_RUNNING;
  if (!control || ::ioctl(control.get(), SIOCSIFFLAGS, &loopback) != 0) {
    return failed("bring up the loopback device");
  }
  const Descriptor routes{::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE)};
  if (!routes) return failed("open a route socket");
  constexpr std::uint32_t kLoopback = 1;  // of every network namespace
  if (auto failure = add_local_default(routes.get(), AF_INET, kLoopback)) return failure;
  auto failure = add_local_default(routes.get(), AF_INET6, kLoopback);
  // A kernel without IPv6 has nothing to route.
  if (failure && (failure->error == EAFNOSUPPORT || failure->error == EOPNOTSUPP)) {
    return std::nullopt;
  }
  return failure;
}

Outcome drop_capabilities() {
  for (unsigned long capability = 0; capability < 64; ++capability) {
    if (::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno != EINVAL) {
      return failed("drop a capability from the bounding set");
    }
  }
  if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0 && errno != EINVAL) {
    return failed("clear ambient capabilities");
  }
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const std::array<__user_cap_data_struct, 2> none{};
  if (::syscall(SYS_capset, &header, none.data()) != 0) return failed("drop all capabilities");
  return std::nullopt;
}

}  // namespace nd7::runtime::namespaces
