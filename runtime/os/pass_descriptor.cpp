#include "runtime/os/pass_descriptor.hpp"

#include <sys/socket.h>

#include <array>
#include <cstring>

namespace nd7::runtime {

Outcome send_descriptor(int to, const Descriptor& descriptor) {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  char one = 1;
  iovec bytes{&one, 1};
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  const int number = descriptor.get();
  std::memcpy(CMSG_DATA(header), &number, sizeof number);
  if (::sendmsg(to, &message, MSG_NOSIGNAL) != 1) return failed("hand over a descriptor");
  return std::nullopt;
}

Outcome receive_descriptor(int from, Descriptor& descriptor) {
  descriptor.reset();
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  char one = 0;
  iovec bytes{&one, 1};
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t count = -1;
  do {
    count = ::recvmsg(from, &message, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  if (count < 0) return failed("take over a descriptor");
  if (count == 0) return std::nullopt;
  const cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS ||
      header->cmsg_len != CMSG_LEN(sizeof(int))) {
    return Failure{"a message brings no descriptor", 0};
  }
  int number = -1;
  std::memcpy(&number, CMSG_DATA(header), sizeof number);
  descriptor = Descriptor{number};
  return std::nullopt;
}

}  // namespace nd7::runtime
