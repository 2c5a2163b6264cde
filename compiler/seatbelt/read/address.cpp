#include "compiler/seatbelt/read/address.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <system_error>
#include <utility>

namespace nd7::seatbelt::read {

std::optional<Address> parse_protocol(std::string_view name) {
  Address address;
  if (!name.empty() && (name.back() == '4' || name.back() == '6')) {
    address.family = name.back() == '4' ? Address::Family::v4 : Address::Family::v6;
    name.remove_suffix(1);
  }
  static constexpr std::array kProtocols{
      std::pair<std::string_view, Address::Protocol>{"ip", Address::Protocol::ip},
      std::pair<std::string_view, Address::Protocol>{"tcp", Address::Protocol::tcp},
      std::pair<std::string_view, Address::Protocol>{"udp", Address::Protocol::udp}};
  for (const auto& [known, protocol] : kProtocols) {
    if (known != name) continue;
    address.protocol = protocol;
    return address;
  }
  return std::nullopt;
}

std::string parse_address(std::string_view text, Address& address) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return fmt::format("`{}` has no port", text);
  const std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  if (host == "*") {
    address.host = Address::Host::any;
  } else if (host == "localhost") {
    address.host = Address::Host::localhost;
  } else if (host == "local") {
    address.host = Address::Host::local;
  } else {
    return fmt::format("the host must be `*` or `localhost`, not `{}`", host);
  }
  address.port.reset();
  if (port == "*") return {};
  std::uint16_t number = 0;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  if (error != std::errc{} || end != port.data() + port.size()) {
    return fmt::format("the port must be `*` or a number, not `{}`", port);
  }
  if (number == 0 && address.host != Address::Host::any) return "port 0 names no port";
  address.port = number;
  return {};
}

}  // namespace nd7::seatbelt::read
