// nd7 hook-prefix: Claude Code's PreToolUse hook. Its exit code is 0 or 2, whatever happens.
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <exception>

#include "runtime/cli/commands.hpp"
#include "runtime/cli/say.hpp"
#include "runtime/hook/answer.hpp"
#include "runtime/hook/command_line.hpp"
#include "runtime/hook/json.hpp"
#include "runtime/session/installed.hpp"

namespace nd7::runtime::cli {
namespace {

/// False if it cannot be read. No more than one byte beyond what is accepted is kept.
bool read_input(std::string& text) {
  std::array<char, 1U << 16U> block{};
  while (text.size() <= hook::kMaxJsonBytes) {
    const ssize_t count = ::read(STDIN_FILENO, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) break;
    text.append(block.data(), static_cast<std::size_t>(count));
  }
  return true;
}

hook::Answer answer() {
  std::string input;
  if (!read_input(input)) return hook::blocked("the call could not be read");
  Installed installed;
  if (auto failure = locate_installed(installed)) return hook::blocked(failure->text());
  const char* const prefix = std::getenv(hook::kShellPrefixVariable);
  return hook::answer(input, installed.nd7_exec, prefix != nullptr ? prefix : "");
}

}  // namespace

int run_hook_prefix(const Words& words) {
  hook::Answer result;
  try {
    result = words.empty() ? answer() : hook::blocked("it takes no arguments");
  } catch (const std::exception& problem) {
    result = hook::blocked(problem.what());
  }
  if (result.code != hook::kAnswered) {
    report(result.text);
    return result.code;
  }
  return print(result.text) ? result.code : hook::kBlocked;
}

}  // namespace nd7::runtime::cli
