// "A component called this, but not one called that", as one regular expression. Two expressions
// under `and not` would not do: a directory can be moved below one with the excepted name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nd7::pattern {

/// Matches every path with a component that the `name:` pattern `name` matches and that is none of
/// `exceptions`; nullopt where that has no expression here: `name` must be without wildcards or
/// have one `*`, at its beginning or end, and every exception must be a plain name that `name`
/// matches. An empty string: nothing is left. With `any_case`, an exception holds in any ASCII
/// case.
[[nodiscard]] std::optional<std::string> name_without(std::string_view name,
                                                      const std::vector<std::string>& exceptions,
                                                      bool any_case);

}  // namespace nd7::pattern
