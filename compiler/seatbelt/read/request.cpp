#include "compiler/seatbelt/read/request.hpp"

#include <arpa/inet.h>

#include <algorithm>

namespace nd7::seatbelt::read {

std::optional<IpAddress> parse_ip(std::string_view text) {
  const std::string copy{text};
  if (copy.find('\0') != std::string::npos) return std::nullopt;
  IpAddress address;
  if (inet_pton(AF_INET, copy.c_str(), address.bytes.data()) == 1) return address;
  address.v6 = true;
  if (inet_pton(AF_INET6, copy.c_str(), address.bytes.data()) == 1) return address;
  return std::nullopt;
}

IpAddress::Kind IpAddress::kind() const {
  const std::size_t size = v6 ? 16 : 4;
  const auto last = bytes.begin() + static_cast<std::ptrdiff_t>(size - 1);
  const bool zero_before = std::all_of(bytes.begin(), last, [](auto byte) { return byte == 0; });
  if (zero_before && *last == 0) return Kind::any;
  if (v6) return zero_before && *last == 1 ? Kind::loopback : Kind::other;
  if (bytes[0] != 127) return Kind::other;
  return bytes[1] == 0 && bytes[2] == 0 && bytes[3] == 1 ? Kind::loopback : Kind::other_loopback;
}

const std::string* Request::fact(Filter filter) const {
  const auto found = std::find_if(facts.begin(), facts.end(),
                                  [&](const Fact& entry) { return entry.filter == filter; });
  return found == facts.end() ? nullptr : &found->value;
}

}  // namespace nd7::seatbelt::read
