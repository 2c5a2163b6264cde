// What a plan allows, decided straight from its lists. Parameters have to be bound.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/linux/plan.hpp"

namespace nd7::linux_plan {

enum class Access : std::uint8_t { read, write, exec };

struct Decision {
  bool allowed = false;
  /// The path belongs to the session alone (/tmp and the like): nothing of the host is there.
  bool own = false;
  std::string rule;  ///< the one that decides; empty if nothing opens it
};

/// `path` is physical and absolute. Entries that are `file` are taken for files: one that opens
/// holds its path, one that closes also what would be below it.
[[nodiscard]] Decision decide_path(const Plan& plan, Access access, std::string_view path);

/// A connection from inside. `localhost`: to 127.0.0.1 or ::1.
[[nodiscard]] Decision decide_connect(const Plan& plan, Protocol protocol, bool localhost,
                                      std::uint16_t port);

/// Listening on this machine's loopback (`localhost`), or on any other address.
[[nodiscard]] Decision decide_bind(const Plan& plan, Protocol protocol, bool localhost,
                                   std::uint16_t port);

/// A connection to a Unix socket that was made outside.
[[nodiscard]] Decision decide_socket(const Plan& plan, std::string_view path);

/// True for what lies at or below /tmp, /dev/shm and /run/user, but for trees of the host that the
/// plan brings in.
[[nodiscard]] bool is_private(const Plan& plan, std::string_view path);

}  // namespace nd7::linux_plan
