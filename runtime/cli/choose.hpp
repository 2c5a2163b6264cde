// The sessions of this user, and the one that a command is about.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string_view>

#include "runtime/session/store.hpp"

namespace nd7::runtime::cli {

/// nullopt, after a message.
[[nodiscard]] std::optional<Store> open_store(std::string_view command);

/// The session asked for, or the only one that runs. nullopt, after a message.
[[nodiscard]] std::optional<pid_t> choose_session(const Store& store, std::optional<pid_t> asked,
                                                  std::string_view command);

}  // namespace nd7::runtime::cli
