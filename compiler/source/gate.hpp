// What a text must be before any parser sees it.
#pragma once

#include <cstddef>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/source_map.hpp"

namespace nd7 {

inline constexpr std::size_t kMaxFileBytes = std::size_t{32}
                                             << 20U;  ///< what the loader reads at all
inline constexpr std::size_t kMaxSourceBytes = std::size_t{1} << 20U;  ///< a rules file or profile
inline constexpr std::size_t kMaxNesting = 64;      ///< brackets outside strings; before one, a
                                                    ///< key's segments beyond the first
inline constexpr std::size_t kMaxKeySegments = 32;  ///< dotted segments of one key
inline constexpr std::size_t kMaxGateErrors = 20;   ///< reported of one file

/// Refuses, with a code and a place: more than `max_bytes`, invalid UTF-8 (overlong forms and
/// surrogates included), NUL and control characters other than tab, LF and CR before LF, DEL, C1
/// controls, and bidirectional controls (U+061C, U+200E, U+200F, U+202A–U+202E, U+2066–U+2069).
/// A byte order mark at the start passes. True if nothing was refused.
[[nodiscard]] bool gate_text(const SourceMap& sources, FileId file, Diagnostics& diagnostics,
                             std::size_t max_bytes = kMaxSourceBytes);

/// TOML's own limits: nesting outside strings and comments, segments of a key. Call after
/// gate_text.
[[nodiscard]] bool gate_toml(const SourceMap& sources, FileId file, Diagnostics& diagnostics);

}  // namespace nd7
