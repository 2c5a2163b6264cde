// nd7c check FILE...
#include <fmt/format.h>
#include <unistd.h>

#include "compiler/diagnostics/render.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_code.hpp"
#include "compiler/driver/input.hpp"
#include "compiler/driver/options.hpp"
#include "compiler/pipeline/prove.hpp"
#include "compiler/pipeline/prove_linux.hpp"

namespace nd7::driver {
namespace {

/// The other profile of the same rules; what both say is shown once.
CompileOptions other_profile(CompileOptions options) {
  options.grants.clear();
  options.profile =
      options.profile == laws::Profile::floor ? laws::Profile::command : laws::Profile::floor;
  return options;
}

/// Adds the bugs that were met.
void check_macos(SourceMap& sources, FileId root, const CompileOptions& options,
                 Diagnostics& diagnostics, std::vector<std::string>& bugs) {
  auto compiled = compile(sources, DiskFiles{}, root, options, diagnostics);
  if (!compiled) return;
  prove(sources, DiskFiles{}, *compiled, options, Claims::all, diagnostics);
  bugs.insert(bugs.end(), compiled->bugs.begin(), compiled->bugs.end());
  const auto second = compile(sources, DiskFiles{}, root, other_profile(options), diagnostics);
  if (second) bugs.insert(bugs.end(), second->bugs.begin(), second->bugs.end());
}

void check_linux(SourceMap& sources, FileId root, const CompileOptions& options,
                 Diagnostics& diagnostics, std::vector<std::string>& bugs) {
  auto compiled = compile_linux(sources, DiskFiles{}, root, options, diagnostics);
  if (!compiled) return;
  if (compiled->bugs.empty()) {
    prove_linux(sources, DiskFiles{}, *compiled, options, Claims::all, diagnostics);
  }
  bugs.insert(bugs.end(), compiled->bugs.begin(), compiled->bugs.end());
  const auto second =
      compile_linux(sources, DiskFiles{}, root, other_profile(options), diagnostics);
  if (second) bugs.insert(bugs.end(), second->bugs.begin(), second->bugs.end());
}

}  // namespace

int run_check(const Words& words) {
  CLI::App app{"Say what a build would refuse.", "nd7c check"};
  std::vector<std::string> inputs;
  PolicyOptions policy;
  OutputOptions output;
  app.add_option("FILE", inputs, "rules files; - for standard input")->required();
  app.add_option("--target", policy.target, "seatbelt or linux")->type_name("TARGET");
  add_policy_options(app, policy);
  add_output_options(app, output);
  if (const auto code = parse(app, words)) return *code;
  if (policy.target != "seatbelt" && policy.target != "linux") {
    return usage_error(
        fmt::format("--target wants seatbelt or linux, not `{}`", printable(policy.target)));
  }
  const auto resolved = resolve(policy, output);
  if (!resolved) return kUsage;
  SourceMap sources;
  Diagnostics diagnostics;
  int code = kClean;
  for (const std::string& input : inputs) {
    const auto root = read_input(input, sources, diagnostics);
    if (!root) {
      code = kCannotRun;
      continue;
    }
    std::vector<std::string> bugs;
    if (policy.target == "linux") {
      check_linux(sources, *root, resolved->compile, diagnostics, bugs);
    } else {
      check_macos(sources, *root, resolved->compile, diagnostics, bugs);
    }
    for (const std::string& bug : bugs) {
      (void)write_all(STDERR_FILENO, fmt::format("nd7c: internal error: {}\n", bug));
      code = kInternal;
    }
  }
  if (code == kClean && diagnostics.has_errors()) code = error_code(diagnostics);
  if (!show(diagnostics, sources, resolved->console)) return kFindings;
  return code;
}

}  // namespace nd7::driver
