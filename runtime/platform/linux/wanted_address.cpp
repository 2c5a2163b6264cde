#include "runtime/platform/linux/wanted_address.hpp"

#include <arpa/inet.h>

#include <cstdint>
#include <cstring>

namespace nd7::runtime {

std::optional<WantedAddress> wanted_address(in_addr host, in_port_t port, bool localhost_only) {
  const std::uint32_t number = ntohl(host.s_addr);
  const bool loopback = number >> 24U == 127U;
  if ((localhost_only && !loopback) || number == INADDR_ANY || IN_MULTICAST(number) ||
      number == INADDR_BROADCAST) {
    return std::nullopt;
  }
  WantedAddress result;
  auto* const address = reinterpret_cast<sockaddr_in*>(&result.address);
  address->sin_family = AF_INET;
  address->sin_addr = host;
  address->sin_port = port;
  result.size = sizeof *address;
  return result;
}

std::optional<WantedAddress> wanted_address(const in6_addr& host, in_port_t port,
                                            bool localhost_only) {
  if (IN6_IS_ADDR_V4MAPPED(&host)) {
    in_addr plain{};
    std::memcpy(&plain, host.s6_addr + 12, sizeof plain);
    return wanted_address(plain, port, localhost_only);
  }
  if ((localhost_only && !IN6_IS_ADDR_LOOPBACK(&host)) || IN6_IS_ADDR_UNSPECIFIED(&host) ||
      IN6_IS_ADDR_MULTICAST(&host)) {
    return std::nullopt;
  }
  WantedAddress result;
  auto* const address = reinterpret_cast<sockaddr_in6*>(&result.address);
  address->sin6_family = AF_INET6;
  address->sin6_addr = host;
  address->sin6_port = port;
  result.size = sizeof *address;
  return result;
}

}  // namespace nd7::runtime
