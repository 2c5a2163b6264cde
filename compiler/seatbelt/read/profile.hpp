// Reads the text of a Seatbelt profile, any profile, as libsandbox would: evaluates the program and
// keeps the rules that it makes. What libsandbox refuses to load is refused, with a reason and a
// place.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/seatbelt/read/limits.hpp"
#include "compiler/seatbelt/read/rule_base.hpp"
#include "compiler/source/source_map.hpp"

namespace nd7::seatbelt::read {

/// What `(param "NAME")` answers. A name that is not listed is unset.
struct Parameter {
  enum class Kind : std::uint8_t {
    unset,   ///< `#f`
    bound,   ///< `value`
    opaque,  ///< set, to a value that nobody knows yet: a hole in every text made of it
  };
  std::string name;
  Kind kind = Kind::unset;
  std::string value;
};

struct ReadOptions {
  /// Accept a profile without `(version 1)`: a part that its owner puts after a header.
  bool fragment = false;
  /// Operations that this release lacks are unknown; none: known is what any release knows.
  std::optional<Release> release;
  /// Holes of texts are indices into this vector; at most kMaxHoles of them can be opaque.
  std::vector<Parameter> parameters;
  Limits limits;
  /// Receives the names that the profile asks for, before an error too; may be null.
  std::set<std::string>* asked = nullptr;
};

/// The texts are evaluated in order, as one profile. nullopt after an error (ND60xx) was added; the
/// first error ends the reading. Notes and warnings (ND612x) come either way.
///
/// A condition on an opaque parameter takes the branch for a parameter that is set; whoever cares
/// about the other branch reads once more with the parameter unset. Anything else that looks into
/// an opaque text is ND6019.
[[nodiscard]] std::optional<RuleBase> read_profile(const SourceMap& sources,
                                                   std::span<const FileId> files,
                                                   const ReadOptions& options,
                                                   Diagnostics& diagnostics);

}  // namespace nd7::seatbelt::read
