// What a profile is asked about: one operation on one subject, and what is known around it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "compiler/seatbelt/read/address.hpp"
#include "compiler/seatbelt/tables/filter.hpp"
#include "compiler/seatbelt/tables/operation.hpp"

namespace nd7::seatbelt::read {

/// The side of a connection that an address or socket path belongs to: the peer of an outbound
/// request, the own end of an inbound or bind request.
enum class Side : std::uint8_t { remote, local };

struct IpAddress {
  bool v6 = false;
  std::array<std::uint8_t, 16> bytes{};  ///< network order; the first four of an IPv4 address

  enum class Kind : std::uint8_t {
    loopback,        ///< exactly 127.0.0.1 or ::1
    other_loopback,  ///< the rest of 127/8
    any,             ///< 0.0.0.0 or ::
    other,           ///< everything else, `::ffff:127.0.0.1` included
  };
  [[nodiscard]] Kind kind() const;
};
/// Dotted or colon form, without brackets or zone.
[[nodiscard]] std::optional<IpAddress> parse_ip(std::string_view text);

struct PathSubject {
  std::string path;  ///< physical, as the kernel sees it
};
struct IpSubject {
  Address::Protocol protocol = Address::Protocol::tcp;  ///< ip: neither TCP nor UDP
  IpAddress address;
  std::uint16_t port = 0;
  Side side = Side::remote;
};
struct UnixSubject {
  std::string path;
  Side side = Side::remote;
};
struct ControlSubject {
  std::string name;
};
struct MachSubject {
  Variant kind = Variant::global_name;  ///< global_name, local_name or xpc_name
  std::string name;
};
/// The main thing of an operation that has only one: a sysctl's name, a target, a right, …
struct NameSubject {
  std::string name;
};
/// The same where it is a number: a system call, a port, …
struct NumberSubject {
  std::int64_t number = 0;
};
using SubjectValue = std::variant<std::monostate, PathSubject, IpSubject, UnixSubject,
                                  ControlSubject, MachSubject, NameSubject, NumberSubject>;

/// Something known beside the subject: `{Filter::vnode_type, "DIRECTORY"}`,
/// `{Filter::xattr, "com.apple.quarantine"}`. Named by the exact filter of a family; numbers in
/// decimal.
struct Fact {
  Filter filter = Filter::vnode_type;
  std::string value;
};

struct Request {
  Op op = Op::default_;
  SubjectValue subject;
  std::vector<std::string> extensions;  ///< classes of all tokens held; none held is certain
  std::vector<Fact> facts;              ///< what is not listed may be anything
  /// Trees that no Apple import opens, beside /Users and the places for temporary files.
  std::vector<std::string> user_roots;

  [[nodiscard]] const std::string* fact(Filter filter) const;
};

}  // namespace nd7::seatbelt::read
