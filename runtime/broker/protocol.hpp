// What nd7-exec and the session's broker say to each other, over a stream socket on one machine.
//
//   ready     broker to client: an Event. From now on the kernel tells the broker who sends
//   request   a Request with the open ones of descriptors 0, 1, 2 and of the working directory (in
//             that order) as SCM_RIGHTS beside its bytes, then the command's bytes, then the
//             environment: "NAME=VALUE" and a NUL, one after the other
//   events    broker to client: an Event; after `refused`, as many bytes of text as its value says
//   signals   client to broker: signal numbers as std::int32_t
//
// Both ends are of one installation: numbers are in the machine's order.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nd7::runtime::broker {

inline constexpr std::uint32_t kMagic = 0x6e643701;  ///< "nd7", version 1

struct Request {
  std::uint32_t magic = kMagic;
  std::uint32_t command_size = 0;      ///< bytes, without an end
  std::uint32_t environment_size = 0;  ///< bytes
  std::uint32_t open = 0;              ///< bit 0..2: that descriptor was open; bit 3: the directory
};
inline constexpr std::uint32_t kDirectoryBit = 8;

// The kernel's own bounds: one argument is 128 KiB at most, arguments and environment are 2 MiB in
// all by default (a quarter of the stack's limit).
inline constexpr std::uint32_t kMaxCommand = 1U << 17U;
inline constexpr std::uint32_t kMaxEnvironment = 8U << 20U;

enum class EventKind : std::uint32_t {
  ready = 0,
  started = 1,  ///< value: 1 if the command is in the client's process group
  ended = 2,    ///< value: a wait status
  refused = 3,  ///< value: bytes of text that follow
};

struct Event {
  EventKind kind = EventKind::started;
  std::int32_t value = 0;
};
inline constexpr std::int32_t kMaxRefusal = 4096;

/// Where the broker's socket is seen in a session that has its own mounts.
inline constexpr const char* kSocket = "/tmp/.nd7/broker";
/// Names the socket elsewhere. Nothing is believed because of it: who answers there can only be
/// asked to run a command under rules.
inline constexpr const char* kSocketVariable = "ND7_BROKER";

}  // namespace nd7::runtime::broker
