// nd7: runs programs under rules.
#include <fmt/format.h>

#include <csignal>
#include <exception>

#include "compiler/diagnostics/render.hpp"
#include "compiler/diagnostics/suggest.hpp"
#include "compiler/version.hpp"
#include "runtime/cli/commands.hpp"
#include "runtime/cli/say.hpp"

namespace nd7::runtime::cli {
namespace {

std::string help() {
  std::string text{
      "nd7 runs a program, and all that it starts, under rules that the kernel keeps.\n\n"};
  for (const Command& command : commands()) {
    text += fmt::format("  nd7 {:<12} {}\n", command.name, command.summary);
  }
  text += "\n`nd7 COMMAND --help` says more. Rules are written, checked and explained with nd7c.\n";
  return text;
}

int unknown(const std::string& word) {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  report(fmt::format("nd7: there is no command `{}`\n", printable(word)));
  if (const auto near = nearest(word, names)) {
    report(fmt::format("did you mean `nd7 {}`?\n", *near));
  }
  report("see: nd7 --help\n");
  return kUsage;
}

int run(const Words& words) {
  if (words.empty()) {
    report(help());
    return kUsage;
  }
  if (words.front() == "--help" || words.front() == "-h" || words.front() == "help") {
    return print(help()) ? kDone : kFindings;
  }
  if (words.front() == "--version") {
    return print(fmt::format("nd7 {}\n", std::string{kVersion})) ? kDone : kFindings;
  }
  for (const Command& command : commands()) {
    if (command.name == words.front()) return command.run({words.begin() + 1, words.end()});
  }
  return unknown(words.front());
}

}  // namespace
}  // namespace nd7::runtime::cli

int main(int argc, char** argv) {
  using namespace nd7::runtime::cli;
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return run({argv + (argc > 0 ? 1 : 0), argv + argc});
  } catch (const std::exception& error) {
    say("run", fmt::format("internal error: {}", error.what()));
    return kRefused;
  }
}
