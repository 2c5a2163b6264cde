// The claims of a policy, proved for its Linux plan.
#pragma once

#include "compiler/pipeline/compile_linux.hpp"
#include "compiler/pipeline/prove.hpp"

namespace nd7 {

/// As prove(): first about the rules, then, for `never`, about what the plan allows with all that
/// is lost. Adds ND4003 to ND4006, and ND3010 to ND3012 for Claims::all.
void prove_linux(SourceMap& sources, const Files& files, CompiledLinux& compiled,
                 const CompileOptions& options, Claims claims, Diagnostics& diagnostics);

}  // namespace nd7
