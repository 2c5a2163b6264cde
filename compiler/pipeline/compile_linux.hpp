// The whole way from a rules file to a Linux plan, for every program that compiles.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/linux/plan.hpp"
#include "compiler/linux/validate.hpp"
#include "compiler/pipeline/compile.hpp"

namespace nd7 {

struct CompiledLinux {
  ir::Policy policy;
  std::vector<laws::Term> terms;
  linux_plan::Plan plan;                 ///< as it was read back from `text`
  std::string text;                      ///< the plan as JSON
  std::vector<linux_plan::Loss> losses;  ///< all of them, accepted or not
  std::vector<std::string> protect;      ///< what was protected beside the exit
  /// Broken invariants of nd7c itself; the output must not be used.
  std::vector<std::string> bugs;
};

/// Compiles `root`, which is in `sources`, for Linux (whatever `options.check.target` says) and
/// compares the printed plan with the rules. nullopt after errors: those of the rules, losses that
/// widen and that no `[accept]` names, ND4002. A plan that differs otherwise is in `bugs`.
/// `never`, `within` and `expect` are not proved: see prove_linux().
[[nodiscard]] std::optional<CompiledLinux> compile_linux(SourceMap& sources, const Files& files,
                                                         FileId root, const CompileOptions& options,
                                                         Diagnostics& diagnostics);

}  // namespace nd7
