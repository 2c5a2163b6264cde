#include "compiler/driver/policy_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "compiler/diagnostics/suggest.hpp"
#include "compiler/driver/exit_code.hpp"
#include "compiler/driver/input.hpp"
#include "compiler/seatbelt/read/profile.hpp"
#include "compiler/seatbelt/read/traps.hpp"
#include "compiler/source/bidi.hpp"

namespace nd7::driver {
namespace {

std::vector<std::optional<answer::Origin>> origins_of(const seatbelt::read::RuleBase& rules,
                                                      const SourceMap& sources) {
  std::vector<std::optional<answer::Origin>> result(rules.rules.size());
  for (std::size_t i = 0; i < rules.rules.size(); ++i) {
    const auto& rule = rules.rules[i];
    if (rule.kind == seatbelt::read::Rule::Kind::import) continue;
    const SourceFile& file = sources.file(rule.span.file);
    const std::uint32_t line = file.line_of(rule.span.begin);
    std::string label{file.line_text(line)};
    const std::size_t begin = label.find_first_not_of(" \t");
    label.erase(0, begin == std::string::npos ? label.size() : begin);
    constexpr std::size_t kShown = 100;
    if (label.size() > kShown) label = label.substr(0, kShown) + " ...";
    result[i] = answer::Origin{
        std::move(label), fmt::format("{}:{}", file.name(), line),
        rule.action == seatbelt::read::Action::allow ? laws::Role::allow : laws::Role::deny};
  }
  return result;
}

std::vector<std::string> open_parameters(const LoadedPolicy& policy, const Resolved& options) {
  std::vector<std::string> result;
  for (const std::string& key : policy.asked) {
    if (options.compile.check.bindings.count(key) == 0) result.push_back(key);
  }
  return result;
}

/// Adds what the profile asks for once others are set.
void find_parameters(LoadedPolicy& policy, const SourceMap& sources, const Resolved& options) {
  const answer::Placement base =
      answer::places_without_rules(options.compile.check.bindings).front();
  for (bool more = true; more;) {
    more = false;
    const std::vector<std::string> open = open_parameters(policy, options);
    if (open.empty() || open.size() > answer::kMaxOptional) return;
    for (std::size_t choice = 0; choice < (std::size_t{1} << open.size()) && !more; ++choice) {
      std::vector<std::string> unset;
      for (std::size_t i = 0; i < open.size(); ++i) {
        if ((choice >> i & 1U) != 0) unset.push_back(open[i]);
      }
      Diagnostics ignored;
      std::set<std::string> asked = policy.asked;
      (void)rules_at(policy, answer::without(base, unset), sources, options, false, &asked,
                     ignored);
      more = asked.size() != policy.asked.size();
      policy.asked = std::move(asked);
    }
  }
}

}  // namespace

void add_profile_options(CLI::App& app, ProfileOptions& options) {
  app.add_option("--model", options.model,
                 "reading of precedence: unfiltered=fallback|ordered,class=fallback|expanded")
      ->type_name("MODEL");
  app.add_flag("--fragment", options.fragment, "a raw profile may lack `(version 1)`");
}

std::optional<seatbelt::read::Model> parse_model(const std::string& text) {
  seatbelt::read::Model model;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    if (part == "unfiltered=ordered") {
      model.unfiltered = seatbelt::read::Unfiltered::ordered;
    } else if (part == "class=expanded") {
      model.classes = seatbelt::read::Class::expanded;
    } else if (part != "unfiltered=fallback" && part != "class=fallback") {
      usage_error(
          fmt::format("--model wants unfiltered=fallback|ordered,class=fallback|expanded, "
                      "not `{}`",
                      printable(text)));
      return std::nullopt;
    }
  }
  return model;
}

bool is_profile(const SourceFile& file) {
  const std::string& name = file.name();
  const auto ends = [&](std::string_view ending) {
    return name.size() >= ending.size() &&
           name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
  };
  if (ends(".sb") || ends(".sbpl")) return true;
  if (ends(".toml")) return false;
  const std::size_t first = file.text().find_first_not_of(" \t\r\n");
  return first != std::string::npos && (file.text()[first] == '(' || file.text()[first] == ';');
}

std::optional<seatbelt::read::RuleBase> rules_at(const LoadedPolicy& policy,
                                                 const answer::Placement& placement,
                                                 const SourceMap& sources, const Resolved& options,
                                                 bool opaque, std::set<std::string>* asked,
                                                 Diagnostics& diagnostics) {
  using seatbelt::read::Parameter;
  seatbelt::read::ReadOptions read;
  read.fragment = policy.fragment;
  read.release = options.compile.check.release;
  read.asked = asked;
  const auto& bindings = options.compile.check.bindings;
  for (const auto& [key, value] : bindings) {
    read.parameters.push_back({key, Parameter::Kind::bound, value});
  }
  for (const std::string& key : policy.asked) {
    if (placement.home.empty() || bindings.count(key) != 0) continue;
    const auto value = answer::value_at(placement, key);
    if (!value) continue;
    read.parameters.push_back(
        {key, opaque ? Parameter::Kind::opaque : Parameter::Kind::bound, *value});
  }
  return seatbelt::read::read_profile(sources, {&policy.file, 1}, read, diagnostics);
}

std::optional<LoadedPolicy> load_policy(const std::string& name, SourceMap& sources,
                                        const Resolved& options, const ProfileOptions& profile,
                                        Unset unset, Diagnostics& diagnostics, int& code) {
  const auto file = read_input(name, sources, diagnostics);
  if (!file) {
    code = kCannotRun;
    return std::nullopt;
  }
  LoadedPolicy policy;
  policy.name = name;
  policy.file = *file;
  if (is_profile(sources.file(*file))) {
    policy.fragment = profile.fragment;
    Diagnostics found;
    policy.rules = rules_at(policy, {}, sources, options, false, &policy.asked, found);
    find_parameters(policy, sources, options);
    const bool open = !open_parameters(policy, options).empty();
    if (policy.rules || unset == Unset::must_load || !open) diagnostics.append(std::move(found));
    if (!policy.rules && (unset == Unset::must_load || !open)) {
      code = kFindings;
      return std::nullopt;
    }
    if (policy.rules) seatbelt::read::find_traps(*policy.rules, diagnostics);
    return policy;
  }
  CompileOptions compile_options = options.compile;
  compile_options.size_budget = SIZE_MAX;
  policy.compiled = compile(sources, DiskFiles{}, *file, compile_options, diagnostics);
  if (!policy.compiled || !policy.compiled->bugs.empty()) {
    code = policy.compiled ? static_cast<int>(kInternal) : error_code(diagnostics);
    return std::nullopt;
  }
  return policy;
}

bool check_bindings(std::span<const LoadedPolicy* const> policies, const Resolved& options,
                    Diagnostics& diagnostics) {
  bool good = true;
  std::vector<std::string> known;
  for (const LoadedPolicy* const policy : policies) {
    if (!policy->raw()) return true;
    known.insert(known.end(), policy->asked.begin(), policy->asked.end());
  }
  for (const auto& [key, value] : options.compile.check.bindings) {
    if (const std::string_view problem = value_problem(value); !problem.empty()) {
      diagnostics.add(Code::ND5007, std::nullopt, fmt::format("-D {}: the value {}", key, problem));
      good = false;
    }
    const bool place = key == "HOME" || key == "PROJ" || key == "TMP";
    if (place || std::find(known.begin(), known.end(), key) != known.end()) continue;
    good = false;
    auto& d = diagnostics.add(Code::ND5008, std::nullopt,
                              fmt::format("-D {}: the profile does not ask for it", key));
    if (const auto near = nearest(key, known)) {
      d.helps.push_back(fmt::format("did you mean `{}`?", *near));
    } else if (!known.empty()) {
      d.helps.push_back(fmt::format("it asks for `{}`", fmt::join(known, "`, `")));
    }
  }
  return good;
}

std::optional<answer::View> view_at(const LoadedPolicy& policy, const answer::Placement& placement,
                                    const SourceMap& sources, const Resolved& options,
                                    seatbelt::read::Model model, bool complete, std::string& bug) {
  if (policy.raw()) {
    Diagnostics ignored;  // said when the profile was loaded
    auto rules = policy.asked.empty() || placement.home.empty()
                     ? policy.rules
                     : rules_at(policy, placement, sources, options, false, nullptr, ignored);
    if (!rules) return std::nullopt;
    auto origins = origins_of(*rules, sources);
    return answer::View{answer::Side{std::move(*rules), model}, std::move(origins), {}};
  }
  for (const ir::Param& param : policy.compiled->policy.params) {
    if (!param.optional && placement.unset.count(param.key) != 0) return std::nullopt;
  }
  answer::ViewOptions view;
  view.profile = options.compile.profile;
  view.release = options.compile.check.release;
  view.grants = options.compile.grants;
  view.protect = options.compile.protect;
  view.model = model;
  view.complete = complete;
  return answer::view_of(policy.compiled->policy, placement, sources, view, bug);
}

}  // namespace nd7::driver
