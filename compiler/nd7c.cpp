// nd7c: compiles, checks and explains rules files.
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <exception>

#include "compiler/driver/commands.hpp"
#include "compiler/driver/console.hpp"
#include "compiler/driver/exit_code.hpp"
#include "compiler/version.hpp"

int main(int argc, char** argv) {
  using namespace nd7::driver;
  // A reader that went away is an error of writing, not a reason to die half-way.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    const Words words(argv + (argc > 0 ? 1 : 0), argv + argc);
    if (words.empty()) {
      (void)run_help({});
      return kUsage;
    }
    if (words.front() == "--help" || words.front() == "-h") return run_help({});
    if (words.front() == "--version") {
      const bool written =
          write_all(STDOUT_FILENO, fmt::format("nd7c {}\n", std::string{nd7::kVersion}));
      return written ? kClean : kFindings;
    }
    if (const Command* const command = find_command(words.front())) {
      return command->run({words.begin() + 1, words.end()});
    }
    return run_build(words);
  } catch (const std::exception& error) {
    // Only memory running out ends here: nothing was written yet, or it was written whole.
    (void)write_all(STDERR_FILENO, fmt::format("nd7c: internal error: {}\n", error.what()));
    return kInternal;
  }
}
