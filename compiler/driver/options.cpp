#include "compiler/driver/options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "compiler/diagnostics/render.hpp"
#include "compiler/driver/exit_code.hpp"
#include "compiler/version.hpp"

namespace nd7::driver {
namespace {

std::string releases_text() {
  std::string text;
  for (const seatbelt::Release release : seatbelt::kReleases) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", to_string(release));
  }
  return text;
}

bool bind(const std::string& word, CompileOptions& options) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) {
    usage_error(fmt::format("-D wants NAME=VALUE, not `{}`", printable(word)));
    return false;
  }
  const auto [at, fresh] =
      options.check.bindings.emplace(word.substr(0, equals), word.substr(equals + 1));
  if (!fresh && at->second != word.substr(equals + 1)) {
    usage_error(fmt::format("-D {} is given two values", printable(at->first)));
    return false;
  }
  return true;
}

bool read_budget(const std::string& word, CompileOptions& options) {
  if (word.empty()) return true;
  if (word == "none") {
    options.size_budget = SIZE_MAX;
    return true;
  }
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || value == 0) {
    usage_error(
        fmt::format("--size-budget wants a number of bytes or `none`, not `{}`", printable(word)));
    return false;
  }
  options.size_budget = value;
  return true;
}

}  // namespace

void add_policy_options(CLI::App& app, PolicyOptions& options) {
  app.add_option("--for", options.profile,
                 "which profile: floor (a program and all it starts) or command (one command)")
      ->type_name("PROFILE");
  app.add_option("--os", options.release,
                 "one release only: " + releases_text() + " (default: all of them)")
      ->type_name("RELEASE");
  app.add_option("--exit", options.exit,
                 "path of nd7-exec, the floor's one way out (default: the parameter EXIT)")
      ->type_name("PATH");
  app.add_option("--grant", options.grants, "a path that `nd7 allow` opened; command profile only")
      ->type_name("PATH")
      ->take_all();
  app.add_option("--protect", options.protect, "a file that nothing inside may write")
      ->type_name("PATH")
      ->take_all();
  app.add_option("-D", options.bindings,
                 "bind a parameter: HOME, PROJ, TMP, or one that a file declares")
      ->type_name("NAME=VALUE")
      ->take_all();
  app.add_option("--size-budget", options.budget,
                 "bytes the profile may take, or none (default: 65536, what macOS loads)")
      ->type_name("BYTES");
}

void add_output_options(CLI::App& app, OutputOptions& options) {
  app.add_option("--format", options.format, "diagnostics as human, plain, compact or json")
      ->type_name("FORMAT");
  app.add_option("--color", options.color, "auto, always or never")->type_name("WHEN");
}

int usage_error(std::string_view message) {
  (void)write_all(STDERR_FILENO, fmt::format("nd7c: {}\nTry `nd7c --help`.\n", message));
  return kUsage;
}

std::optional<int> parse(CLI::App& app, const Words& words) {
  app.allow_windows_style_options(false);
  std::vector<std::string> reversed{words.rbegin(), words.rend()};
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    return write_all(STDOUT_FILENO, app.help()) ? kClean : kFindings;
  } catch (const CLI::ParseError& error) {
    return usage_error(printable(error.what()));
  }
  return std::nullopt;
}

std::optional<Resolved> resolve(const PolicyOptions& policy, const OutputOptions& output) {
  Resolved result;
  result.compile.version = kVersion;
  const auto format = parse_format(output.format);
  if (!format) {
    usage_error(fmt::format("--format wants human, plain, compact or json, not `{}`",
                            printable(output.format)));
    return std::nullopt;
  }
  result.console.format = *format;
  if (output.color == "always") {
    result.console.color = ColorMode::always;
  } else if (output.color == "never") {
    result.console.color = ColorMode::never;
  } else if (output.color != "auto") {
    usage_error(
        fmt::format("--color wants auto, always or never, not `{}`", printable(output.color)));
    return std::nullopt;
  }
  if (policy.profile == "command") {
    result.compile.profile = laws::Profile::command;
  } else if (policy.profile != "floor") {
    usage_error(fmt::format("--for wants floor or command, not `{}`", printable(policy.profile)));
    return std::nullopt;
  }
  if (!policy.grants.empty() && result.compile.profile == laws::Profile::floor) {
    usage_error("--grant goes with --for command: the floor has no grants");
    return std::nullopt;
  }
  if (!policy.release.empty()) {
    result.compile.check.release = seatbelt::parse_release(policy.release);
    if (!result.compile.check.release) {
      usage_error(fmt::format("--os wants one of {}, not `{}`", releases_text(),
                              printable(policy.release)));
      return std::nullopt;
    }
  }
  if (!policy.exit.empty()) result.compile.check.exit = policy.exit;
  result.compile.grants = policy.grants;
  result.compile.protect = policy.protect;
  for (const std::string& word : policy.bindings) {
    if (!bind(word, result.compile)) return std::nullopt;
  }
  if (!read_budget(policy.budget, result.compile)) return std::nullopt;
  const auto& bindings = result.compile.check.bindings;
  result.bound = bindings.count("HOME") + bindings.count("PROJ") + bindings.count("TMP") == 3;
  return result;
}

}  // namespace nd7::driver
