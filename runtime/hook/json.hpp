// JSON from elsewhere: bounded before it costs anything, keys in their order, none twice.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace nd7::runtime::hook {

using Json = nlohmann::ordered_json;

inline constexpr std::size_t kMaxJsonBytes = std::size_t{16} << 20U;
inline constexpr int kMaxJsonDepth = 64;

/// nullopt, and why: no JSON, nested too deeply, a key that stands twice (readers disagree on which
/// counts), or too large.
[[nodiscard]] std::optional<Json> read_json(std::string_view text, std::string& why);

/// One line. Bytes that are no UTF-8 cannot have been read.
[[nodiscard]] std::string write_json(const Json& json);

}  // namespace nd7::runtime::hook
