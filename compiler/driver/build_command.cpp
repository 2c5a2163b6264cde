// nd7c FILE -o OUT
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_code.hpp"
#include "compiler/driver/input.hpp"
#include "compiler/driver/options.hpp"
#include "compiler/driver/output_file.hpp"
#include "compiler/ir/json.hpp"
#include "compiler/pipeline/prove.hpp"
#include "compiler/pipeline/prove_linux.hpp"

namespace nd7::driver {
namespace {

std::vector<std::string> input_paths(const SourceMap& sources) {
  std::vector<std::string> paths;
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    const std::string& path = sources.file(FileId{i}).path();
    if (!path.empty()) paths.push_back(path);
  }
  return paths;
}

struct Build {
  std::string input;
  std::string output;
  std::string target;
  Resolved options;
};

int finish(const Diagnostics& diagnostics, const SourceMap& sources, const ConsoleOptions& console,
           int code) {
  const bool shown = show(diagnostics, sources, console);
  return shown || code != kClean ? code : kFindings;
}

int write(const Build& build, const std::string& text, const SourceMap& sources,
          Diagnostics& diagnostics) {
  const ConsoleOptions& console = build.options.console;
  if (build.output.empty() || build.output == "-") {
    const int code = finish(diagnostics, sources, console, kClean);
    if (code != kClean) return code;
    if (write_all(STDOUT_FILENO, text)) return kClean;
    diagnostics.add(Code::ND9002, std::nullopt, "standard output does not take the profile");
    return finish(diagnostics, sources, console, kFindings);
  }
  if (const auto problem = write_output(build.output, text)) {
    diagnostics
        .add(Code::ND9002, std::nullopt,
             fmt::format("`{}` cannot be written: {}", build.output, *problem))
        .helps.emplace_back("an older file of that name is as it was");
    return finish(diagnostics, sources, console, kFindings);
  }
  return finish(diagnostics, sources, console, kClean);
}

int run(Build build) {
  SourceMap sources;
  Diagnostics diagnostics;
  const ConsoleOptions& console = build.options.console;
  const auto root = read_input(build.input, sources, diagnostics);
  if (!root) return finish(diagnostics, sources, console, kCannotRun);
  CompileOptions& options = build.options.compile;
  // A profile for one machine protects the files that it came from; a portable one cannot know
  // where they will be, so whoever binds it names them (`--protect`, or nd7 run by itself).
  options.protect_sources = build.options.bound;
  const bool for_linux = build.target == "linux";
  std::optional<Compiled> compiled;
  std::optional<CompiledLinux> planned;
  if (for_linux) {
    planned = compile_linux(sources, DiskFiles{}, *root, options, diagnostics);
  } else {
    compiled = compile(sources, DiskFiles{}, *root, options, diagnostics);
  }
  if (!build.output.empty() && build.output != "-") {
    if (const auto input = same_file(build.output, input_paths(sources))) {
      diagnostics.add(
          Code::ND9003, std::nullopt,
          fmt::format("`{}` is an input, {}: it is not overwritten", build.output, *input));
    }
  }
  if ((!compiled && !planned) || diagnostics.has_errors()) {
    return finish(diagnostics, sources, console, error_code(diagnostics));
  }
  if (planned && planned->bugs.empty()) {
    prove_linux(sources, DiskFiles{}, *planned, options, Claims::invariants, diagnostics);
  } else if (compiled) {
    prove(sources, DiskFiles{}, *compiled, options, Claims::invariants, diagnostics);
  }
  const std::vector<std::string>& bugs = planned ? planned->bugs : compiled->bugs;
  if (!bugs.empty()) {
    (void)finish(diagnostics, sources, console, kInternal);
    for (const std::string& bug : bugs) {
      (void)write_all(STDERR_FILENO, fmt::format("nd7c: internal error: {}\n", bug));
    }
    return kInternal;
  }
  if (diagnostics.has_errors()) {
    return finish(diagnostics, sources, console, error_code(diagnostics));
  }
  if (planned) return write(build, planned->text, sources, diagnostics);
  const std::string text =
      build.target == "ir" ? ir::to_json(compiled->policy, sources) : compiled->printed.text;
  return write(build, text, sources, diagnostics);
}

}  // namespace

int run_build(const Words& words) {
  CLI::App app{"Compile a rules file to a Seatbelt profile.", "nd7c"};
  Build build;
  PolicyOptions policy;
  OutputOptions output;
  app.add_option("FILE", build.input, "the rules file; - for standard input")->required();
  app.add_option("-o,--output", build.output, "where the profile goes (default: standard output)")
      ->type_name("OUT");
  app.add_option("--target", policy.target,
                 "seatbelt (a profile), linux (a plan) or ir (the policy as JSON)")
      ->type_name("TARGET");
  add_policy_options(app, policy);
  add_output_options(app, output);
  if (const auto code = parse(app, words)) return *code;
  if (policy.target != "seatbelt" && policy.target != "linux" && policy.target != "ir") {
    return usage_error(
        fmt::format("--target wants seatbelt, linux or ir, not `{}`", printable(policy.target)));
  }
  auto resolved = resolve(policy, output);
  if (!resolved) return kUsage;
  if (resolved->console.format == Format::json && (build.output.empty() || build.output == "-")) {
    return usage_error("--format json writes to standard output; give the profile a place with -o");
  }
  build.target = policy.target;
  build.options = std::move(*resolved);
  return run(std::move(build));
}

}  // namespace nd7::driver
