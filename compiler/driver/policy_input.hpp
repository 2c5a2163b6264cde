// POLICY on a command line: a rules file, or a Seatbelt profile.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
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
  std::optional<Compiled> compiled;  ///< a rules file
  /// A raw profile, with the parameters unset that are not bound; none: it does not load so.
  std::optional<seatbelt::read::RuleBase> rules;
  bool fragment = false;        ///< how a raw profile is read
  std::set<std::string> asked;  ///< parameters that a raw profile asks for and that are not bound
  FileId file;

  [[nodiscard]] bool raw() const { return !compiled.has_value(); }
};

/// True for `.sb`, and for texts that begin with `(` or `;`.
[[nodiscard]] bool is_profile(const SourceFile& file);

/// Whether a raw profile has to load without the parameters that are not bound.
enum class Unset : std::uint8_t { must_load, may_fail };

/// Loads NAME. On failure adds diagnostics and returns nullopt; `code` becomes the exit code.
[[nodiscard]] std::optional<LoadedPolicy> load_policy(const std::string& name, SourceMap& sources,
                                                      const Resolved& options,
                                                      const ProfileOptions& profile, Unset unset,
                                                      Diagnostics& diagnostics, int& code);

/// False, after an error, if -D names something that none of raw profiles asks for, or gives a
/// value that no text could hold. Of rules files, compiling them says so.
[[nodiscard]] bool check_bindings(std::span<const LoadedPolicy* const> policies,
                                  const Resolved& options, Diagnostics& diagnostics);

/// The policy at a placement; a raw profile that asks for no parameter, or the placement without
/// a home directory, leaves parameters unset. `complete` as in ViewOptions. nullopt with an empty
/// `bug`: it does not load there.
[[nodiscard]] std::optional<answer::View> view_at(const LoadedPolicy& policy,
                                                  const answer::Placement& placement,
                                                  const SourceMap& sources, const Resolved& options,
                                                  seatbelt::read::Model model, bool complete,
                                                  std::string& bug);

/// A raw profile as ReadOptions::parameters has it at a placement. `opaque`: what is set has a
/// value that nobody knows.
[[nodiscard]] std::optional<seatbelt::read::RuleBase> rules_at(
    const LoadedPolicy& policy, const answer::Placement& placement, const SourceMap& sources,
    const Resolved& options, bool opaque, std::set<std::string>* asked, Diagnostics& diagnostics);

}  // namespace nd7::driver
