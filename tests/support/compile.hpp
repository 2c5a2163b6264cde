// Compiling rules from memory, for tests.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/pipeline/compile.hpp"

namespace nd7::test {

struct Compilation {
  SourceMap sources;
  Diagnostics diagnostics;
  std::optional<Compiled> result;

  /// "ND2003 1:5: message" of everything, one a line.
  [[nodiscard]] std::string log() const;
};

/// Compiles `text` as the file /rules/root.toml; `files` may hold others, below /rules.
[[nodiscard]] Compilation compile_text(std::string_view text, CompileOptions options = {},
                                       MemoryFiles files = {});

/// A profile of the shipped floor.
[[nodiscard]] Compilation compile_floor(CompileOptions options = {});

/// The options that bind a machine's places as the tests know them: HOME=/Users/dev,
/// PROJ=/Users/dev/project, TMP=/private/var/folders/ab/cd/T, exit /usr/local/bin/nd7-exec.
[[nodiscard]] CompileOptions bound_options(laws::Profile profile = laws::Profile::floor);

}  // namespace nd7::test
