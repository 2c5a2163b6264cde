#include "compiler/driver/explain_linux.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <variant>

#include "compiler/answer/invariants.hpp"
#include "compiler/answer/placement.hpp"
#include "compiler/answer/question.hpp"
#include "compiler/diagnostics/render.hpp"
#include "compiler/driver/exit_code.hpp"
#include "compiler/driver/input.hpp"
#include "compiler/linux/requests.hpp"
#include "compiler/linux/values.hpp"
#include "compiler/pipeline/compile_linux.hpp"

namespace nd7::driver {
namespace {

using linux_plan::Decision;
using seatbelt::read::Request;

class LinuxExplainer {
 public:
  LinuxExplainer(const CompiledLinux& compiled, const SourceMap& sources)
      : compiled_(compiled), sources_(sources) {
    placement_ = linux_plan::placements_of(compiled.policy).front();
    ir::Policy here = compiled.policy;
    answer::place(here, placement_);
    std::map<std::string, std::string> values;
    for (const ir::Param& param : here.params) {
      if (param.value) values[param.key] = *param.value;
    }
    plan_ = linux_plan::with_values(compiled.plan, values);
  }

  [[nodiscard]] std::string physical(std::string path) const {
    if (!path.empty() && path.front() == '~' && (path.size() == 1 || path[1] == '/')) {
      path.replace(0, 1, placement_.home);
    }
    return path;
  }

  [[nodiscard]] std::string json(const Request& request) const {
    const auto decision = linux_plan::decide(plan_, request);
    const std::string place = decision ? place_of(decision->rule) : std::string{};
    const std::size_t colon = place.rfind(':');
    std::string rule = "null";
    if (decision && !decision->rule.empty()) {
      rule = fmt::format("{{\"id\": {}, \"file\": {}, \"line\": {}}}", json_string(decision->rule),
                         place.empty() ? "null" : json_string(place.substr(0, colon)),
                         place.empty() ? "null" : place.substr(colon + 1));
    }
    return fmt::format(
        "{{\"verdict\": \"{}\", \"own\": {}, \"op\": \"{}\", \"subject\": {}, "
        "\"rule\": {}}}",
        verdict(decision), decision && decision->own, seatbelt::name(request.op),
        json_string(answer::subject_text(request)), rule);
  }

  [[nodiscard]] std::string line(const Request& request) const {
    const auto decision = linux_plan::decide(plan_, request);
    return fmt::format("{:<8} {:<28} {}\n", verdict(decision), seatbelt::name(request.op),
                       reason(decision));
  }

  [[nodiscard]] std::string text(const Request& request) const {
    const auto decision = linux_plan::decide(plan_, request);
    return fmt::format("{}: {} {}\n  by {}\n  with {}\n", verdict(decision),
                       seatbelt::name(request.op), printable(answer::subject_text(request)),
                       reason(decision), placement_text(placement_));
  }

 private:
  static std::string_view verdict(const std::optional<Decision>& decision) {
    if (!decision) return "none";
    return decision->allowed ? "allow" : "deny";
  }

  [[nodiscard]] std::string reason(const std::optional<Decision>& decision) const {
    if (!decision) return "nothing: there is no such operation on Linux, or no plan decides it";
    if (decision->own) return "the session, whose own this place is";
    if (decision->rule.empty()) {
      return decision->allowed ? "Linux, which allows it by itself"
                               : "no rule matches, so the default decides";
    }
    const std::string place = place_of(decision->rule);
    return printable(place.empty() ? decision->rule
                                   : fmt::format("{} ({})", decision->rule, place));
  }

  /// "team.toml:7"; empty for the compiler's own.
  [[nodiscard]] std::string place_of(const std::string& label) const {
    for (const ir::Rule& rule : compiled_.policy.rules) {
      if (rule_key(rule) != label) continue;
      return fmt::format("{}:{}", compiled_.policy.units[rule.unit].display,
                         sources_.file(rule.span.file).line_of(rule.span.begin));
    }
    return {};
  }

  const CompiledLinux& compiled_;
  const SourceMap& sources_;
  answer::Placement placement_;
  linux_plan::Plan plan_;
};

/// Rows of `operation<TAB>argument`; a JSON object a line.
int answer_batch(const LinuxExplainer& explainer, const std::string& file,
                 const ConsoleOptions& console) {
  SourceMap sources;
  Diagnostics diagnostics;
  const auto input = read_input(file, sources, diagnostics);
  if (!input) {
    (void)show(diagnostics, sources, console);
    return kCannotRun;
  }
  std::string_view rest = sources.file(*input).text();
  std::string out;
  int code = kClean;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.empty() || line.front() == '#') continue;
    const std::size_t tab = line.find('\t');
    const auto question = answer::parse_question(
        line.substr(0, tab), tab == std::string_view::npos ? "-" : line.substr(tab + 1));
    if (const auto* error = std::get_if<answer::QuestionError>(&question)) {
      out += fmt::format("{{\"error\": {}}}\n", json_string(error->message));
      code = kFindings;
      continue;
    }
    out += explainer.json(std::get<Request>(question)) + "\n";
  }
  return write_all(STDOUT_FILENO, out) ? code : static_cast<int>(kFindings);
}

int answer_one(const LinuxExplainer& explainer, const Asked& asked, Format format) {
  const auto argument =
      argument_of(asked, [&](std::string path) { return explainer.physical(std::move(path)); });
  const auto operations = argument ? operations_of(asked, *argument) : std::nullopt;
  if (!operations) return kUsage;
  std::string out;
  for (const std::string& operation : *operations) {
    const auto question = answer::parse_question(operation, *argument);
    if (const auto* error = std::get_if<answer::QuestionError>(&question)) {
      return usage_error(printable(error->message));
    }
    const auto& request = std::get<Request>(question);
    if (format == Format::json) {
      out += explainer.json(request) + "\n";
    } else {
      out += operations->size() > 1 ? explainer.line(request) : explainer.text(request);
    }
  }
  return write_all(STDOUT_FILENO, out) ? kClean : kFindings;
}

}  // namespace

int explain_on_linux(const std::string& input, const Asked& asked, const Resolved& options) {
  SourceMap sources;
  Diagnostics diagnostics;
  const auto root = read_input(input, sources, diagnostics);
  if (!root) {
    (void)show(diagnostics, sources, options.console);
    return kCannotRun;
  }
  const auto compiled = compile_linux(sources, DiskFiles{}, *root, options.compile, diagnostics);
  if (!compiled || options.console.format != Format::json) {
    if (!show(diagnostics, sources, options.console)) return kFindings;
  }
  if (!compiled) return error_code(diagnostics);
  if (!compiled->bugs.empty()) {
    (void)write_all(STDERR_FILENO,
                    fmt::format("nd7c: internal error: {}\n", compiled->bugs.front()));
    return kInternal;
  }
  const LinuxExplainer explainer{*compiled, sources};
  if (!asked.batch.empty()) return answer_batch(explainer, asked.batch, options.console);
  return answer_one(explainer, asked, options.console.format);
}

}  // namespace nd7::driver
