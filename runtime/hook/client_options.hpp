// The options of Claude Code, as far as it takes to tell an option from the value of another one.
#pragma once

#include <cstdint>
#include <string_view>

namespace nd7::runtime::hook {

enum class Takes : std::uint8_t {
  nothing,
  one,      ///< the next word, whatever it is
  several,  ///< the next word, and more up to the next option
  maybe,    ///< the next word, unless it is an option
};

/// What follows the option `word`. One that is not known takes nothing: then a word that looks like
/// an option counts as one.
[[nodiscard]] Takes what_follows(std::string_view word);

/// A command of the client that starts no conversation.
[[nodiscard]] bool is_management(std::string_view word);

/// A command about conversations that run below the client's daemon, outside of every session.
[[nodiscard]] bool is_background(std::string_view word);

}  // namespace nd7::runtime::hook
