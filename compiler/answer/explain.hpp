// Why a request is answered as it is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/answer/view.hpp"

namespace nd7::answer {

/// A rule that matches a request.
struct Matching {
  bool allow = false;
  Origin origin;
};

struct Explanation {
  seatbelt::read::Verdict verdict = seatbelt::read::Verdict::unknown;
  bool unconfined = false;
  std::optional<Origin> by;        ///< the rule that decides; none: the default, or only the import
  std::vector<Matching> matching;  ///< every rule that matches, denies first
  std::optional<Origin> runner_up;  ///< what would decide if `by` were not there
  /// With `unknown`: filters on what the request leaves open; none: only the import could decide.
  std::vector<std::string> depends_on;
  std::string change;  ///< what would change the verdict, in one or more lines
};

/// `view` decides; `complete` (Style::complete) tells which rules match. Both are of one policy at
/// one placement.
[[nodiscard]] Explanation explain(View& view, View& complete,
                                  const seatbelt::read::Request& request,
                                  const Placement& placement);

}  // namespace nd7::answer
