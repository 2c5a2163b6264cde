// Path values: `~/x`, `literal:/x`, `glob:…`, `name:…`, `regex:…`, as filter atoms.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/check/names.hpp"
#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/ir/policy.hpp"

namespace nd7 {

/// How a path is meant when no pattern name stands in front of it.
enum class PathForm : std::uint8_t { subpath, literal, prefix, glob, regex, name, ancestors };

struct PathAtom {
  ir::Atom atom;
  bool directory = false;  ///< a plain path with a trailing slash
  std::string name;        ///< `name:`: the pattern
};

/// Parses a value of a path verb: an optional pattern name, then the path.
[[nodiscard]] std::optional<PathAtom> parse_path_value(const Expanded& value, ir::Target target,
                                                       Diagnostics& diagnostics);

/// Parses `text` in the form that a filter of an expression gives it: `subpath("…")`.
[[nodiscard]] std::optional<PathAtom> parse_path(const Expanded& value, PathForm form,
                                                 ir::Target target, Diagnostics& diagnostics);

/// The physical form of an absolute path on the target: macOS keeps /tmp, /var and /etc below
/// /private and shows /System/Volumes/Data by its firmlinks.
[[nodiscard]] std::string physical_alias(std::string_view path, ir::Target target);

/// True if `path` is `root` or lies below it, as the target's usual volume compares names: on macOS
/// in any case of ASCII letters.
[[nodiscard]] bool is_at_or_below(std::string_view path, std::string_view root, ir::Target target);

/// True if `text` holds NUL outside holes, or another control character.
[[nodiscard]] bool has_control_character(std::string_view text);

}  // namespace nd7
