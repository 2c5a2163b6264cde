// Options that several commands share, and how a command line is read.
#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

#include "compiler/driver/commands.hpp"
#include "compiler/driver/console.hpp"
#include "compiler/pipeline/compile.hpp"

namespace nd7::driver {

/// As written on the command line.
struct PolicyOptions {
  std::string profile = "floor";
  std::string target = "seatbelt";
  std::string release;
  std::string exit;
  std::vector<std::string> grants;
  std::vector<std::string> protect;
  std::vector<std::string> bindings;
  std::string budget;
};

struct OutputOptions {
  std::string format = "human";
  std::string color = "auto";
};

void add_policy_options(CLI::App& app, PolicyOptions& options);
void add_output_options(CLI::App& app, OutputOptions& options);

/// Reads `words`. On `--help` or an error prints and returns the exit code: 0 or kUsage.
[[nodiscard]] std::optional<int> parse(CLI::App& app, const Words& words);

/// The options as the compiler takes them; a message on standard error and kUsage otherwise.
struct Resolved {
  CompileOptions compile;
  ConsoleOptions console;
  bool bound = false;  ///< HOME, PROJ and TMP have values: the profile belongs to one machine
};
[[nodiscard]] std::optional<Resolved> resolve(const PolicyOptions& policy,
                                              const OutputOptions& output);

/// A usage error: what is wrong, and where help is. Returns kUsage.
int usage_error(std::string_view message);

}  // namespace nd7::driver
