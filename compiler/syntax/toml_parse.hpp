// The wall around toml++: text in, values with byte spans or one failure out. Part of
// toml_document; nothing else includes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/syntax/toml_document.hpp"

namespace nd7 {

/// What toml++ had to say. The place is where it noticed, which is often after the culprit.
struct TomlFailure {
  std::string message;   ///< ASCII; quotes are `'`, without the introduction "Error while parsing"
  std::uint32_t at = 0;  ///< byte of the text
};

/// `text` is a whole file's text, or the beginning of one, that has passed the gate.
[[nodiscard]] std::optional<TomlValue> parse_toml(std::string_view text, FileId file,
                                                  TomlFailure& failure);

}  // namespace nd7
