// From a session's record to the plans that it runs under: compiled, compared with the rules, and
// checked against every invariant, on this machine's real paths.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/check/files.hpp"
#include "compiler/ir/policy.hpp"
#include "compiler/laws/terms.hpp"
#include "compiler/linux/plan.hpp"
#include "runtime/session/record.hpp"

namespace nd7::runtime {

struct Rendered {
  linux_plan::Plan plan;             ///< optional parameters gone, links resolved
  std::vector<ir::Param> params;     ///< of the policy, with what they are bound to
  std::vector<std::string> losses;   ///< what Linux does not keep, a line each
  std::vector<std::string> protect;  ///< every file that was protected
};

struct RenderResult {
  std::optional<Rendered> rendered;
  std::string report;  ///< diagnostics for a person, lines; warnings too
};

/// `record.sources` hold what `files` would read; a path that they lack is read from `files`, if it
/// is given, and added.
[[nodiscard]] RenderResult render(Record& record, laws::Profile profile, const Files* files);

/// Takes out what a parameter without a value stands for, if it may be without one. Parameters are
/// left only if one needs a value: such a plan cannot be applied.
void remove_unset(linux_plan::Plan& plan);

/// Trees through symbolic links become those that the links lead to; what closes keeps its first
/// path as well. A link that lies where the plan itself lets the session write leads nowhere.
void resolve_links(linux_plan::Plan& plan);

}  // namespace nd7::runtime
