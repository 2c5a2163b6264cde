#include "runtime/cli/say.hpp"

#include <unistd.h>

#include <cerrno>

#include "compiler/diagnostics/render.hpp"

namespace nd7::runtime::cli {
namespace {

bool write_all(int to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(to, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

void say(std::string_view command, std::string_view text) {
  std::string line{"nd7 "};
  line.append(command).append(": ").append(printable(text)).append("\n");
  report(line);
}

bool print(std::string_view text) { return write_all(STDOUT_FILENO, text); }

void report(std::string_view text) {
  // Nobody is left to be told if this fails.
  [[maybe_unused]] const bool written = write_all(STDERR_FILENO, text);
}

}  // namespace nd7::runtime::cli
