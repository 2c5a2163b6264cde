// Network addresses of `remote` and `local` filters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nd7::seatbelt::read {

struct Address {
  enum class Protocol : std::uint8_t { ip, tcp, udp };
  enum class Family : std::uint8_t { any, v4, v6 };
  enum class Host : std::uint8_t {
    any,        ///< `*`, or no address at all
    localhost,  ///< 127.0.0.1 and ::1
    local,      ///< `local`: seen in the wild, meaning unproven
  };
  Protocol protocol = Protocol::ip;
  Family family = Family::any;
  Host host = Host::any;
  std::optional<std::uint16_t> port;  ///< none: any port
  friend bool operator==(const Address&, const Address&) = default;
};

/// `ip`, `tcp4`, …: protocol and family, any host and port.
[[nodiscard]] std::optional<Address> parse_protocol(std::string_view name);

/// "HOST:PORT" into `address`. A text says why libsandbox refuses the profile; empty if it does
/// not.
[[nodiscard]] std::string parse_address(std::string_view text, Address& address);

}  // namespace nd7::seatbelt::read
