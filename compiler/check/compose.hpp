// The files that take part: `extends`, `use` and `within`, followed and put in order.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/check/files.hpp"
#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/ir/policy.hpp"
#include "compiler/source/source_map.hpp"
#include "compiler/syntax/rules_file.hpp"

namespace nd7 {

inline constexpr std::size_t kMaxUnits = 256;
inline constexpr std::size_t kMaxChain = 32;

/// One file, with what it was given.
struct LoadedUnit {
  RulesFile file;
  ir::Unit unit;
  bool shipped = false;
  std::string folder;  ///< physical folder of the file; empty if it has none
  /// Parameter name to value, from `use`.
  std::map<std::string, StringNode> arguments;
};

struct Composition {
  std::vector<LoadedUnit> units;  ///< bases and sets before what names them; the root is last
};

/// Loads all that `root` names. nullopt after errors (ND1xxx, ND2xxx).
[[nodiscard]] std::optional<Composition> compose(SourceMap& sources, const Files& files,
                                                 FileId root, Diagnostics& diagnostics);

}  // namespace nd7
