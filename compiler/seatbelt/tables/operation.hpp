// Seatbelt's operations: names, hierarchy, built-in answers, subjects and releases.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace nd7::seatbelt {

/// The macOS releases a profile may be checked for.
enum class Release : std::uint8_t { macos13, macos14, macos15, macos26 };
inline constexpr std::array kReleases{Release::macos13, Release::macos14, Release::macos15,
                                      Release::macos26};

/// "macos-13", "macos-14", "macos-15", "macos-26".
[[nodiscard]] std::string_view to_string(Release release);
[[nodiscard]] std::optional<Release> parse_release(std::string_view name);

/// A set of releases, one bit each.
class ReleaseSet {
 public:
  constexpr ReleaseSet() = default;
  constexpr explicit ReleaseSet(std::uint8_t bits) : bits_(bits) {}
  [[nodiscard]] static constexpr ReleaseSet all() { return ReleaseSet{0x0f}; }
  [[nodiscard]] static constexpr ReleaseSet only(Release release) {
    return ReleaseSet{static_cast<std::uint8_t>(1U << static_cast<unsigned>(release))};
  }
  [[nodiscard]] constexpr bool contains(Release release) const {
    return (bits_ & only(release).bits_) != 0;
  }
  [[nodiscard]] constexpr bool contains(ReleaseSet other) const {
    return (bits_ & other.bits_) == other.bits_;
  }
  friend constexpr bool operator==(ReleaseSet, ReleaseSet) = default;

 private:
  std::uint8_t bits_ = 0;
};

/// Every operation of operations.def, in its order; a parent's value is below its children's.
enum class Op : std::uint8_t {
#define ND7_OPERATION(id, name, parent, builtin, subject, releases) id,
#include "compiler/seatbelt/tables/operations.def"
};
inline constexpr std::size_t kOpCount =
#define ND7_OPERATION(id, name, parent, builtin, subject, releases) 1 +
#include "compiler/seatbelt/tables/operations.def"
    0;

/// What Seatbelt answers when no rule decides.
enum class Builtin : std::uint8_t { inherit, allow, deny };

/// What a request of an operation is about. Some subjects are sums of variants (enum Variant).
enum class Subject : std::uint8_t {
  none,      ///< no argument that a filter could name
  path,      ///< a file, by its physical path
  network,   ///< class `network*`: outbound or inbound
  outbound,  ///< a peer: IP address and port, unix socket path, or kernel control
  inbound,   ///< an own address: IP address and port, or unix socket path
  mach,      ///< a service: global, local or XPC name
  process,   ///< a target process
  signal,    ///< a target process and a signal number
  sysctl,
  ipc,
  iokit,
  preference,
  nvram,
  socket,
  syscall,
  name,
  port,
  kext,
  infotype,
  macsyscall,
  fcntl,
  privilege,
};

/// The alternatives of a subject. A filter speaks about exactly one of them.
enum class Variant : std::uint8_t {
  path,         ///< Subject::path
  ip,           ///< outbound, inbound
  unix_socket,  ///< outbound, inbound
  control,      ///< outbound
  global_name,  ///< mach
  local_name,   ///< mach
  xpc_name,     ///< mach
  other,        ///< every subject that has one variant only
};

struct OperationInfo {
  std::string_view name;
  Op parent;  ///< Op::default_ for roots
  Builtin builtin;
  Subject subject;
  ReleaseSet releases;
};

[[nodiscard]] const OperationInfo& info(Op op);
[[nodiscard]] inline std::string_view name(Op op) { return info(op).name; }

/// The variants of a subject, in the order of enum Variant.
[[nodiscard]] std::span<const Variant> variants(Subject subject);

/// Exact canonical name, or one of libsandbox's aliases; `release` decides names that changed
/// sides. A no-op name (accepted by libsandbox, without effect) is not an operation: see
/// is_noop_operation.
[[nodiscard]] std::optional<Op> find_operation(std::string_view name,
                                               std::optional<Release> release = std::nullopt);
[[nodiscard]] bool is_noop_operation(std::string_view name);

/// Parent edges only; Op::default_ has no parent.
[[nodiscard]] std::optional<Op> parent(Op op);
/// True if `op` is `ancestor` or lies below it in the fallback tree.
[[nodiscard]] bool is_within(Op op, Op ancestor);
/// `op` and everything below it, in table order.
[[nodiscard]] std::span<const Op> family(Op op);
/// True for an operation that no other one falls back to: what a request can be.
/// Classes that the kernel itself asks about (`process-exec*`) count as concrete, too.
[[nodiscard]] bool is_concrete(Op op);
/// The answer for `op` when no rule decides anywhere on its chain: allow or deny for roots with a
/// fixed answer, inherit if `default` decides.
[[nodiscard]] Builtin builtin_answer(Op op);

}  // namespace nd7::seatbelt
