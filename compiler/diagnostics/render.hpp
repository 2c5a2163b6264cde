// Diagnostics as text for people, logs and tools. Sinks never decide severity or order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/source_map.hpp"

namespace nd7 {

enum class Format : std::uint8_t { human, plain, compact, json };
[[nodiscard]] std::optional<Format> parse_format(std::string_view name);

struct RenderOptions {
  Format format = Format::human;
  bool color = false;       ///< human only
  std::size_t width = 100;  ///< display columns that a source line may take, human only
  std::size_t limit = 50;   ///< diagnostics shown; the rest is counted ("and 12 more")
};

/// All of `diagnostics`, sorted, in the given format; ends with a newline unless empty. JSON is one
/// object (documented in docs/diagnostics.md), printed even when there is nothing to say.
[[nodiscard]] std::string render(const Diagnostics& diagnostics, const SourceMap& sources,
                                 const RenderOptions& options);

/// `text` with control characters, invalid UTF-8 and bidirectional controls as visible escapes
/// (`\x1b`, `\u{202e}`), so that hostile input cannot drive a terminal.
[[nodiscard]] std::string printable(std::string_view text);

/// `text` as a JSON string, quotes included; invalid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string json_string(std::string_view text);

}  // namespace nd7
