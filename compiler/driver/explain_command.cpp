// nd7c explain POLICY --op OP --path P
#include <fmt/format.h>
#include <unistd.h>

#include <map>
#include <utility>
#include <variant>

#include "compiler/answer/explain.hpp"
#include "compiler/answer/invariants.hpp"
#include "compiler/answer/question.hpp"
#include "compiler/check/paths.hpp"
#include "compiler/driver/asked.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_code.hpp"
#include "compiler/driver/explain_linux.hpp"
#include "compiler/driver/input.hpp"
#include "compiler/driver/policy_input.hpp"

namespace nd7::driver {
namespace {

using seatbelt::Op;
using seatbelt::read::Request;
using seatbelt::read::Verdict;

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::deny: return "deny";
    case Verdict::allow: return "allow";
    case Verdict::unknown: return "unknown";
  }
  return {};
}

/// A policy with what is needed to answer about it.
class Explainer {
 public:
  Explainer(LoadedPolicy policy, const SourceMap& sources, const Resolved& options,
            seatbelt::read::Model model)
      : policy_(std::move(policy)), sources_(sources), options_(options), model_(model) {
    if (!policy_.raw()) placement_ = answer::example_placement(policy_.compiled->policy);
  }

  [[nodiscard]] bool prepare(std::string& bug) {
    view_ = view_at(policy_, placement_, sources_, options_, model_, false, bug);
    complete_ = view_at(policy_, placement_, sources_, options_, model_, true, bug);
    return view_ && complete_;
  }

  answer::Explanation explain(const Request& request) {
    return answer::explain(*view_, *complete_, request, placement_);
  }

  [[nodiscard]] const answer::Placement& placement() const { return placement_; }
  [[nodiscard]] bool raw() const { return policy_.raw(); }

  /// `~` and the kernel's spelling of a path.
  [[nodiscard]] std::string physical(std::string path) const {
    if (!raw() && !path.empty() && path.front() == '~' && (path.size() == 1 || path[1] == '/')) {
      path.replace(0, 1, placement_.home);
    }
    return physical_alias(path, ir::Target::seatbelt);
  }

 private:
  LoadedPolicy policy_;
  const SourceMap& sources_;
  const Resolved& options_;
  seatbelt::read::Model model_;
  answer::Placement placement_;
  std::optional<answer::View> view_;
  std::optional<answer::View> complete_;
};

std::string origin_json(const std::optional<answer::Origin>& origin) {
  if (!origin) return "null";
  const std::size_t colon = origin->place.rfind(':');
  const std::string file = colon == std::string::npos ? "" : origin->place.substr(0, colon);
  const std::string line = colon == std::string::npos ? "null" : origin->place.substr(colon + 1);
  return fmt::format("{{\"id\": {}, \"file\": {}, \"line\": {}}}", json_string(origin->label),
                     file.empty() ? "null" : json_string(file), line);
}

std::string json_of(const answer::Explanation& explanation, const Request& request, bool raw) {
  std::string matching;
  for (const answer::Matching& one : explanation.matching) {
    matching += fmt::format("{}{{\"effect\": \"{}\", \"rule\": {}}}", matching.empty() ? "" : ", ",
                            one.allow ? "allow" : "deny", origin_json(one.origin));
  }
  return fmt::format(
      "{{\"verdict\": \"{}\", \"unconfined\": {}, \"op\": \"{}\", \"subject\": {}, \"rule\": {}, "
      "\"runner_up\": {}, \"matching\": [{}], \"change\": {}}}",
      to_string(explanation.verdict), explanation.unconfined, seatbelt::name(request.op),
      json_string(answer::subject_text(request)), origin_json(explanation.by),
      origin_json(explanation.runner_up), matching, raw ? "null" : json_string(explanation.change));
}

std::string origin_text(const std::optional<answer::Origin>& origin) {
  if (!origin) return "no rule matches, so the default decides";
  return printable(origin->place.empty() ? origin->label
                                         : fmt::format("{} ({})", origin->label, origin->place));
}

std::string text_of(const answer::Explanation& explanation, const Request& request,
                    const Explainer& explainer) {
  std::string text =
      fmt::format("{}{}: {} {}\n", to_string(explanation.verdict),
                  explanation.unconfined ? " (leaves the sandbox)" : "", seatbelt::name(request.op),
                  printable(answer::subject_text(request)));
  if (explanation.verdict == Verdict::unknown) {
    text += explanation.depends_on.empty()
                ? "  only a rule of the imported Apple file could decide\n"
                : fmt::format("  depends on {}, which the request leaves open\n",
                              fmt::join(explanation.depends_on, ", "));
  } else {
    text += fmt::format("  by {}\n", origin_text(explanation.by));
  }
  if (explanation.runner_up) {
    text += fmt::format("  otherwise {}\n", origin_text(explanation.runner_up));
  }
  const std::size_t others = explanation.matching.size();
  if (others > 2) text += fmt::format("  {} rules match in all\n", others);
  if (!explainer.raw()) {
    text += fmt::format("  with {}\n", placement_text(explainer.placement()));
    text += "  " + printable(explanation.change.substr(0, explanation.change.find('\n'))) + "\n";
    std::string_view rest = explanation.change;
    while (rest.find('\n') != std::string_view::npos) {
      rest.remove_prefix(rest.find('\n') + 1);
      text += "  " + printable(rest.substr(0, rest.find('\n'))) + "\n";
    }
  }
  return text;
}

int answer_one(Explainer& explainer, const Asked& asked, Format format) {
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
    const answer::Explanation explanation = explainer.explain(request);
    if (format == Format::json) {
      out += json_of(explanation, request, explainer.raw()) + "\n";
    } else if (asked.all_ops || operations->size() > 1) {
      out += fmt::format("{:<8} {:<28} {}\n", to_string(explanation.verdict), operation,
                         origin_text(explanation.by));
    } else {
      out += text_of(explanation, request, explainer);
    }
  }
  return write_all(STDOUT_FILENO, out) ? kClean : kFindings;
}

/// Rows of `operation<TAB>argument`; a JSON object a line. `K=V` after " ; " binds a parameter of a
/// raw profile for that row.
class Batch {
 public:
  Batch(std::string policy, const Resolved& options, const ProfileOptions& profile,
        seatbelt::read::Model model)
      : policy_(std::move(policy)), options_(options), profile_(profile), model_(model) {}

  int run(const std::string& file) {
    SourceMap sources;
    Diagnostics diagnostics;
    const auto input = read_input(file, sources, diagnostics);
    if (!input) {
      (void)show(diagnostics, sources, options_.console);
      return kCannotRun;
    }
    std::string_view rest = sources.file(*input).text();
    std::string out;
    int code = kClean;
    while (!rest.empty()) {
      std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      if (line.empty() || line.front() == '#') continue;
      const int answered = row(line, out);
      if (answered != kClean) code = answered;
      if (out.size() > (std::size_t{1} << 16U)) {
        if (!write_all(STDOUT_FILENO, out)) return kFindings;
        out.clear();
      }
    }
    return write_all(STDOUT_FILENO, out) ? code : static_cast<int>(kFindings);
  }

 private:
  int row(std::string_view line, std::string& out) {
    const std::size_t tab = line.find('\t');
    const std::string_view operation = line.substr(0, tab);
    std::string argument{tab == std::string_view::npos ? "-" : line.substr(tab + 1)};
    const std::string bindings = take_bindings(argument);
    Explainer* const explainer = explainer_for(bindings);
    if (explainer == nullptr) {
      out += "{\"error\": \"the policy does not load\"}\n";
      return kFindings;
    }
    const auto question = answer::parse_question(operation, argument);
    if (const auto* error = std::get_if<answer::QuestionError>(&question)) {
      out += fmt::format("{{\"error\": {}}}\n", json_string(error->message));
      return kFindings;
    }
    const auto& request = std::get<Request>(question);
    out += json_of(explainer->explain(request), request, explainer->raw()) + "\n";
    return kClean;
  }

  static std::string take_bindings(std::string& argument) {
    std::string bindings;
    for (std::size_t at = argument.find(" ; "); at != std::string::npos;) {
      const std::size_t end = std::min(argument.find(" ; ", at + 3), argument.size());
      const std::string part = argument.substr(at + 3, end - at - 3);
      if (part.find('=') != std::string::npos) {
        bindings += part + "\n";
        argument.erase(at, end - at);
        at = argument.find(" ; ", at);
      } else {
        at = argument.find(" ; ", at + 3);
      }
    }
    return bindings;
  }

  Explainer* explainer_for(const std::string& bindings) {
    auto [at, fresh] = loaded_.try_emplace(bindings);
    if (!fresh) return at->second.explainer.get();
    Loaded& loaded = at->second;
    loaded.options = options_;
    std::string_view rest = bindings;
    while (!rest.empty()) {
      const std::string_view part = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(part.size() + 1);
      const std::size_t equals = part.find('=');
      loaded.options.compile.check.bindings[std::string{part.substr(0, equals)}] =
          part.substr(equals + 1);
    }
    Diagnostics diagnostics;
    int code = kClean;
    auto policy = load_policy(policy_, loaded.sources, loaded.options, profile_, Unset::must_load,
                              diagnostics, code);
    const LoadedPolicy* const one = policy ? &*policy : nullptr;
    if (!policy || !check_bindings({&one, 1}, loaded.options, diagnostics)) {
      (void)show(diagnostics, loaded.sources, options_.console);
      return nullptr;
    }
    auto explainer =
        std::make_unique<Explainer>(std::move(*policy), loaded.sources, loaded.options, model_);
    std::string bug;
    if (explainer->prepare(bug)) loaded.explainer = std::move(explainer);
    return loaded.explainer.get();
  }

  struct Loaded {
    Resolved options;
    SourceMap sources;
    std::unique_ptr<Explainer> explainer;
  };

  std::string policy_;
  const Resolved& options_;
  const ProfileOptions& profile_;
  seatbelt::read::Model model_;
  std::map<std::string, Loaded> loaded_;
};

}  // namespace

int run_explain(const Words& words) {
  CLI::App app{"Say how a policy answers a request, and why.", "nd7c explain"};
  std::string input;
  Asked asked;
  PolicyOptions policy;
  ProfileOptions profile;
  OutputOptions output;
  app.add_option("POLICY", input, "a rules file, or a Seatbelt profile (.sb)")->required();
  add_asked_options(app, asked);
  app.add_option("--target", policy.target, "seatbelt or linux")->type_name("TARGET");
  add_policy_options(app, policy);
  add_profile_options(app, profile);
  add_output_options(app, output);
  if (const auto code = parse(app, words)) return *code;
  const auto resolved = resolve(policy, output);
  const auto model = parse_model(profile.model);
  if (!resolved || !model) return kUsage;
  if (policy.target == "linux") return explain_on_linux(input, asked, *resolved);
  if (policy.target != "seatbelt") {
    return usage_error(
        fmt::format("--target wants seatbelt or linux, not `{}`", printable(policy.target)));
  }
  if (!asked.batch.empty()) return Batch{input, *resolved, profile, *model}.run(asked.batch);
  SourceMap sources;
  Diagnostics diagnostics;
  int code = kClean;
  auto loaded =
      load_policy(input, sources, *resolved, profile, Unset::must_load, diagnostics, code);
  if (!loaded) {
    (void)show(diagnostics, sources, resolved->console);
    return code;
  }
  const LoadedPolicy* const one = &*loaded;
  if (!check_bindings({&one, 1}, *resolved, diagnostics)) {
    (void)show(diagnostics, sources, resolved->console);
    return kFindings;
  }
  // What the rules warn of, and where a raw profile does not do what it seems to say. JSON answers
  // stand alone.
  if (resolved->console.format != Format::json && !show(diagnostics, sources, resolved->console)) {
    return kFindings;
  }
  Explainer explainer{std::move(*loaded), sources, *resolved, *model};
  std::string bug;
  if (!explainer.prepare(bug)) {
    (void)write_all(STDERR_FILENO, fmt::format("nd7c: internal error: {}\n", bug));
    return kInternal;
  }
  return answer_one(explainer, asked, resolved->console.format);
}

}  // namespace nd7::driver
