#include "compiler/syntax/toml_document.hpp"

#include <algorithm>

#include "compiler/source/gate.hpp"
#include "compiler/syntax/toml_failure.hpp"
#include "compiler/syntax/toml_parse.hpp"

namespace nd7 {

const TomlEntry* TomlValue::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const TomlEntry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

std::string_view to_string(TomlValue::Kind kind) {
  switch (kind) {
    case TomlValue::Kind::string: return "string";
    case TomlValue::Kind::integer: return "integer";
    case TomlValue::Kind::floating: return "float";
    case TomlValue::Kind::boolean: return "boolean";
    case TomlValue::Kind::date_time: return "date or time";
    case TomlValue::Kind::array: return "array";
    case TomlValue::Kind::table: return "table";
  }
  return "value";
}

std::optional<TomlValue> read_toml(const SourceMap& sources, FileId file,
                                   Diagnostics& diagnostics) {
  if (!gate_text(sources, file, diagnostics)) return std::nullopt;
  if (!gate_toml(sources, file, diagnostics)) return std::nullopt;
  const std::string_view text = sources.file(file).text();
  TomlFailure failure;
  std::optional<TomlValue> result = parse_toml(text, file, failure);
  if (!result) explain_toml_failure(text, file, failure, diagnostics);
  return result;
}

}  // namespace nd7
