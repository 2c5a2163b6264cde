#include "compiler/driver/commands.hpp"

#include <array>

#include "compiler/diagnostics/suggest.hpp"

namespace nd7::driver {
namespace {

constexpr std::array kCommands{
    Command{"build", "compile a rules file to a profile (the default command)", run_build},
    Command{"check", "what a build refuses, and every never, within and expect", run_check},
    Command{"test", "run a file's expectations; how many of its rules they meet", run_test},
    Command{"explain", "say how a policy answers a request, and why", run_explain},
    Command{"prove", "prove the laws and every never, and claims of your own", run_prove},
    Command{"diff", "say what one policy allows that another does not, with witnesses", run_diff},
    Command{"within", "prove that a file allows nothing that a limit does not", run_within},
    Command{"help", "explain a command, or the code of a diagnostic: nd7c help ND2003", run_help},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

const Command* find_command(std::string_view name) {
  for (const Command& command : kCommands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

std::optional<std::string> nearest_command(std::string_view word) {
  std::vector<std::string_view> names;
  for (const Command& command : kCommands) names.push_back(command.name);
  return nearest(word, names);
}

}  // namespace nd7::driver
