// Says what is wrong in a text that toml++ refused: finds the culprit and the way out. Part of
// toml_document; nothing else includes it.
#pragma once

#include <string_view>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/source_map.hpp"
#include "compiler/syntax/toml_parse.hpp"

namespace nd7 {

/// Adds exactly one ND1007. `text` is the file's text, which parse_toml() refused with `failure`.
void explain_toml_failure(std::string_view text, FileId file, const TomlFailure& failure,
                          Diagnostics& diagnostics);

}  // namespace nd7
