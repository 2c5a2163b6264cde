#include "compiler/driver/arrangements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace nd7::driver {
namespace {

using answer::Placement;

/// Names that are set or unset in one combination: bit i is for the name at i; 1 is unset.
using Choice = std::size_t;

bool is_place(const std::string& name) { return name == "HOME" || name == "PROJ" || name == "TMP"; }

class Finder {
 public:
  Finder(const LoadedPolicy& before, const LoadedPolicy& after, const SourceMap& sources,
         const Resolved& options)
      : policies_{&before, &after}, sources_(sources), options_(options) {}

  Arrangements run() {
    std::set<std::string> open;
    for (const LoadedPolicy* const policy : policies_) {
      if (!policy->raw()) continue;
      for (const std::string& key : policy->asked) {
        if (options_.compile.check.bindings.count(key) == 0) open.insert(key);
      }
    }
    names_.assign(open.begin(), open.end());
    const std::vector<Placement> bases = bases_of();
    if (names_.empty()) {
      result_.list = bases;
      return std::move(result_);
    }
    const std::vector<Choice> choices = loadable(bases.front());
    for (const Choice choice : choices) {
      for (std::size_t i = 0; i < bases.size(); ++i) {
        // The project at each directory that rules name is looked at with what is set as it is.
        if (choice != choices.front() && i >= answer::kStandardPlacements) break;
        add(answer::without(bases[i], picked(choice)));
      }
    }
    if (choices.empty()) return std::move(result_);
    const Placement first = answer::without(bases.front(), picked(choices.front()));
    // The placements of rules files have the places at what they name.
    const bool rules = !policies_[0]->raw() || !policies_[1]->raw();
    std::set<std::string> places = named_places(first);
    places.insert({first.home, first.project});
    for (const std::string& name : names_) {
      if (first.unset.count(name) != 0 || (rules && is_place(name))) continue;
      for (const std::string& place : places) add(answer::with_value(first, name, place));
    }
    return std::move(result_);
  }

 private:
  /// Of the rules files; with none, of the places that a profile asks for.
  std::vector<Placement> bases_of() {
    std::vector<Placement> result;
    for (const LoadedPolicy* const policy : policies_) {
      if (policy->raw()) continue;
      for (Placement& placement : answer::placements(policy->compiled->policy)) {
        const bool known = std::any_of(result.begin(), result.end(),
                                       [&](const auto& one) { return one.same_as(placement); });
        if (!known) result.push_back(std::move(placement));
      }
    }
    if (!result.empty()) return result;
    if (names_.empty()) return {Placement{}};
    result = answer::places_without_rules(options_.compile.check.bindings);
    const bool asks = std::any_of(names_.begin(), names_.end(), is_place);
    if (!asks) {
      result.resize(1);
      result.front().meaning.clear();
    }
    return result;
  }

  std::vector<std::string> picked(Choice choice) const {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if ((choice >> i & 1U) != 0) result.push_back(names_[i]);
    }
    return result;
  }

  /// The combinations under which both load. Doubts are about those that only one loads under.
  std::vector<Choice> loadable(const Placement& base) {
    std::vector<Choice> tried;
    if (names_.size() > answer::kMaxOptional) {
      result_.doubts.push_back(
          fmt::format("more than {} parameters are open", answer::kMaxOptional));
      // Names beyond the bits of a choice stay set.
      names_.resize(std::min<std::size_t>(names_.size(), 60));
      tried = {0, (Choice{1} << names_.size()) - 1};
    } else {
      for (Choice choice = 0; choice < (Choice{1} << names_.size()); ++choice) {
        tried.push_back(choice);
      }
    }
    std::vector<Choice> both;
    std::vector<std::pair<Choice, std::size_t>> single;
    for (const Choice choice : tried) {
      const std::array<bool, 2> loads{loads_at(0, base, choice), loads_at(1, base, choice)};
      if (loads[0] && loads[1]) both.push_back(choice);
      if (loads[0] != loads[1]) single.emplace_back(choice, loads[0] ? 0 : 1);
    }
    for (const auto& [choice, which] : single) {
      // What that policy does not ask for makes no difference to it.
      const Choice sees = seen(which);
      const bool covered = std::any_of(both.begin(), both.end(), [&, at = choice](Choice other) {
        return (other & sees) == (at & sees);
      });
      if (covered) continue;
      result_.doubts.push_back(fmt::format("{} loads with {} unset, the other does not",
                                           policies_[which]->name,
                                           fmt::join(picked(choice), ", ")));
    }
    if (both.empty()) {
      result_.doubts.emplace_back("no choice of parameters is known under which both load");
    }
    return both;
  }

  Choice seen(std::size_t which) const {
    Choice result = 0;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const LoadedPolicy& policy = *policies_[which];
      const auto declares = [&](const ir::Param& param) { return param.key == names_[i]; };
      const bool sees = policy.raw() ? policy.asked.count(names_[i]) != 0
                                     : std::any_of(policy.compiled->policy.params.begin(),
                                                   policy.compiled->policy.params.end(), declares);
      if (sees) result |= Choice{1} << i;
    }
    return result;
  }

  bool loads_at(std::size_t which, const Placement& base, Choice choice) {
    const LoadedPolicy& policy = *policies_[which];
    const Placement at = answer::without(base, picked(choice));
    if (!policy.raw()) {
      const auto& params = policy.compiled->policy.params;
      return std::none_of(params.begin(), params.end(), [&](const ir::Param& param) {
        return !param.optional && at.unset.count(param.key) != 0;
      });
    }
    Diagnostics ignored;
    if (!rules_at(policy, at, sources_, options_, false, nullptr, ignored)) return false;
    Diagnostics found;
    if (!same_text() && !rules_at(policy, at, sources_, options_, true, nullptr, found)) {
      const std::string why =
          found.all().empty() ? "it looks into one" : found.all().back().message;
      const std::string doubt = fmt::format(
          "{}: the values of parameters decide what its rules are: {}", policy.name, why);
      if (std::find(result_.doubts.begin(), result_.doubts.end(), doubt) == result_.doubts.end()) {
        result_.doubts.push_back(doubt);
      }
    }
    return true;
  }

  /// One text twice: whatever a value decides, it decides for both.
  bool same_text() const {
    return policies_[0]->raw() && policies_[1]->raw() &&
           sources_.file(policies_[0]->file).text() == sources_.file(policies_[1]->file).text();
  }

  /// Paths that rules of the raw profiles name.
  std::set<std::string> named_places(const Placement& at) {
    std::set<std::string> result;
    for (const LoadedPolicy* const policy : policies_) {
      if (!policy->raw()) continue;
      Diagnostics ignored;
      const auto rules = rules_at(*policy, at, sources_, options_, false, nullptr, ignored);
      if (!rules) continue;
      for (const seatbelt::read::Atom& atom : rules->atoms) {
        const bool path =
            atom.filter == seatbelt::Filter::subpath || atom.filter == seatbelt::Filter::literal;
        if (!path || atom.text.empty() || atom.text.front() != '/' || atom.text == "/") continue;
        if (result.size() < answer::kMaxNamedPlaces) result.insert(atom.text);
      }
    }
    return result;
  }

  void add(Placement placement) {
    if (std::any_of(result_.list.begin(), result_.list.end(),
                    [&](const Placement& one) { return one.same_as(placement); })) {
      return;
    }
    if (result_.list.size() < kMaxArrangements) {
      result_.list.push_back(std::move(placement));
    } else if (!full_) {
      full_ = true;
      result_.doubts.push_back(
          fmt::format("parameters can stand in more than {} ways", kMaxArrangements));
    }
  }

  std::array<const LoadedPolicy*, 2> policies_;
  const SourceMap& sources_;
  const Resolved& options_;
  std::vector<std::string> names_;
  Arrangements result_;
  bool full_ = false;
};

}  // namespace

Arrangements arrangements(const LoadedPolicy& before, const LoadedPolicy& after,
                          const SourceMap& sources, const Resolved& options) {
  return Finder{before, after, sources, options}.run();
}

}  // namespace nd7::driver
