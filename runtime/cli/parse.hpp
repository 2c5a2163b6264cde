// A command line read by CLI11, with nd7's exit codes.
#pragma once

#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>
#include <sstream>

#include "runtime/cli/commands.hpp"
#include "runtime/cli/say.hpp"

namespace nd7::runtime::cli {

/// The exit code if there is nothing more to do: help was asked for, or the words are wrong.
[[nodiscard]] inline std::optional<int> parse(CLI::App& app, const Words& words) {
  Words reversed{words.rbegin(), words.rend()};
  try {
    app.parse(std::move(reversed));
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    return print(app.help()) ? kDone : kFindings;
  } catch (const CLI::ParseError& error) {
    const std::string name = app.get_name();
    say(name.substr(name.find(' ') + 1), error.what());
    report("see: " + name + " --help\n");
    return kUsage;
  }
}

}  // namespace nd7::runtime::cli
