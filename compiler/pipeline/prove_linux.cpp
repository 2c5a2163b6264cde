#include "compiler/pipeline/prove_linux.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "compiler/answer/invariants.hpp"
#include "compiler/answer/view.hpp"
#include "compiler/linux/model_text.hpp"
#include "compiler/linux/validate.hpp"
#include "compiler/linux/values.hpp"

namespace nd7 {
namespace {

/// A loss may open what a `never` promises to be closed, although the rules do not.
class PlanClaimant {
 public:
  PlanClaimant(const SourceMap& sources, CompiledLinux& compiled, Diagnostics& diagnostics)
      : sources_(sources), compiled_(compiled), diagnostics_(diagnostics) {}

  void run() {
    bool any = false;
    for (const ir::Rule& rule : compiled_.policy.rules) {
      any = any || rule.effect == ir::Effect::never;
    }
    if (!any) return;
    for (const answer::Placement& placement : linux_plan::placements_of(compiled_.policy)) {
      ir::Policy here = compiled_.policy;
      answer::place(here, placement);
      std::map<std::string, std::string> values;
      for (const ir::Param& param : here.params) {
        if (param.value) values[param.key] = *param.value;
      }
      std::string bug;
      auto model = linux_plan::model_side(linux_plan::with_values(compiled_.plan, values), bug);
      if (!model) {
        compiled_.bugs.push_back(bug);
        return;
      }
      for (const ir::Rule& rule : compiled_.policy.rules) {
        if (rule.effect == ir::Effect::never && !check(rule, placement, *model)) return;
      }
    }
  }

 private:
  /// False if there is nothing more to say.
  bool check(const ir::Rule& rule, const answer::Placement& placement, answer::Side& model) {
    std::string bug;
    auto subject =
        answer::view_of_clauses(compiled_.policy, rule.clauses, true, placement, sources_, bug);
    if (!subject) {
      compiled_.bugs.push_back(bug);
      return false;
    }
    for (const ir::Clause& clause : rule.clauses) {
      for (const seatbelt::Op named : clause.ops) {
        for (const seatbelt::Op op : seatbelt::family(named)) {
          if (!seatbelt::is_concrete(op)) continue;
          const answer::Found found = find(subject->side, model, op, answer::Relation::both);
          if (found.answer == decide::Answer::no) continue;
          if (found.answer == decide::Answer::undecided) {
            diagnostics_
                .add(Code::ND4006, rule.span,
                     fmt::format("`never.{}` was neither proved nor refuted", rule.id))
                .notes.push_back(
                    fmt::format("the question about `{}` outgrew its bound", seatbelt::name(op)));
            return false;
          }
          auto& d = diagnostics_.add(Code::ND4003, rule.span,
                                     fmt::format("`never.{}` does not hold", rule.id));
          d.notes.push_back(fmt::format("witness: `{} {}` is allowed by the Linux plan",
                                        seatbelt::name(op), answer::subject_text(found.request)));
          d.notes.push_back(
              fmt::format("with {} ({})", placement.meaning, placement_text(placement)));
          return false;
        }
      }
    }
    return true;
  }

  const SourceMap& sources_;
  CompiledLinux& compiled_;
  Diagnostics& diagnostics_;
};

}  // namespace

void prove_linux(SourceMap& sources, const Files& files, CompiledLinux& compiled,
                 const CompileOptions& given, Claims claims, Diagnostics& diagnostics) {
  CompileOptions options = given;
  options.check.target = ir::Target::linux;
  options.check.release.reset();
  const std::size_t errors = diagnostics.error_count();
  Compiled rules;
  rules.policy = compiled.policy;
  rules.protect = compiled.protect;
  prove(sources, files, rules, options, claims, diagnostics);
  compiled.bugs.insert(compiled.bugs.end(), rules.bugs.begin(), rules.bugs.end());
  if (diagnostics.error_count() != errors || !compiled.bugs.empty()) return;
  PlanClaimant{sources, compiled, diagnostics}.run();
}

}  // namespace nd7
