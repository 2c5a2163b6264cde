#include "runtime/platform/linux/relay_datagrams.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/platform/linux/wanted_address.hpp"

namespace nd7::runtime {
namespace {

constexpr std::size_t kLargest = 65536;

std::int64_t now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

in_port_t port_in_network_order(std::uint16_t port) { return htons(port); }

/// The address that a datagram was sent to.
std::optional<WantedAddress> asked_of(const msghdr& message, const linux_plan::Port& port) {
  const in_port_t number = port_in_network_order(port.first);
  for (const cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
       header = CMSG_NXTHDR(const_cast<msghdr*>(&message), const_cast<cmsghdr*>(header))) {
    if (header->cmsg_level == IPPROTO_IPV6 && header->cmsg_type == IPV6_PKTINFO) {
      in6_pktinfo info{};
      std::memcpy(&info, CMSG_DATA(header), sizeof info);
      return wanted_address(info.ipi6_addr, number, port.localhost);
    }
    if (header->cmsg_level == IPPROTO_IP && header->cmsg_type == IP_PKTINFO) {
      in_pktinfo info{};
      std::memcpy(&info, CMSG_DATA(header), sizeof info);
      return wanted_address(info.ipi_addr, number, port.localhost);
    }
  }
  return std::nullopt;
}

template <class Info>
std::string control_of(int level, int type, const Info& info) {
  std::string control(CMSG_SPACE(sizeof info), '\0');
  cmsghdr header{};
  header.cmsg_level = level;
  header.cmsg_type = type;
  header.cmsg_len = CMSG_LEN(sizeof info);
  std::memcpy(control.data(), &header, sizeof header);
  std::memcpy(control.data() + CMSG_LEN(0), &info, sizeof info);
  return control;
}

std::string answer_from(const WantedAddress& asked) {
  if (asked.family() == AF_INET6) {
    in6_pktinfo info{};
    info.ipi6_addr = reinterpret_cast<const sockaddr_in6*>(&asked.address)->sin6_addr;
    return control_of(IPPROTO_IPV6, IPV6_PKTINFO, info);
  }
  in_pktinfo info{};
  info.ipi_spec_dst = reinterpret_cast<const sockaddr_in*>(&asked.address)->sin_addr;
  return control_of(IPPROTO_IP, IP_PKTINFO, info);
}

}  // namespace

Outcome DatagramRelay::add(Listener listener) {
  const int socket = listener.socket.get();
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = socket;
  if (::fcntl(socket, F_SETFL, O_NONBLOCK) != 0 ||
      ::epoll_ctl(poll_, EPOLL_CTL_ADD, socket, &event) != 0) {
    return failed("watch a listener");
  }
  listeners_.emplace(socket, std::move(listener));
  return std::nullopt;
}

void DatagramRelay::handle(const epoll_event& event) {
  if (const auto listener = listeners_.find(event.data.fd); listener != listeners_.end()) {
    ask(listener->second);
    return;
  }
  const auto found = by_descriptor_.find(event.data.fd);
  if (found == by_descriptor_.end()) return;
  const std::shared_ptr<Flow> flow = found->second;
  answer(*flow);
}

void DatagramRelay::ask(const Listener& listener) {
  for (;;) {
    std::array<char, kLargest> data;  // filled by the kernel as far as it is read
    sockaddr_storage client{};
    alignas(cmsghdr) std::array<char, 256> control{};
    iovec bytes{data.data(), data.size()};
    msghdr message{};
    message.msg_name = &client;
    message.msg_namelen = sizeof client;
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t size = ::recvmsg(listener.socket.get(), &message, 0);
    if (size < 0) return;
    const auto asked = asked_of(message, listener.port);
    if (!asked) continue;
    const std::string_view from{reinterpret_cast<const char*>(&client), message.msg_namelen};
    const std::string_view to{reinterpret_cast<const char*>(&asked->address), asked->size};
    std::string key{from};
    key.append(to);
    auto at = flows_.find(key);
    if (at == flows_.end()) {
      if (flows_.size() >= kMostFlows) close_oldest();
      auto flow = std::make_shared<Flow>();
      flow->outside =
          Descriptor{::socket(asked->family(), SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.fd = flow->outside.get();
      if (!flow->outside || ::connect(flow->outside.get(), asked->get(), asked->size) != 0 ||
          ::epoll_ctl(poll_, EPOLL_CTL_ADD, flow->outside.get(), &event) != 0) {
        continue;
      }
      flow->listener = listener.socket.get();
      flow->key = key;
      flow->client = from;
      flow->answered = answer_from(*asked);
      by_descriptor_.emplace(flow->outside.get(), flow);
      at = flows_.emplace(std::move(key), std::move(flow)).first;
    }
    at->second->used = now();
    // Lost, as a datagram may be, if the other end does not take it.
    [[maybe_unused]] const ssize_t sent = ::send(at->second->outside.get(), data.data(),
                                                 static_cast<std::size_t>(size), MSG_NOSIGNAL);
  }
}

void DatagramRelay::answer(Flow& flow) {
  for (;;) {
    std::array<char, kLargest> data;  // as above
    const ssize_t size = ::recv(flow.outside.get(), data.data(), data.size(), 0);
    if (size < 0) {
      if (errno != EAGAIN && errno != EINTR) close(std::string{flow.key});
      return;
    }
    flow.used = now();
    iovec bytes{data.data(), static_cast<std::size_t>(size)};
    msghdr message{};
    message.msg_name = flow.client.data();
    message.msg_namelen = static_cast<socklen_t>(flow.client.size());
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = flow.answered.data();
    message.msg_controllen = flow.answered.size();
    [[maybe_unused]] const ssize_t sent = ::sendmsg(flow.listener, &message, MSG_NOSIGNAL);
  }
}

void DatagramRelay::close(const std::string& key) {
  const auto at = flows_.find(key);
  if (at == flows_.end()) return;
  by_descriptor_.erase(at->second->outside.get());
  flows_.erase(at);
}

void DatagramRelay::close_oldest() {
  auto oldest = flows_.begin();
  for (auto at = flows_.begin(); at != flows_.end(); ++at) {
    if (at->second->used < oldest->second->used) oldest = at;
  }
  if (oldest != flows_.end()) close(std::string{oldest->first});
}

void DatagramRelay::close_idle() {
  const std::int64_t limit = now() - kIdleSeconds;
  std::vector<std::string> idle;
  for (const auto& [key, flow] : flows_) {
    if (flow->used < limit) idle.push_back(key);
  }
  for (const std::string& key : idle) close(key);
}

}  // namespace nd7::runtime
