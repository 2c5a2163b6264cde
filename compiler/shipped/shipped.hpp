// The rule sets that come with nd7. They are part of the program, so that what it confines cannot
// change them; the same files are installed for people to read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nd7 {

/// The text of a set, by name ("floor").
[[nodiscard]] std::optional<std::string_view> shipped_set(std::string_view name);
/// In alphabetical order.
[[nodiscard]] std::vector<std::string> shipped_set_names();

}  // namespace nd7
