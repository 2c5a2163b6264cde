#include "compiler/driver/console.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "compiler/driver/exit_code.hpp"

namespace nd7::driver {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kNarrowest = 40;

std::size_t width_of(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kWidth;
  return std::max<std::size_t>(size.ws_col, kNarrowest);
}

}  // namespace

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = ::write(descriptor, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

int error_code(const Diagnostics& diagnostics) {
  const auto& all = diagnostics.all();
  const bool decided = std::any_of(all.begin(), all.end(), [](const Diagnostic& d) {
    return d.severity == Severity::error && d.code != Code::ND4002 && d.code != Code::ND4006;
  });
  return decided ? kFindings : kUndecided;
}

bool wants_color(ColorMode mode, int descriptor) {
  if (mode != ColorMode::automatic) return mode == ColorMode::always;
  const char* const no_color = std::getenv("NO_COLOR");
  const char* const term = std::getenv("TERM");
  return (no_color == nullptr || *no_color == '\0') && term != nullptr &&
         std::string_view{term} != "dumb" && ::isatty(descriptor) == 1;
}

bool show(const Diagnostics& diagnostics, const SourceMap& sources, const ConsoleOptions& options) {
  const int descriptor = options.format == Format::json ? STDOUT_FILENO : STDERR_FILENO;
  RenderOptions render_options;
  render_options.format = options.format;
  render_options.color = options.format == Format::human && wants_color(options.color, descriptor);
  render_options.width = width_of(descriptor);
  return write_all(descriptor, render(diagnostics, sources, render_options));
}

}  // namespace nd7::driver
