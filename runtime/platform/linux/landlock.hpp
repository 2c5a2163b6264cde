// Landlock: rights on trees of files and on TCP ports, taken away from this thread for good.
// Source: the kernel's Documentation/userspace-api/landlock.rst. The constants are spelt out here,
// since the headers of supported distributions are older than the kernels that they run on.
#pragma once

#include <cstdint>

#include "runtime/os/descriptor.hpp"
#include "runtime/os/failure.hpp"

namespace nd7::runtime::landlock {

using Rights = std::uint64_t;

inline constexpr Rights kExecute = 1U << 0U;
inline constexpr Rights kWriteFile = 1U << 1U;
inline constexpr Rights kReadFile = 1U << 2U;
inline constexpr Rights kReadDir = 1U << 3U;
inline constexpr Rights kRemoveDir = 1U << 4U;
inline constexpr Rights kRemoveFile = 1U << 5U;
inline constexpr Rights kMakeChar = 1U << 6U;
inline constexpr Rights kMakeDir = 1U << 7U;
inline constexpr Rights kMakeReg = 1U << 8U;
inline constexpr Rights kMakeSock = 1U << 9U;
inline constexpr Rights kMakeFifo = 1U << 10U;
inline constexpr Rights kMakeBlock = 1U << 11U;
inline constexpr Rights kMakeSym = 1U << 12U;
inline constexpr Rights kRefer = 1U << 13U;        ///< ABI 2
inline constexpr Rights kTruncate = 1U << 14U;     ///< ABI 3
inline constexpr Rights kIoctlDevice = 1U << 15U;  ///< ABI 5

inline constexpr Rights kRead = kReadFile | kReadDir;
/// Devices are never made: there is no right that a policy could give for it.
inline constexpr Rights kWrite = kWriteFile | kRemoveDir | kRemoveFile | kMakeDir | kMakeReg |
                                 kMakeSock | kMakeFifo | kMakeSym | kRefer | kTruncate;
/// What applies to something that is no directory.
inline constexpr Rights kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate | kIoctlDevice;

/// The kernel's version of the interface, 0 where there is none.
[[nodiscard]] int abi();

/// The rights on files that the kernel's version knows.
[[nodiscard]] Rights known_rights(int abi);

struct Handled {
  Rights files = 0;
  bool connect = false;                 ///< TCP; ABI 4
  bool bind = false;                    ///< TCP; ABI 4
  bool scope_signals = false;           ///< ABI 6
  bool scope_abstract_sockets = false;  ///< ABI 6
};

/// Everything that is handled is forbidden unless a rule allows it.
class Ruleset {
 public:
  /// What the kernel's version does not know is left out.
  Outcome create(const Handled& handled);

  /// Of `rights`, those that fit what `path` is open on: a tree, or a file.
  Outcome allow(int path, Rights rights);
  Outcome allow_connect(std::uint16_t port) { return allow_port(port, kConnect); }
  Outcome allow_bind(std::uint16_t port) { return allow_port(port, kBind); }

  /// For this thread and all it starts. Sets no_new_privs.
  Outcome enforce();

 private:
  static constexpr std::uint64_t kBind = 1;
  static constexpr std::uint64_t kConnect = 2;
  Outcome allow_port(std::uint16_t port, std::uint64_t rights);

  Descriptor ruleset_;
  Rights files_ = 0;
  std::uint64_t ports_ = 0;
};

}  // namespace nd7::runtime::landlock
