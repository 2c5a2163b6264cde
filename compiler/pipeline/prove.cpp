#include "compiler/pipeline/prove.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/answer/effect.hpp"
#include "compiler/answer/invariants.hpp"

namespace nd7 {
namespace {

using answer::Failure;
using answer::Proof;

std::string profile_name(laws::Profile profile) {
  return profile == laws::Profile::floor ? "floor" : "command";
}

std::string decided(const Failure& failure) {
  if (!failure.by) return "no rule, so the default";
  if (failure.by->place.empty()) return failure.by->label;
  return fmt::format("{} ({})", failure.by->label, failure.by->place);
}

class Claimant {
 public:
  Claimant(SourceMap& sources, const Files& files, Compiled& compiled,
           const CompileOptions& options, Diagnostics& diagnostics)
      : sources_(sources),
        files_(files),
        compiled_(compiled),
        options_(options),
        diagnostics_(diagnostics),
        prover_(compiled.policy, sources, {options.check.release, compiled.protect, {}}) {}

  void invariants() {
    for (const ir::Rule& rule : compiled_.policy.rules) {
      if (rule.effect != ir::Effect::never) continue;
      const Proof proof = prover_.never(rule.clauses);
      report(proof, Code::ND4003, rule.span, fmt::format("`never.{}` does not hold", rule.id),
             fmt::format("`never.{}`", rule.id));
    }
    for (const ir::Limit& limit : compiled_.policy.limits) within(limit);
  }

  void idle_rules() {
    for (const answer::Idle& idle : answer::idle_rules(compiled_.policy, sources_)) {
      const ir::Rule& rule = compiled_.policy.rules[idle.rule];
      const auto add = [&](Code code, const char* what) -> Diagnostic& {
        auto& d = diagnostics_.add(code, rule.span, fmt::format("`{}` {}", rule.id, what));
        if (idle.other) label_other(d, *idle.other);
        return d;
      };
      switch (idle.why) {
        case answer::Idle::Why::empty: add(Code::ND3010, "matches no request"); break;
        case answer::Idle::Why::taken_back:
          add(Code::ND3011, "opens nothing: denies take all of it back");
          break;
        case answer::Idle::Why::redundant:
          add(Code::ND3012, "opens nothing that other rules do not open already");
          break;
      }
    }
  }

  void expectations() {
    for (const ir::Expectation& expectation : compiled_.policy.expectations) {
      const Proof proof = expectation.allow ? prover_.always(expectation.clauses)
                                            : prover_.nowhere(expectation.clauses);
      const std::string_view verdict = expectation.allow ? "allow" : "deny";
      if (report(proof, Code::ND4004, expectation.span, fmt::format("expected {}", verdict),
                 "this expectation") ||
          expectation.by.empty()) {
        continue;
      }
      const std::string by = full_label(expectation);
      if (by.empty()) continue;
      report(prover_.decided_by(expectation.clauses, expectation.allow, by), Code::ND4004,
             expectation.span,
             by == "default" ? "expected no rule to match, but one does"
                             : fmt::format("expected `{}` to decide, but it does not match", by),
             "this expectation");
    }
  }

 private:
  void label_other(Diagnostic& d, const std::string& label) {
    for (const ir::Rule& rule : compiled_.policy.rules) {
      if (rule_key(rule) == label) d.labels.push_back({rule.span, "this rule decides"});
    }
  }

  /// The label of the rule that `by` names; empty after an error.
  std::string full_label(const ir::Expectation& expectation) {
    if (expectation.by == "default") return expectation.by;
    const std::string& set = compiled_.policy.units[expectation.unit].set;
    for (const std::string& label : {expectation.by, set + "/" + expectation.by}) {
      if (label == "nd7/seal" || label == "nd7/protect" || label == "nd7/exit") return label;
      for (const ir::Rule& rule : compiled_.policy.rules) {
        if (rule_key(rule) == label) return label;
      }
    }
    diagnostics_
        .add(Code::ND2006, expectation.span, fmt::format("no rule is called `{}`", expectation.by))
        .helps.emplace_back("name a rule of this file by its id, others as `set/id`");
    return {};
  }

  void within(const ir::Limit& limit) {
    const auto place = limit_path(sources_, limit);
    if (!place) {
      diagnostics_.add(Code::ND2030, limit.span,
                       fmt::format("`{}` is relative to a file that has no folder", limit.file));
      return;
    }
    const std::string& path = *place;
    auto read = files_.read(path);
    if (const auto* error = std::get_if<FileError>(&read)) {
      diagnostics_.add(Code::ND2030, limit.span,
                       fmt::format("`{}` cannot be read: {}", path, error->reason));
      return;
    }
    auto& text = std::get<FileText>(read);
    const FileId id = sources_.add(limit.file, std::move(text.path), std::move(text.text));
    CompileOptions options = options_;
    options.profile = laws::Profile::floor;
    options.grants.clear();
    options.size_budget = SIZE_MAX;
    // -D names parameters of the file at hand; the limit gets the places only.
    std::erase_if(options.check.bindings, [](const auto& binding) {
      return binding.first != "HOME" && binding.first != "PROJ" && binding.first != "TMP";
    });
    std::optional<ir::Policy> limiting;
    if (options.check.target == ir::Target::linux) {
      // What Linux loses of a limit is no matter: the limit is what its rules say.
      auto analysed = analyse(sources_, files_, id, options, diagnostics_);
      if (analysed) limiting = std::move(analysed->policy);
    } else {
      auto compiled = compile(sources_, files_, id, options, diagnostics_);
      if (compiled) limiting = std::move(compiled->policy);
    }
    if (!limiting) return;
    report(prover_.within(*limiting), Code::ND4005, limit.span,
           fmt::format("this file opens more than `{}`", limit.file), "`within`");
  }

  /// True if something was reported.
  bool report(const Proof& proof, Code code, Span span, const std::string& message,
              const std::string& claim) {
    if (!proof.bug.empty()) {
      compiled_.bugs.push_back("the profile cannot be read back: " + proof.bug);
      return true;
    }
    if (!proof.failure) return false;
    const Failure& failure = *proof.failure;
    if (failure.undecided) {
      auto& d = diagnostics_.add(Code::ND4006, span,
                                 fmt::format("{} was neither proved nor refuted", claim));
      d.notes.push_back(
          fmt::format("the question about `{}` outgrew its bound", seatbelt::name(failure.op)));
      return true;
    }
    std::string text = message;
    if (code == Code::ND4004) {
      text += fmt::format(": `{} {}` is answered {}", seatbelt::name(failure.op), failure.subject,
                          to_string(failure.level));
    }
    auto& d = diagnostics_.add(code, span, std::move(text));
    d.notes.push_back(fmt::format("witness: `{} {}` is answered {} by {}",
                                  seatbelt::name(failure.op), failure.subject,
                                  to_string(failure.level), decided(failure)));
    d.notes.push_back(fmt::format("in the {} profile, with {} ({})", profile_name(failure.profile),
                                  failure.placement.meaning, placement_text(failure.placement)));
    return true;
  }

  SourceMap& sources_;
  const Files& files_;
  Compiled& compiled_;
  const CompileOptions& options_;
  Diagnostics& diagnostics_;
  answer::Prover prover_;
};

}  // namespace

std::optional<std::string> limit_path(const SourceMap& sources, const ir::Limit& limit) {
  if (limit.file.rfind('/', 0) == 0) return limit.file;
  const std::string& from = sources.file(limit.span.file).path();
  const std::size_t slash = from.rfind('/');
  if (slash == std::string::npos) return std::nullopt;
  return from.substr(0, slash + 1) + limit.file;
}

void prove(SourceMap& sources, const Files& files, Compiled& compiled,
           const CompileOptions& options, Claims claims, Diagnostics& diagnostics) {
  Claimant claimant{sources, files, compiled, options, diagnostics};
  claimant.invariants();
  if (claims != Claims::all) return;
  claimant.expectations();
  claimant.idle_rules();
}

}  // namespace nd7
