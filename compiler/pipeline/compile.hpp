// The whole way from a rules file to a profile, for every program that compiles.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "compiler/check/check.hpp"
#include "compiler/check/files.hpp"
#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/laws/terms.hpp"
#include "compiler/seatbelt/lower/print.hpp"
#include "compiler/seatbelt/lower/profile.hpp"
#include "compiler/source/source_map.hpp"
#include "compiler/validate/validate.hpp"

namespace nd7 {

/// What Seatbelt's compiled form of a profile may hold; the text is taken as its measure.
inline constexpr std::size_t kSizeBudget = 65536;

struct CompileOptions {
  CheckOptions check;
  laws::Profile profile = laws::Profile::floor;
  std::vector<std::string> grants;   ///< physical absolute paths, command profile only
  std::vector<std::string> protect;  ///< physical absolute paths
  bool protect_sources = false;      ///< every rules file that takes part, too
  std::size_t size_budget = kSizeBudget;
  std::string version;  ///< for the head of the profile
};

/// What every target begins with.
struct Analysed {
  ir::Policy policy;
  std::vector<laws::Term> terms;
  std::vector<std::string> protect;  ///< what is protected beside the exit
  std::vector<std::string> bugs;     ///< broken invariants of nd7c itself
};

/// From text to the terms of the law; nullopt if there is no policy. Errors may have been added
/// even if there is one.
[[nodiscard]] std::optional<Analysed> analyse(SourceMap& sources, const Files& files, FileId root,
                                              const CompileOptions& options,
                                              Diagnostics& diagnostics);

struct Compiled {
  ir::Policy policy;
  std::vector<laws::Term> terms;
  seatbelt::SeatbeltProfile profile;
  seatbelt::PrintedProfile printed;
  validate::Result validation;
  std::vector<std::string> protect;  ///< what was protected beside the exit
  /// Broken invariants of nd7c itself; the output must not be used.
  std::vector<std::string> bugs;
};

/// Compiles `root`, which is in `sources`, and proves the text equal to the rules. nullopt after
/// errors, ND4002 (no proof within the bounds) among them; a text that differs is in `bugs`.
[[nodiscard]] std::optional<Compiled> compile(SourceMap& sources, const Files& files, FileId root,
                                              const CompileOptions& options,
                                              Diagnostics& diagnostics);

}  // namespace nd7
