// nd7c check FILE...
#include <fmt/format.h>
#include <unistd.h>

#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_code.hpp"
#include "compiler/driver/input.hpp"
#include "compiler/driver/options.hpp"

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
    const auto compiled = compile(sources, DiskFiles{}, *root, resolved->compile, diagnostics);
    if (compiled && !compiled->bugs.empty()) code = kInternal;
  }
  if (code == kClean && diagnostics.has_errors()) code = kFindings;
  if (!show(diagnostics, sources, resolved->console)) return kFindings;
  return code;
}

}  // namespace nd7::driver
