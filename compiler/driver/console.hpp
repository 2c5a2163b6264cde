// Standard output and error: who is there, and writing so that nothing is lost silently.
#pragma once

#include <string>
#include <string_view>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/diagnostics/render.hpp"
#include "compiler/source/source_map.hpp"

namespace nd7::driver {

enum class ColorMode { automatic, always, never };

/// How diagnostics are shown.
struct ConsoleOptions {
  Format format = Format::human;
  ColorMode color = ColorMode::automatic;
};

/// Writes all of `text`; false if the descriptor does not take it (closed, full).
[[nodiscard]] bool write_all(int descriptor, std::string_view text);

/// Renders to standard error; JSON goes to standard output, which then holds nothing else.
/// False if it could not be written.
[[nodiscard]] bool show(const Diagnostics& diagnostics, const SourceMap& sources,
                        const ConsoleOptions& options);

/// The exit code for diagnostics with errors: kUndecided if all of them are claims without an
/// answer.
[[nodiscard]] int error_code(const Diagnostics& diagnostics);

/// True if standard error is a terminal that wants colour.
[[nodiscard]] bool wants_color(ColorMode mode, int descriptor);

}  // namespace nd7::driver
