// Does a plan's text say what the terms of the law say? What it cannot say is a named loss.
//
// The text is read back, and for every placement of the parameters that are open the model of the
// plan is searched for requests on which it differs from the terms. A difference that the form of a
// rule explains (a pattern, a part of an access, the name of a host) is a loss, and is looked past;
// any other is a bug of nd7. Terms that only keep denied files in their place (Role::kept, and what
// protects directories above) are not compared: a carve stays in its place by itself.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/answer/placement.hpp"
#include "compiler/ir/policy.hpp"
#include "compiler/laws/terms.hpp"

namespace nd7::linux_plan {

/// Something that Linux does not keep as the rules say it.
struct Loss {
  std::string_view name;  ///< of check/losses: "linux/patterns"
  bool widening = false;
  std::string rule;          ///< "floor/credentials"
  std::optional<Span> span;  ///< of the rule
  std::string message;       ///< "`team/dotenv` is not kept on Linux: …"
  std::string witness;       ///< a request that shows it, and both answers
};

struct Validation {
  enum class Outcome : std::uint8_t {
    kept,        ///< the plan says what the rules say, outside `losses`
    different,   ///< a bug: see `reason`
    unreadable,  ///< a bug: the reader refuses the text
    undecided,
  };
  Outcome outcome = Outcome::undecided;
  std::vector<Loss> losses;  ///< once a loss and rule, in the order of the rules
  std::string reason;
  std::size_t comparisons = 0;  ///< placements × operations × directions
};

/// Where plans are judged: answer::placements, as Linux names such places.
[[nodiscard]] std::vector<answer::Placement> placements_of(const ir::Policy& policy);

[[nodiscard]] Validation validate(const ir::Policy& policy, const std::vector<laws::Term>& terms,
                                  laws::Profile profile, const std::string& text,
                                  const SourceMap& sources);

}  // namespace nd7::linux_plan
