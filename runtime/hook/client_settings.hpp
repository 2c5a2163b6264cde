// The settings that a session of Claude Code gets, beside those that its user gave.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nd7::runtime::hook {

/// What the settings name: absolute paths, and the session's sign of life.
struct Installation {
  std::string nd7;
  std::string nd7_exec;
  /// A command that the client runs through nd7-exec as soon as its hooks are in force; empty for
  /// none.
  std::string canary;
};

struct MergedSettings {
  std::string json;                ///< one line; empty if they cannot be merged
  std::string refusal;             ///< why not
  std::vector<std::string> notes;  ///< what of the user's does not count, a line each
};

/// nd7's settings, or the user's with nd7's added: hooks beside hooks, single values over values.
/// `own` is the text of the user's settings.
[[nodiscard]] MergedSettings merge_settings(const Installation& installation,
                                            std::optional<std::string_view> own);

/// Whether a value of --settings is settings itself, and not the name of a file.
[[nodiscard]] bool is_inline_settings(std::string_view value);

}  // namespace nd7::runtime::hook
