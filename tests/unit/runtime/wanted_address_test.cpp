#include "runtime/platform/linux/wanted_address.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>

namespace nd7::runtime {
namespace {

std::optional<WantedAddress> wanted(const char* host, bool localhost_only) {
  in6_addr six{};
  if (::inet_pton(AF_INET6, host, &six) == 1) {
    return wanted_address(six, htons(443), localhost_only);
  }
  in_addr four{};
  EXPECT_EQ(::inet_pton(AF_INET, host, &four), 1) << host;
  return wanted_address(four, htons(443), localhost_only);
}

TEST(WantedAddress, OfAPortForThisMachineIsLoopback) {
  for (const char* host : {"127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"}) {
    EXPECT_TRUE(wanted(host, true)) << host;
  }
  for (const char* host : {"192.0.2.1", "10.0.0.1", "0.0.0.0", "2001:db8::1",
                           "::", "::ffff:192.0.2.1", "128.0.0.1", "126.255.255.255"}) {
    EXPECT_FALSE(wanted(host, true)) << host;
  }
}

TEST(WantedAddress, IsAPeerAtMost) {
  for (const char* host : {"192.0.2.1", "2001:db8::1", "127.0.0.1", "::1"}) {
    EXPECT_TRUE(wanted(host, false)) << host;
  }
  for (const char* host : {"0.0.0.0", "255.255.255.255", "224.0.0.1", "::", "ff02::1",
                           "::ffff:0.0.0.0", "::ffff:224.0.0.1"}) {
    EXPECT_FALSE(wanted(host, false)) << host;
  }
}

TEST(WantedAddress, OfAnIpv4AddressInIpv6IsPlain) {
  const auto plain = wanted("::ffff:192.0.2.7", false);
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->family(), AF_INET);
  const auto* const address = reinterpret_cast<const sockaddr_in*>(&plain->address);
  EXPECT_EQ(ntohl(address->sin_addr.s_addr), 0xC0000207U);
  EXPECT_EQ(ntohs(address->sin_port), 443);
}

}  // namespace
}  // namespace nd7::runtime
