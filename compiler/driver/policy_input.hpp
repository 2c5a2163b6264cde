// POLICY on a command line: a rules file, or a Seatbelt profile.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/answer/view.hpp"
#include "compiler/driver/options.hpp"

namespace nd7::driver {

/// How a raw profile is read.
struct ProfileOptions {
  std::string model;  ///< "unfiltered=fallback,class=fallback"
  bool fragment = false;
};

void add_profile_options(CLI::App& app, ProfileOptions& options);
/// nullopt, after a message, if it is none.
[[nodiscard]] std::optional<seatbelt::read::Model> parse_model(const std::string& text);

/// A policy that was loaded; rules files are compiled but not placed yet.
struct LoadedPolicy {
  std::string name;
  std::optional<Compiled> compiled;               ///< a rules file
  std::optional<seatbelt::read::RuleBase> rules;  ///< a raw profile
  FileId file;

  [[nodiscard]] bool raw() const { return rules.has_value(); }
};

/// True for `.sb`, and for texts that begin with `(` or `;`.
[[nodiscard]] bool is_profile(const SourceFile& file);

/// Loads NAME. On failure adds diagnostics and returns nullopt; `code` becomes the exit code.
[[nodiscard]] std::optional<LoadedPolicy> load_policy(const std::string& name, SourceMap& sources,
                                                      const Resolved& options,
                                                      const ProfileOptions& profile,
                                                      Diagnostics& diagnostics, int& code);

/// The policy at a placement; a raw profile is the same at every one. `complete` as in ViewOptions.
[[nodiscard]] std::optional<answer::View> view_at(const LoadedPolicy& policy,
                                                  const answer::Placement& placement,
                                                  const SourceMap& sources, const Resolved& options,
                                                  seatbelt::read::Model model, bool complete,
                                                  std::string& bug);

/// "HOME=/Users/me PROJ=… TMP=…", or nothing if a policy is raw.
[[nodiscard]] std::string placement_text(const answer::Placement& placement);

}  // namespace nd7::driver
