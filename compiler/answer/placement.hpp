// Where HOME, PROJ, TMP and nd7-exec may lie relative to each other: the placements for which an
// invariant is proved when they are not bound.
//
// One representative stands for each arrangement that the rules of a policy can tell apart by their
// fixed names: the project beside, below, deep below, at the home directory, or elsewhere; the
// temporary directory elsewhere, in the home, in the project; and the project at each directory
// that a rule names below the home or the root. Every other open parameter has a place of its own,
// or is at one of those directories; an optional one may be unset as well.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/policy.hpp"

namespace nd7::answer {

struct Placement {
  std::string home;
  std::string project;
  std::string tmp;
  std::string exit;
  std::string meaning;  ///< "the project is the home directory"
  /// Of other open parameters, by key; those in neither have a path of their own.
  std::map<std::string, std::string> values;
  std::set<std::string> unset;  ///< EXIT, or optional

  /// The same places and parameters, whatever they mean.
  [[nodiscard]] bool same_as(const Placement& other) const;
};

inline constexpr std::size_t kStandardPlacements = 6;  ///< at most; they come first
inline constexpr std::size_t kMaxNamedPlaces = 24;

/// Optional parameters of which every combination is looked at, at the first placement.
inline constexpr std::size_t kMaxOptional = 6;

/// Bound parameters keep their value; with all bound there is one placement. At the first one,
/// optional parameters are unset in every combination, elsewhere all together.
[[nodiscard]] std::vector<Placement> placements(const ir::Policy& policy);

/// Those of no rules at all, with the places that are in `bound`.
[[nodiscard]] std::vector<Placement> places_without_rules(
    const std::map<std::string, std::string>& bound);

/// The one that explanations use when nothing is bound.
[[nodiscard]] Placement example_placement(const ir::Policy& policy);

/// Binds the parameters of `policy`: the places, and a path of its own to every other open one.
/// What is unset stays open.
void place(ir::Policy& policy, const Placement& placement);

/// The path that the open parameter `key` has at `placement`; nullopt if it is unset.
[[nodiscard]] std::optional<std::string> value_at(const Placement& placement, std::string_view key);

/// `placement` with the parameters `keys` unset, or with `key` at `value`.
[[nodiscard]] Placement without(Placement placement, const std::vector<std::string>& keys);
[[nodiscard]] Placement with_value(Placement placement, const std::string& key,
                                   const std::string& value);

/// "HOME=/Users/me PROJ=... TMP=...", and parameters that do not have a path of their own.
[[nodiscard]] std::string placement_text(const Placement& placement);

}  // namespace nd7::answer
