// Verdicts as the law orders them: deny < allow < allow-unconfined.
#pragma once

#include <cstdint>
#include <string_view>

namespace nd7::answer {

enum class Level : std::uint8_t { deny, allow, unconfined };

[[nodiscard]] constexpr std::string_view to_string(Level level) {
  switch (level) {
    case Level::deny: return "deny";
    case Level::allow: return "allow";
    case Level::unconfined: return "allow-unconfined";
  }
  return {};
}

}  // namespace nd7::answer
