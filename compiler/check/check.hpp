// From composed rules files to the policy IR: names resolved, types checked, edits applied.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "compiler/check/compose.hpp"
#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/ir/policy.hpp"

namespace nd7 {

struct CheckOptions {
  ir::Target target = ir::Target::seatbelt;
  /// Narrows the operations to those of one release; without it, every supported release counts.
  std::optional<seatbelt::Release> release;
  /// `-D`: HOME, PROJ, TMP, "set.param", or "param" where one set only declares it.
  std::map<std::string, std::string> bindings;
  /// Path of `nd7-exec`; unset leaves the parameter EXIT open.
  std::optional<std::string> exit;
};

/// nullopt after errors.
[[nodiscard]] std::optional<ir::Policy> check(const Composition& composition,
                                              const CheckOptions& options,
                                              Diagnostics& diagnostics);

/// What a target may fail to keep, by the name that `[accept]` uses.
struct Loss {
  std::string_view name;
  bool widening;  ///< a deny not kept, or an allow made wider; else an allow not given
  std::string_view meaning;
};
[[nodiscard]] std::span<const Loss> losses();

}  // namespace nd7
