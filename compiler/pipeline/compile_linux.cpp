#include "compiler/pipeline/compile_linux.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "compiler/linux/lower.hpp"
#include "compiler/linux/print.hpp"
#include "compiler/linux/read.hpp"

namespace nd7 {
namespace {

using linux_plan::Validation;

std::string_view meaning_of(std::string_view name) {
  for (const Loss& loss : losses()) {
    if (loss.name == name) return loss.meaning;
  }
  return {};
}

/// The index of the unit that a text is of; the number of units if it is of none.
std::size_t unit_of(const ir::Policy& policy, FileId file) {
  const auto at = std::find_if(policy.units.begin(), policy.units.end(),
                               [&](const ir::Unit& unit) { return unit.file == file; });
  return static_cast<std::size_t>(at - policy.units.begin());
}

/// A file accepts for its own rules, and for those of its bases and sets, which stand before it.
const ir::Acceptance* accepted(const ir::Policy& policy, const linux_plan::Loss& loss) {
  const std::size_t about = loss.span ? unit_of(policy, loss.span->file) : 0;
  const auto at = std::find_if(
      policy.acceptances.begin(), policy.acceptances.end(), [&](const ir::Acceptance& acceptance) {
        return acceptance.loss == loss.name && unit_of(policy, acceptance.span.file) >= about;
      });
  return at == policy.acceptances.end() ? nullptr : &*at;
}

/// A widening is an error until it is accepted, and then a warning; a narrowing is one line until
/// it is accepted.
void report(const ir::Policy& policy, const linux_plan::Loss& loss, bool of_allow,
            Diagnostics& diagnostics) {
  const ir::Acceptance* const acceptance = accepted(policy, loss);
  if (!loss.widening) {
    if (acceptance != nullptr) return;
    auto& d = diagnostics.add(Code::ND5011, loss.span,
                              fmt::format("{} (`{}`): {}", loss.message, loss.name, loss.witness));
    d.helps.emplace_back(meaning_of(loss.name));
    return;
  }
  const Code code = of_allow ? Code::ND5002 : Code::ND5001;
  auto& d = diagnostics.add(acceptance != nullptr ? Code::ND5003 : code, loss.span, loss.message);
  d.notes.push_back(loss.witness);
  if (acceptance != nullptr) {
    d.labels.push_back({acceptance->span, "accepted here"});
    return;
  }
  d.helps.push_back(
      fmt::format("{}; if that is acceptable, write under `[accept]`: \"{}\" = \"the reason\"",
                  meaning_of(loss.name), loss.name));
}

/// Of the compiled file alone: a base accepts for everything that is built on it.
void report_unused(const ir::Policy& policy, const std::vector<linux_plan::Loss>& found,
                   Diagnostics& diagnostics) {
  for (const ir::Acceptance& acceptance : policy.acceptances) {
    if (acceptance.loss.rfind("linux/", 0) != 0) continue;
    if (acceptance.span.file != policy.units.back().file) continue;
    const bool occurs = std::any_of(found.begin(), found.end(), [&](const linux_plan::Loss& loss) {
      return loss.name == acceptance.loss;
    });
    if (occurs) continue;
    diagnostics
        .add(Code::ND2046, acceptance.span,
             fmt::format("`{}` does not occur any more", acceptance.loss))
        .helps.emplace_back("remove the line, so that a new loss is noticed");
  }
}

/// Reads the text back, compares it with the rules and says what is lost.
void finish(CompiledLinux& compiled, laws::Profile profile, const SourceMap& sources,
            Diagnostics& diagnostics) {
  const std::string& text = compiled.text;
  if (text.size() > linux_plan::kMaxPlanBytes) {
    diagnostics.add(Code::ND9004, std::nullopt,
                    fmt::format("the plan takes {} bytes, more than a plan may", text.size()));
    return;
  }
  Validation validation =
      linux_plan::validate(compiled.policy, compiled.terms, profile, text, sources);
  switch (validation.outcome) {
    case Validation::Outcome::kept: break;
    case Validation::Outcome::different:
      compiled.bugs.push_back("the plan differs from the rules: " + validation.reason);
      return;
    case Validation::Outcome::unreadable:
      compiled.bugs.push_back("the plan cannot be read back: " + validation.reason);
      return;
    case Validation::Outcome::undecided:
      diagnostics
          .add(Code::ND4002, std::nullopt,
               fmt::format("the plan could not be compared with the rules: {}", validation.reason))
          .helps.emplace_back(
              "nothing is written; fewer or simpler conditions make the proof smaller");
      return;
  }
  compiled.losses = std::move(validation.losses);
  for (const linux_plan::Loss& loss : compiled.losses) {
    const bool of_allow =
        std::any_of(compiled.terms.begin(), compiled.terms.end(), [&](const laws::Term& term) {
          return term.label == loss.rule && term.role == laws::Role::allow;
        });
    report(compiled.policy, loss, of_allow, diagnostics);
  }
  report_unused(compiled.policy, compiled.losses, diagnostics);
  compiled.plan = std::move(*linux_plan::read(text).plan);
}

}  // namespace

std::optional<CompiledLinux> compile_linux(SourceMap& sources, const Files& files, FileId root,
                                           const CompileOptions& given, Diagnostics& diagnostics) {
  CompileOptions options = given;
  options.check.target = ir::Target::linux;
  options.check.release.reset();  // releases are macOS's
  const std::size_t errors = diagnostics.error_count();
  auto analysed = analyse(sources, files, root, options, diagnostics);
  if (!analysed || diagnostics.error_count() != errors) return std::nullopt;
  CompiledLinux result;
  result.policy = std::move(analysed->policy);
  result.terms = std::move(analysed->terms);
  result.protect = std::move(analysed->protect);
  result.bugs = std::move(analysed->bugs);
  result.text = linux_plan::print(linux_plan::lower(result.policy, result.terms, options.profile));
  finish(result, options.profile, sources, diagnostics);
  if (diagnostics.error_count() != errors) return std::nullopt;
  return result;
}

}  // namespace nd7
