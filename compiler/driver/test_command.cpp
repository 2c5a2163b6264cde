// nd7c test FILE...
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "compiler/answer/coverage.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_code.hpp"
#include "compiler/driver/input.hpp"
#include "compiler/driver/options.hpp"
#include "compiler/pipeline/prove.hpp"

namespace nd7::driver {
namespace {

struct TestOptions {
  std::vector<std::string> inputs;
  int threshold = 0;
  bool mutate = false;
};

/// Share in percent, rounded down; nothing to cover is covered.
int percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? 100 : static_cast<int>(part * 100 / whole);
}

std::size_t failed_expectations(const Diagnostics& diagnostics) {
  std::vector<std::uint32_t> places;
  for (const Diagnostic& d : diagnostics.sorted()) {
    if ((d.code != Code::ND4004 && d.code != Code::ND4006) || !d.primary) continue;
    if (places.empty() || places.back() != d.primary->begin) places.push_back(d.primary->begin);
  }
  return places.size();
}

std::string names(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& one : list) text += fmt::format("    {}\n", one);
  return text;
}

/// On a terminal, how far a long job is; gone when it is done.
class Progress {
 public:
  Progress() : shown_(isatty(STDERR_FILENO) != 0) {}
  ~Progress() {
    if (shown_) (void)write_all(STDERR_FILENO, "\r\x1b[K");
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void operator()(std::size_t done, std::size_t all) const {
    if (!shown_) return;
    (void)write_all(STDERR_FILENO, fmt::format("\r  {} of {} changed rule sets\x1b[K", done, all));
  }

 private:
  bool shown_;
};

/// One file; adds to `out` and `json`.
int test_file(const std::string& input, const TestOptions& options, const Resolved& resolved,
              std::string& out, std::string& json) {
  SourceMap sources;
  Diagnostics diagnostics;
  const auto root = read_input(input, sources, diagnostics);
  if (!root) {
    (void)show(diagnostics, sources, resolved.console);
    return kCannotRun;
  }
  auto compiled = compile(sources, DiskFiles{}, *root, resolved.compile, diagnostics);
  if (compiled) {
    prove(sources, DiskFiles{}, *compiled, resolved.compile, Claims::all, diagnostics);
  }
  ConsoleOptions console = resolved.console;
  if (console.format == Format::json) console.format = Format::plain;
  if (!show(diagnostics, sources, console)) return kFindings;
  if (!compiled) return error_code(diagnostics);
  if (!compiled->bugs.empty()) return kInternal;
  const std::size_t all = compiled->policy.expectations.size();
  const std::size_t failed = std::min(all, failed_expectations(diagnostics));
  const answer::Coverage coverage = answer::coverage(compiled->policy, sources);
  const int covered = percent(coverage.covered, coverage.rules);
  out += fmt::format("{}: {} passed, {} failed; {} of {} rules met ({} %)\n", printable(input),
                     all - failed, failed, coverage.covered, coverage.rules, covered);
  if (!coverage.missed.empty()) out += "  no expectation meets:\n" + names(coverage.missed);
  std::string mutation = "null";
  int code = diagnostics.has_errors() ? error_code(diagnostics) : static_cast<int>(kClean);
  if (options.mutate && code == kClean) {
    const answer::Mutations mutations = [&] {
      const Progress progress;
      return answer::mutate(compiled->policy, sources, std::cref(progress));
    }();
    out += fmt::format("  {} of {} changed rule sets were noticed ({} %)\n", mutations.noticed,
                       mutations.made, percent(mutations.noticed, mutations.made));
    if (!mutations.survived.empty()) out += "  nobody noticed:\n" + names(mutations.survived);
    mutation = fmt::format("{{\"made\": {}, \"noticed\": {}}}", mutations.made, mutations.noticed);
  }
  json += fmt::format(
      "{}{{\"file\": {}, \"passed\": {}, \"failed\": {}, \"rules\": {}, \"met\": {}, \"mutation\": "
      "{}}}",
      json.empty() ? "" : ", ", json_string(input), all - failed, failed, coverage.rules,
      coverage.covered, mutation);
  if (covered < options.threshold && code == kClean) {
    out += fmt::format("  fewer than the {} % asked for\n", options.threshold);
    code = kFindings;
  }
  return code;
}

}  // namespace

int run_test(const Words& words) {
  CLI::App app{"Run the expectations of rules files.", "nd7c test"};
  TestOptions options;
  PolicyOptions policy;
  OutputOptions output;
  app.add_option("FILE", options.inputs, "rules files")->required();
  app.add_option("--threshold", options.threshold,
                 "exit 1 if expectations meet fewer of the file's own rules, in percent")
      ->type_name("PERCENT")
      ->check(CLI::Range(0, 100));
  app.add_flag("--mutate", options.mutate,
               "drop and turn round each rule, and see whether an expectation notices");
  add_policy_options(app, policy);
  add_output_options(app, output);
  if (const auto code = parse(app, words)) return *code;
  const auto resolved = resolve(policy, output);
  if (!resolved) return kUsage;
  int code = kClean;
  std::string out;
  std::string json;
  for (const std::string& input : options.inputs) {
    code = std::max(code, test_file(input, options, *resolved, out, json));
  }
  if (resolved->console.format == Format::json) out = fmt::format("{{\"files\": [{}]}}\n", json);
  return write_all(STDOUT_FILENO, out) ? code : static_cast<int>(kFindings);
}

}  // namespace nd7::driver
