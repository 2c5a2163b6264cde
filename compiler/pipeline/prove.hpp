// The claims of a policy, proved: `[never.*]`, `within`, `[[expect]]`.
#pragma once

#include <cstdint>

#include "compiler/pipeline/compile.hpp"

namespace nd7 {

/// Where the file that `within` names is; nullopt if it is relative to a text that has no folder.
[[nodiscard]] std::optional<std::string> limit_path(const SourceMap& sources,
                                                    const ir::Limit& limit);

enum class Claims : std::uint8_t {
  invariants,  ///< never and within: what a build proves
  all,         ///< expectations, and rules without effect, too: what a check proves
};

/// Adds ND4003–ND4006, and ND3010–ND3012 for rules that change nothing. A text of nd7c that its
/// own reader refuses goes to `compiled.bugs`.
void prove(SourceMap& sources, const Files& files, Compiled& compiled,
           const CompileOptions& options, Claims claims, Diagnostics& diagnostics);

}  // namespace nd7
