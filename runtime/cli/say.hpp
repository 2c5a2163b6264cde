// What nd7 tells the person at the terminal: one line, safe to show, on standard error.
#pragma once

#include <string>
#include <string_view>

namespace nd7::runtime::cli {

/// "nd7 COMMAND: TEXT". Hostile bytes are shown as escapes.
void say(std::string_view command, std::string_view text);

/// To standard output as it is; false if it does not take it.
[[nodiscard]] bool print(std::string_view text);
/// To standard error as it is: what was made printable already.
void report(std::string_view text);

}  // namespace nd7::runtime::cli
