// nd7's commands. Each takes the words after its name and returns the exit code.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nd7::runtime::cli {

using Words = std::vector<std::string>;

inline constexpr int kDone = 0;
inline constexpr int kFindings = 1;  ///< what was asked for is refused
inline constexpr int kUsage = 2;
inline constexpr int kRefused = 126;  ///< nd7 run: before the program starts

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(const Words&);
};
[[nodiscard]] std::span<const Command> commands();

int run_run(const Words& words);
int run_allow(const Words& words);
int run_deny(const Words& words);
int run_sessions(const Words& words);
int run_doctor(const Words& words);
int run_hook_prefix(const Words& words);

}  // namespace nd7::runtime::cli
