// nd7c's commands. Each takes the words after its name and returns an exit code.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nd7::driver {

using Words = std::vector<std::string>;

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(const Words& words);
};

/// In the order of `nd7c --help`. `build` is what nd7c does when no command is named.
[[nodiscard]] std::span<const Command> commands();
[[nodiscard]] const Command* find_command(std::string_view name);
/// The command that a mistyped word most likely meant.
[[nodiscard]] std::optional<std::string> nearest_command(std::string_view word);

int run_build(const Words& words);
int run_check(const Words& words);
int run_explain(const Words& words);
int run_test(const Words& words);
int run_prove(const Words& words);
int run_diff(const Words& words);
int run_within(const Words& words);
int run_help(const Words& words);

}  // namespace nd7::driver
