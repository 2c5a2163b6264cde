#include "compiler/pipeline/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <variant>

#include "compiler/check/bindings.hpp"
#include "compiler/check/paths.hpp"
#include "compiler/pipeline/prove.hpp"
#include "compiler/seatbelt/lower/lower.hpp"

namespace nd7 {
namespace {

/// The paths that options name, in the target's physical form; problems are reported.
std::vector<std::string> physical(const std::vector<std::string>& paths, std::string_view option,
                                  const ir::Policy& policy, Diagnostics& diagnostics) {
  std::vector<std::string> result;
  const auto& home = policy.params[ir::kHome.value].value;
  for (const std::string& path : paths) {
    const std::string problem = path_problem(path);
    if (!problem.empty()) {
      diagnostics.add(Code::ND5010, std::nullopt,
                      fmt::format("{} {}: the path {}", option, path, problem));
      continue;
    }
    std::string real = physical_alias(path, policy.target);
    const std::string seal = home ? *home + "/.nd7" : std::string{};
    if (!seal.empty() && is_at_or_below(real, seal, policy.target)) {
      diagnostics.add(
          Code::ND5010, std::nullopt,
          fmt::format("{} {}: the path lies in {}, which is sealed", option, path, seal));
      continue;
    }
    result.push_back(std::move(real));
  }
  return result;
}

/// The files of a composition, and the links on the way, by the names they were reached under.
void add_files(const SourceMap& sources, const Composition& composition,
               std::vector<std::string>& paths) {
  for (const LoadedUnit& unit : composition.units) {
    const SourceFile& file = sources.file(unit.unit.file);
    if (file.path().empty()) continue;
    paths.push_back(file.path());
    const std::string named = std::filesystem::absolute(file.name()).lexically_normal().string();
    if (named != file.path()) paths.push_back(named);
  }
}

/// Whoever could write the file that `within` names, or its bases, could move the limit. Errors in
/// them are reported where the claim is proved.
void add_limit(const SourceMap& sources, const Files& files, const ir::Limit& limit,
               std::vector<std::string>& paths) {
  const auto place = limit_path(sources, limit);
  if (!place) return;
  auto read = files.read(*place);
  auto* const text = std::get_if<FileText>(&read);
  if (text == nullptr) return;
  SourceMap own;
  Diagnostics ignored;
  const FileId root = own.add(*place, std::move(text->path), std::move(text->text));
  const auto composition = compose(own, files, root, ignored);
  if (composition) add_files(own, *composition, paths);
}

/// A difference is a bug of nd7c: the one thing that a user can do is not to use the text.
void take_validation(const validate::Result& validation, std::vector<std::string>& bugs,
                     Diagnostics& diagnostics) {
  using Outcome = validate::Result::Outcome;
  switch (validation.outcome) {
    case Outcome::equal: return;
    case Outcome::undecided:
      diagnostics
          .add(Code::ND4002, std::nullopt,
               fmt::format("the profile could not be proved equal to the rules: {}",
                           validation.reason))
          .helps.emplace_back(
              "nothing is written; fewer or simpler conditions make the proof smaller");
      return;
    case Outcome::unreadable:
      bugs.push_back(fmt::format("the profile cannot be read back: {}", validation.reason));
      return;
    case Outcome::different: break;
  }
  const validate::Difference& difference = *validation.difference;
  bugs.push_back(fmt::format(
      "the profile differs from the rules\n  witness: {} where {}{}\n  meant:   {} ({})\n"
      "  emitted: {} ({})",
      seatbelt::name(difference.op), difference.request,
      difference.import_matches ? ", and a rule of system.sb" : "", difference.meant,
      difference.meant_by, difference.emitted, difference.emitted_by));
}

void check_budget(const seatbelt::PrintedProfile& printed, std::size_t budget,
                  Diagnostics& diagnostics) {
  const bool over = printed.operative_bytes > budget;
  if (!over && printed.operative_bytes <= budget / 2) return;
  auto& d = diagnostics.add(
      over ? Code::ND5004 : Code::ND5005, std::nullopt,
      fmt::format("the profile takes {} bytes of the {} that {}", printed.operative_bytes, budget,
                  budget == kSizeBudget ? "macOS loads" : "`--size-budget` allows"));
  std::vector<std::pair<std::size_t, std::string>> largest;
  for (const auto& [label, bytes] : printed.bytes_by_label) largest.emplace_back(bytes, label);
  std::sort(largest.begin(), largest.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  largest.resize(std::min<std::size_t>(largest.size(), 5));
  for (const auto& [bytes, label] : largest) {
    d.notes.push_back(fmt::format("{} takes {} bytes", label, bytes));
  }
  d.helps.emplace_back("name a directory once instead of what is in it");
}

}  // namespace

std::optional<Analysed> analyse(SourceMap& sources, const Files& files, FileId root,
                                const CompileOptions& options, Diagnostics& diagnostics) {
  const auto composition = compose(sources, files, root, diagnostics);
  if (!composition) return std::nullopt;
  auto policy = check(*composition, options.check, diagnostics);
  if (!policy) return std::nullopt;
  Analysed result;
  result.bugs = verify(*policy);
  laws::TermOptions terms;
  terms.profile = options.profile;
  terms.release = options.check.release;
  terms.grants = physical(options.grants, "--grant", *policy, diagnostics);
  std::vector<std::string> protect = options.protect;
  if (options.protect_sources) {
    add_files(sources, *composition, protect);
    for (const ir::Limit& limit : policy->limits) add_limit(sources, files, limit, protect);
  }
  terms.protect = physical(protect, "--protect", *policy, diagnostics);
  result.protect = terms.protect;
  result.terms = derive_terms(*policy, terms, diagnostics);
  result.policy = std::move(*policy);
  return result;
}

std::optional<Compiled> compile(SourceMap& sources, const Files& files, FileId root,
                                const CompileOptions& options, Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.error_count();
  auto analysed = analyse(sources, files, root, options, diagnostics);
  if (!analysed) return std::nullopt;
  Compiled result;
  result.policy = std::move(analysed->policy);
  result.terms = std::move(analysed->terms);
  result.protect = std::move(analysed->protect);
  result.bugs = std::move(analysed->bugs);
  ir::Policy& policy = result.policy;
  result.profile = seatbelt::lower(policy, result.terms, options.profile, sources, diagnostics);
  result.printed =
      seatbelt::print(policy, result.profile, {options.version, options.check.release});
  check_budget(result.printed, options.size_budget, diagnostics);
  if (diagnostics.error_count() == errors) {
    result.validation =
        validate::validate(policy, result.terms, result.printed.text, options.check.release);
    take_validation(result.validation, result.bugs, diagnostics);
  }
  if (diagnostics.error_count() != errors) return std::nullopt;
  return result;
}

}  // namespace nd7
