// What explain is asked about, as words of a command line.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace nd7::driver {

struct Asked {
  std::vector<std::string> operations;
  std::string path;
  std::string unix_path;
  std::string connect;
  std::string bind;
  std::string mach;
  std::string name;
  std::string number;
  std::string vnode;
  std::vector<std::string> extensions;
  std::string batch;
  bool all_ops = false;
};

void add_asked_options(CLI::App& app, Asked& asked);

/// The one subject that the options name, in the form of parse_question; `physical` makes a path
/// the kernel's. nullopt after a usage error.
[[nodiscard]] std::optional<std::string> argument_of(
    const Asked& asked, const std::function<std::string(std::string)>& physical);

/// The operations that are asked about: those that are named, or all that fit the subject. nullopt
/// after a usage error.
[[nodiscard]] std::optional<std::vector<std::string>> operations_of(const Asked& asked,
                                                                    const std::string& argument);

}  // namespace nd7::driver
