#include "runtime/platform/linux/unix_listeners.hpp"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>

#include <array>
#include <cstring>

namespace nd7::runtime {
namespace {

constexpr std::uint32_t kListening = 1U << 10U;  // TCP_LISTEN

/// The kernel's own form of a device number, as unix_diag gives it.
std::uint32_t kernel_device(dev_t device) { return (major(device) << 20U) | minor(device); }

bool names(const nlmsghdr* header, dev_t device, ino_t inode) {
  const auto* const socket = static_cast<const unix_diag_msg*>(NLMSG_DATA(header));
  auto length = static_cast<int>(header->nlmsg_len - NLMSG_LENGTH(sizeof *socket));
  const auto* attribute = reinterpret_cast<const rtattr*>(socket + 1);
  for (; RTA_OK(attribute, length); attribute = RTA_NEXT(attribute, length)) {
    if (attribute->rta_type != UNIX_DIAG_VFS) continue;
    unix_diag_vfs file{};
    if (RTA_PAYLOAD(attribute) < sizeof file) continue;
    std::memcpy(&file, RTA_DATA(attribute), sizeof file);
    // Only the low half of the inode's number is told.
    if (file.udiag_vfs_ino == static_cast<std::uint32_t>(inode) &&
        file.udiag_vfs_dev == kernel_device(device)) {
      return true;
    }
  }
  return false;
}

}  // namespace

Outcome UnixListeners::open() {
  diagnosis_ = Descriptor{::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG)};
  if (!diagnosis_) return failed("open the socket diagnosis");
  return std::nullopt;
}

bool UnixListeners::is_bound(dev_t device, ino_t inode) const {
  struct {
    nlmsghdr header;
    unix_diag_req request;
  } ask{};
  ask.header.nlmsg_len = sizeof ask;
  ask.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  ask.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
  ask.request.sdiag_family = AF_UNIX;
  ask.request.udiag_states = kListening;
  ask.request.udiag_show = UDIAG_SHOW_VFS;
  if (::send(diagnosis_.get(), &ask, sizeof ask, 0) != sizeof ask) return false;
  bool found = false;
  alignas(nlmsghdr) std::array<char, 32768> block{};
  for (;;) {
    const ssize_t size = ::recv(diagnosis_.get(), block.data(), block.size(), 0);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return false;
    auto left = static_cast<unsigned>(size);
    for (auto* header = reinterpret_cast<nlmsghdr*>(block.data()); NLMSG_OK(header, left);
         header = NLMSG_NEXT(header, left)) {
      if (header->nlmsg_type == NLMSG_DONE) return found;
      if (header->nlmsg_type == NLMSG_ERROR) return false;
      found = found || names(header, device, inode);
    }
  }
}

}  // namespace nd7::runtime
