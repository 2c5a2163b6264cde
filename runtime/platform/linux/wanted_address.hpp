// The address that a program of the session wanted to reach, as the relay dials it.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <optional>

namespace nd7::runtime {

struct WantedAddress {
  sockaddr_storage address{};
  socklen_t size = 0;

  [[nodiscard]] int family() const { return address.ss_family; }
  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }
};

/// Where `port` at `host` is dialled from outside; nothing if it may not be: a port for this
/// machine only, asked for elsewhere, or an address that is no peer. IPv4 inside IPv6 becomes
/// plain.
[[nodiscard]] std::optional<WantedAddress> wanted_address(const in6_addr& host, in_port_t port,
                                                          bool localhost_only);
[[nodiscard]] std::optional<WantedAddress> wanted_address(in_addr host, in_port_t port,
                                                          bool localhost_only);

}  // namespace nd7::runtime
