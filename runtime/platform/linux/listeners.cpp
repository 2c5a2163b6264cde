#include "runtime/platform/linux/listeners.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <string>

#include "runtime/os/pass_descriptor.hpp"

namespace nd7::runtime {
namespace {

using linux_plan::Plan;
using linux_plan::Port;
using linux_plan::Protocol;

/// One port after the other; the same order on both sides. A port that two rules allow, one of them
/// on this machine only, is served once for every host.
std::vector<Port> single_ports(const Plan& plan) {
  std::vector<Port> result;
  for (const Port& port : plan.connect) {
    for (std::uint32_t number = port.first; number <= port.last; ++number) {
      Port one = port;
      one.first = one.last = static_cast<std::uint16_t>(number);
      bool known = false;
      for (Port& other : result) {
        if (other.protocol != one.protocol || other.first != one.first) continue;
        other.localhost = other.localhost && one.localhost;
        known = true;
      }
      if (!known) result.push_back(std::move(one));
    }
  }
  return result;
}

bool set(int socket, int level, int option, int value) {
  return ::setsockopt(socket, level, option, &value, sizeof value) == 0;
}

/// For both families of addresses, or for IPv4 where the kernel has no other.
Descriptor bound_socket(int type, std::uint16_t port) {
  Descriptor socket{::socket(AF_INET6, type | SOCK_CLOEXEC, 0)};
  if (socket) {
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(port);
    if (!set(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, 0) ||
        !set(socket.get(), SOL_SOCKET, SO_REUSEADDR, 1) ||
        !set(socket.get(), IPPROTO_IPV6, IPV6_RECVPKTINFO, 1) ||
        !set(socket.get(), IPPROTO_IP, IP_PKTINFO, 1) ||
        ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      return {};
    }
    return socket;
  }
  socket = Descriptor{::socket(AF_INET, type | SOCK_CLOEXEC, 0)};
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  if (!socket || !set(socket.get(), SOL_SOCKET, SO_REUSEADDR, 1) ||
      !set(socket.get(), IPPROTO_IP, IP_PKTINFO, 1) ||
      ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return {};
  }
  return socket;
}

}  // namespace

Outcome listen_for(const Plan& plan, std::vector<Listener>& listeners) {
  for (const Port& port : single_ports(plan)) {
    const bool tcp = port.protocol == Protocol::tcp;
    Descriptor socket = bound_socket(tcp ? SOCK_STREAM : SOCK_DGRAM, port.first);
    if (!socket || (tcp && ::listen(socket.get(), SOMAXCONN) != 0)) {
      return failed("listen on port " + std::to_string(port.first) + " of the session's network");
    }
    listeners.push_back({std::move(socket), port});
  }
  return std::nullopt;
}

Outcome send_listeners(int to, const std::vector<Listener>& listeners) {
  for (const Listener& listener : listeners) {
    if (auto failure = send_descriptor(to, listener.socket)) return failure;
  }
  return std::nullopt;
}

Outcome receive_listeners(int from, const Plan& plan, std::vector<Listener>& listeners) {
  for (Port& port : single_ports(plan)) {
    Descriptor socket;
    if (auto failure = receive_descriptor(from, socket)) return failure;
    if (!socket) return Failure{"the session's network was not set up", 0};
    listeners.push_back({std::move(socket), std::move(port)});
  }
  return std::nullopt;
}

}  // namespace nd7::runtime
