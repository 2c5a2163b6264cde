#include "compiler/answer/view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/laws/case_fold.hpp"
#include "compiler/seatbelt/lower/lower.hpp"
#include "compiler/seatbelt/lower/print.hpp"
#include "compiler/seatbelt/read/profile.hpp"

namespace nd7::answer {
namespace {

std::optional<View> read_back(const ir::Policy& policy, const seatbelt::SeatbeltProfile& profile,
                              const ViewOptions& options, std::string& bug) {
  const seatbelt::PrintedProfile printed = seatbelt::print(policy, profile, {"", options.release});
  SourceMap sources;
  Diagnostics diagnostics;
  const FileId file = sources.add("profile", {}, printed.text);
  seatbelt::read::ReadOptions read;
  read.release = options.release;
  auto base = seatbelt::read::read_profile(sources, {&file, 1}, read, diagnostics);
  if (!base) {
    bug = "the profile cannot be read back";
    for (const Diagnostic& d : diagnostics.all()) bug = d.message;
    return std::nullopt;
  }
  std::vector<std::optional<Origin>> origins(base->rules.size());
  for (std::size_t i = 0; i < base->rules.size(); ++i) {
    if (base->rules[i].kind != seatbelt::read::Rule::Kind::written) continue;
    const std::uint32_t line = sources.file(file).line_of(base->rules[i].span.begin);
    // Lines rise with the rules, so the first that ends at or after this one is it.
    const auto at = std::lower_bound(printed.lines.begin(), printed.lines.end(), line,
                                     [](const seatbelt::PrintedLines& lines, std::uint32_t wanted) {
                                       return lines.last < wanted;
                                     });
    if (at == printed.lines.end() || at->first > line) continue;
    const seatbelt::ProfileRule& rule =
        profile.rules[static_cast<std::size_t>(at - printed.lines.begin())];
    origins[i] = Origin{rule.label, rule.place, rule.role};
  }
  return View{Side{std::move(*base), options.model}, std::move(origins), printed.text};
}

std::vector<laws::Term> terms_of(ir::Policy& policy, const ViewOptions& options) {
  Diagnostics ignored;  // the same as when the policy was compiled
  laws::TermOptions terms;
  terms.profile = options.profile;
  terms.release = options.release;
  terms.grants = options.grants;
  terms.protect = options.protect;
  return derive_terms(policy, terms, ignored);
}

std::optional<View> lowered(ir::Policy& policy, const std::vector<laws::Term>& terms,
                            const ViewOptions& options, const SourceMap& sources,
                            std::string& bug) {
  Diagnostics ignored;
  const auto style = options.complete ? seatbelt::Style::complete : seatbelt::Style::compact;
  const auto profile = seatbelt::lower(policy, terms, options.profile, sources, ignored, style);
  return read_back(policy, profile, options, bug);
}

/// Closes what Seatbelt allows by itself. Without filters, so that the allows stand before it.
seatbelt::ProfileRule without_builtins() {
  seatbelt::ProfileRule rule;
  for (std::size_t i = 1; i < seatbelt::kOpCount; ++i) {
    const auto op = static_cast<seatbelt::Op>(i);
    if (!seatbelt::parent(op) && info(op).builtin == seatbelt::Builtin::allow)
      rule.ops.push_back(op);
  }
  rule.label = "nothing else";
  return rule;
}

}  // namespace

std::optional<View> view_of(ir::Policy policy, const Placement& placement, const SourceMap& sources,
                            const ViewOptions& options, std::string& bug) {
  place(policy, placement);
  return lowered(policy, terms_of(policy, options), options, sources, bug);
}

std::vector<laws::Term> placed_terms(ir::Policy& policy, const Placement& placement,
                                     const ViewOptions& options) {
  place(policy, placement);
  return terms_of(policy, options);
}

std::optional<View> view_of_terms(ir::Policy& policy, std::vector<laws::Term> terms,
                                  const SourceMap& sources, std::string& bug) {
  for (laws::Term& term : terms) term.role = laws::Role::allow;
  ViewOptions options;
  options.profile = laws::Profile::command;
  Diagnostics ignored;
  auto profile =
      seatbelt::lower(policy, terms, options.profile, sources, ignored, seatbelt::Style::complete);
  profile.rules.insert(profile.rules.begin(), without_builtins());
  return read_back(policy, profile, options, bug);
}

std::optional<View> view_of_clauses(ir::Policy& placed, const std::vector<ir::Clause>& clauses,
                                    bool denying, const SourceMap& sources, std::string& bug) {
  std::vector<laws::Term> terms;
  for (const ir::Clause& clause : clauses) {
    laws::Term term;
    term.ops = clause.ops;
    term.cond = clause.cond;
    if (denying && placed.target == ir::Target::seatbelt) {
      term.cond = laws::fold_denied_names(placed.conditions, clause.cond, true);
    }
    term.label = "subject";
    terms.push_back(std::move(term));
  }
  return view_of_terms(placed, std::move(terms), sources, bug);
}

std::optional<View> view_of_clauses(ir::Policy policy, const std::vector<ir::Clause>& clauses,
                                    bool denying, const Placement& placement,
                                    const SourceMap& sources, std::string& bug) {
  place(policy, placement);
  return view_of_clauses(policy, clauses, denying, sources, bug);
}

std::optional<View> view_of_matches(ir::Policy policy, const ViewOptions& options,
                                    const std::function<bool(const laws::Term&)>& picks,
                                    const Placement& placement, const SourceMap& sources,
                                    std::string& bug) {
  std::vector<laws::Term> terms = placed_terms(policy, placement, options);
  std::erase_if(terms, [&](const laws::Term& term) { return !picks(term); });
  return view_of_terms(policy, std::move(terms), sources, bug);
}

}  // namespace nd7::answer
