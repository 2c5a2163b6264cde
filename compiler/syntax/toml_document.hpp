// A TOML text as a tree of values with exact byte spans, read through the gate. The one place that
// knows toml++; nothing of it leaves this interface.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/source_map.hpp"

namespace nd7 {

struct TomlEntry;

struct TomlValue {
  enum class Kind : std::uint8_t { string, integer, floating, boolean, date_time, array, table };
  /// How a string was written. Only literal forms keep byte positions inside the text.
  enum class StringForm : std::uint8_t { basic, literal, multiline_basic, multiline_literal };

  Kind kind = Kind::table;
  /// The value as written, quotes and brackets included; for `[header]` tables, the header; for an
  /// array of tables, its first header; for a table that only dotted keys name, its first key
  /// segment; for the root table, the whole text.
  Span span;
  std::string text;                     ///< string: decoded UTF-8, line ends as LF; may hold NUL
                                        ///< and control characters that the source escaped
  StringForm form = StringForm::basic;  ///< string
  std::uint32_t content_begin = 0;      ///< string: first byte of the content in the file
  std::int64_t integer = 0;             ///< integer
  bool boolean = false;                 ///< boolean
  std::vector<TomlValue> items;         ///< array
  std::vector<TomlEntry> entries;       ///< table, in document order
  bool header = false;                  ///< table written as `[name]` or `[[name]]`, or implied by
                                        ///< a longer header

  [[nodiscard]] const TomlEntry* find(std::string_view key) const;
};

struct TomlEntry {
  std::string key;  ///< one segment, decoded
  Span key_span;    ///< that segment as written
  TomlValue value;
};

/// "string", "integer", … with article-free names for messages.
[[nodiscard]] std::string_view to_string(TomlValue::Kind kind);

/// The root table, or nullopt after at least one error (ND1001–ND1007) was added. Accepts any UTF-8
/// text that is TOML 1.0 within the limits of the gate; never crashes, whatever the bytes are.
[[nodiscard]] std::optional<TomlValue> read_toml(const SourceMap& sources, FileId file,
                                                 Diagnostics& diagnostics);

}  // namespace nd7
