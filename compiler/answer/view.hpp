// Policies made ready for questions: compiled at one placement and read back from their own text.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/answer/placement.hpp"
#include "compiler/answer/search.hpp"
#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/laws/terms.hpp"
#include "compiler/seatbelt/lower/profile.hpp"
#include "compiler/source/source_map.hpp"

namespace nd7::answer {

struct ViewOptions {
  laws::Profile profile = laws::Profile::floor;
  std::optional<seatbelt::Release> release;
  std::vector<std::string> grants;
  std::vector<std::string> protect;
  seatbelt::read::Model model;
  bool complete = false;  ///< every rule in full (seatbelt::Style::complete)
};

/// A rule of the text and where it came from.
struct Origin {
  std::string label;  ///< "floor/credentials", "nd7/seal", "grant /data"
  std::string place;  ///< "floor.toml:23"; empty for the compiler's own
  laws::Role role = laws::Role::allow;
};

struct View {
  Side side;
  /// By rule of side.base(): nothing for `(deny default)` and imports.
  std::vector<std::optional<Origin>> origins;
  std::string text;
};

/// `policy` (a copy, since placing binds it) at `placement`. A text that the reader refuses is a
/// bug: `bug` says why.
[[nodiscard]] std::optional<View> view_of(ir::Policy policy, const Placement& placement,
                                          const SourceMap& sources, const ViewOptions& options,
                                          std::string& bug);

/// A policy that allows exactly `clauses`: what an invariant or expectation is about. In a denying
/// position (`never`) names count in every ASCII case.
[[nodiscard]] std::optional<View> view_of_clauses(ir::Policy policy,
                                                  const std::vector<ir::Clause>& clauses,
                                                  bool denying, const Placement& placement,
                                                  const SourceMap& sources, std::string& bug);

/// The same of a policy that is placed already. Conditions may be added to it.
[[nodiscard]] std::optional<View> view_of_clauses(ir::Policy& placed,
                                                  const std::vector<ir::Clause>& clauses,
                                                  bool denying, const SourceMap& sources,
                                                  std::string& bug);

/// Places `policy`, and derives its terms. Conditions may be added to it.
[[nodiscard]] std::vector<laws::Term> placed_terms(ir::Policy& policy, const Placement& placement,
                                                   const ViewOptions& options);

/// A policy that allows exactly what `terms` of the placed `policy` match, whatever their role.
[[nodiscard]] std::optional<View> view_of_terms(ir::Policy& policy, std::vector<laws::Term> terms,
                                                const SourceMap& sources, std::string& bug);

/// A policy that allows exactly what the terms picked by `picks` match, whatever their role.
[[nodiscard]] std::optional<View> view_of_matches(
    ir::Policy policy, const ViewOptions& options,
    const std::function<bool(const laws::Term&)>& picks, const Placement& placement,
    const SourceMap& sources, std::string& bug);

}  // namespace nd7::answer
