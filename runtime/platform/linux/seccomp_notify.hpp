// The kernel's interface for deciding other processes' system calls: one notification, one answer.
// Source: seccomp_unotify(2).
#pragma once

#include <linux/seccomp.h>
#include <sys/types.h>

#include <cstdint>

namespace nd7::runtime::seccomp {

/// Waits for the next call that `listener` reports; false if the caller went away meanwhile or the
/// last process of the filter has ended (`ended`).
[[nodiscard]] bool receive(int listener, seccomp_notif& notification, bool& ended);

/// The caller still waits for this very notification: what was read of it belongs to it.
[[nodiscard]] bool is_waiting(int listener, std::uint64_t id);

/// 0, or a negative errno, as the call's result. A caller that is gone needs no answer.
void answer(int listener, std::uint64_t id, std::int64_t result);

/// Answers are taken on the caller's processor at once, where the kernel knows how.
void prefer_synchronous_wake(int listener);

}  // namespace nd7::runtime::seccomp
