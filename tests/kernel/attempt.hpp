// One attempt to get out: what was tried, and what the kernel said.
#pragma once

#include <functional>
#include <string_view>

namespace nd7::test {

/// Runs `attempt` in a process of its own, so that what it changes stays there, and prints NAME, a
/// tab, and PASS, the name of an errno, or "signal N". The attempt returns what a system call does:
/// less than 0 with errno set for "no".
void attempt(std::string_view name, const std::function<long()>& attempt);

}  // namespace nd7::test
