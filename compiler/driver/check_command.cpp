// nd7c check FILE...
#include <fmt/format.h>
#include <unistd.h>

#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_code.hpp"
#include "compiler/driver/input.hpp"
#include "compiler/driver/options.hpp"
#include "compiler/pipeline/prove.hpp"

namespace nd7::driver {

int run_check(const Words& words) {
  CLI::App app{"Say what a build would refuse.", "nd7c check"};
  std::vector<std::string> inputs;
  PolicyOptions policy;
  OutputOptions output;
  app.add_option("FILE", inputs, "rules files; - for standard input")->required();
  add_policy_options(app, policy);
  add_output_options(app, output);
  if (const auto code = parse(app, words)) return *code;
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
    auto compiled = compile(sources, DiskFiles{}, *root, resolved->compile, diagnostics);
    if (!compiled) continue;
    prove(sources, DiskFiles{}, *compiled, resolved->compile, Claims::all, diagnostics);
    // The other profile of the same rules; what both say is shown once.
    CompileOptions other = resolved->compile;
    other.grants.clear();
    other.profile =
        other.profile == laws::Profile::floor ? laws::Profile::command : laws::Profile::floor;
    auto second = compile(sources, DiskFiles{}, *root, other, diagnostics);
    if (second) {
      compiled->bugs.insert(compiled->bugs.end(), second->bugs.begin(), second->bugs.end());
    }
    for (const std::string& bug : compiled->bugs) {
      (void)write_all(STDERR_FILENO, fmt::format("nd7c: internal error: {}\n", bug));
      code = kInternal;
    }
  }
  if (code == kClean && diagnostics.has_errors()) code = error_code(diagnostics);
  if (!show(diagnostics, sources, resolved->console)) return kFindings;
  return code;
}

}  // namespace nd7::driver
