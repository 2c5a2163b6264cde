#include "compiler/answer/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace nd7::answer {
namespace {

constexpr std::string_view kHome = "/Users/me";
constexpr std::string_view kTmp = "/private/var/folders/nd/7/T";
constexpr std::string_view kExit = "/usr/local/bin/nd7-exec";

std::optional<std::string> bound(const ir::Policy& policy, ir::ParamId id) {
  return policy.params[id.value].value;
}

/// Directories that rules name: below the home, or absolute ones.
std::set<std::string> named_places(const ir::Policy& policy, const std::string& home) {
  std::set<std::string> result;
  for (const ir::Rule& rule : policy.rules) {
    for (const ir::Clause& clause : rule.clauses) {
      for (const ir::AtomId id : policy.conditions.atoms_of(clause.cond)) {
        const ir::Atom& atom = policy.conditions.get(id);
        if (atom.filter != seatbelt::Filter::subpath && atom.filter != seatbelt::Filter::literal) {
          continue;
        }
        const std::string text = ir::substitute(atom.text, [&](ir::ParamId param) {
          return param == ir::kHome ? std::optional<std::string>{home} : std::nullopt;
        });
        if (!ir::has_holes(text) && text != "/" && text != home) result.insert(text);
        if (result.size() >= kMaxNamedPlaces) return result;
      }
    }
  }
  return result;
}

bool holds(std::string_view outer, std::string_view inner) {
  return inner.substr(0, outer.size()) == outer &&
         (inner.size() == outer.size() || inner[outer.size()] == '/');
}

std::vector<Placement> places_of(const ir::Policy& policy, const std::set<std::string>& named) {
  const std::string home = bound(policy, ir::kHome).value_or(std::string{kHome});
  const std::string tmp = bound(policy, ir::kTmp).value_or(std::string{kTmp});
  const std::string exit = bound(policy, ir::kExit).value_or(std::string{kExit});
  const auto project = bound(policy, ir::kProject);
  std::vector<Placement> result;
  const auto add = [&](std::string at, std::string temporary, std::string meaning) {
    if (project) at = *project;
    if (bound(policy, ir::kTmp)) temporary = tmp;
    // What a build refuses is no placement: a project that holds the home, or lies in the seal.
    if (at != home && holds(at, home)) return;
    if (holds(home + "/.nd7", at)) return;
    const bool known = std::any_of(result.begin(), result.end(), [&](const Placement& one) {
      return one.project == at && one.tmp == temporary;
    });
    if (!known)
      result.push_back(
          {home, std::move(at), std::move(temporary), exit, std::move(meaning), {}, {}});
  };
  add(home + "/project", tmp, "the project below the home directory");
  add(home, tmp, "the project is the home directory");
  add(home + "/a/b/project", tmp, "the project deep below the home directory");
  add("/Volumes/disk/project", tmp, "the project outside of the home directory");
  add(home + "/project", home + "/tmp", "the temporary directory in the home directory");
  add(home + "/project", home + "/project/tmp", "the temporary directory in the project");
  for (const std::string& place : named) {
    add(place, tmp, fmt::format("the project at {}", place));
  }
  return result;
}

/// The open parameters beside the places that some rule holds.
std::vector<std::uint32_t> open_parameters(const ir::Policy& policy) {
  std::set<std::uint32_t> result;
  const auto collect = [&](const std::vector<ir::Clause>& clauses) {
    for (const ir::Clause& clause : clauses) {
      for (const ir::AtomId id : policy.conditions.atoms_of(clause.cond)) {
        for (const ir::ParamId param : ir::params_of(policy.conditions.get(id).text)) {
          if (param > ir::kExit && !bound(policy, param)) result.insert(param.value);
        }
      }
    }
  };
  for (const ir::Rule& rule : policy.rules) collect(rule.clauses);
  for (const ir::Relaxation& relaxation : policy.relaxations) collect(relaxation.clauses);
  return {result.begin(), result.end()};
}

/// The keys that bits of `choice` pick.
std::vector<std::string> picked(const std::vector<std::string>& keys, std::size_t choice) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if ((choice >> i & 1U) != 0) result.push_back(keys[i]);
  }
  return result;
}

}  // namespace

bool Placement::same_as(const Placement& other) const {
  return home == other.home && project == other.project && tmp == other.tmp && exit == other.exit &&
         values == other.values && unset == other.unset;
}

std::vector<Placement> placements(const ir::Policy& policy) {
  const std::string home = bound(policy, ir::kHome).value_or(std::string{kHome});
  const std::set<std::string> named = named_places(policy, home);
  std::vector<Placement> result = places_of(policy, named);
  const std::size_t places = result.size();
  const Placement first = result.front();
  std::vector<std::string> optional;
  for (const std::uint32_t i : open_parameters(policy)) {
    if (policy.params[i].optional) optional.push_back(policy.params[i].key);
  }
  // A build refuses files with more optional parameters: nothing is claimed of them.
  optional.resize(std::min(optional.size(), kMaxOptional));
  for (std::size_t choice = 1; choice < (std::size_t{1} << optional.size()); ++choice) {
    result.push_back(without(first, picked(optional, choice)));
  }
  for (std::size_t i = 1; i < places && !optional.empty(); ++i) {
    result.push_back(without(result[i], optional));
  }
  if (!bound(policy, ir::kExit)) result.push_back(without(first, {"EXIT"}));
  for (const std::uint32_t i : open_parameters(policy)) {
    const std::string& key = policy.params[i].key;
    result.push_back(with_value(first, key, first.home));
    result.push_back(with_value(first, key, first.project));
    for (const std::string& place : named) result.push_back(with_value(first, key, place));
  }
  return result;
}

std::vector<Placement> places_without_rules(const std::map<std::string, std::string>& bound) {
  ir::Policy policy;
  for (const char* const key : {"HOME", "PROJ", "TMP", "EXIT"}) {
    ir::Param param;
    param.key = key;
    if (const auto at = bound.find(key); at != bound.end()) param.value = at->second;
    policy.params.push_back(std::move(param));
  }
  return places_of(policy, {});
}

Placement example_placement(const ir::Policy& policy) { return placements(policy).front(); }

void place(ir::Policy& policy, const Placement& placement) {
  policy.params[ir::kHome.value].value = placement.home;
  policy.params[ir::kProject.value].value = placement.project;
  policy.params[ir::kTmp.value].value = placement.tmp;
  for (std::size_t i = ir::kExit.value; i < policy.params.size(); ++i) {
    ir::Param& param = policy.params[i];
    if (!param.value) param.value = value_at(placement, param.key);
  }
}

std::optional<std::string> value_at(const Placement& placement, std::string_view key) {
  const std::string name{key};
  if (placement.unset.count(name) != 0) return std::nullopt;
  if (key == "HOME") return placement.home;
  if (key == "PROJ") return placement.project;
  if (key == "TMP") return placement.tmp;
  if (key == "EXIT") return placement.exit;
  const auto at = placement.values.find(name);
  return at == placement.values.end() ? "/param/" + name : at->second;
}

Placement without(Placement placement, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    if (!placement.unset.insert(key).second) continue;
    placement.meaning += fmt::format("{}{} unset", placement.meaning.empty() ? "" : ", ", key);
  }
  return placement;
}

Placement with_value(Placement placement, const std::string& key, const std::string& value) {
  if (key == "HOME") {
    placement.home = value;
  } else if (key == "PROJ") {
    placement.project = value;
  } else if (key == "TMP") {
    placement.tmp = value;
  } else if (key == "EXIT") {
    placement.exit = value;
  } else {
    placement.values[key] = value;
  }
  placement.meaning += fmt::format("{}{} at {}", placement.meaning.empty() ? "" : ", ", key, value);
  return placement;
}

std::string placement_text(const Placement& placement) {
  if (placement.home.empty()) return {};
  std::string text;
  for (const char* const key : {"HOME", "PROJ", "TMP"}) {
    const auto value = value_at(placement, key);
    if (value) text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, *value);
  }
  for (const auto& [key, value] : placement.values) text += fmt::format(" {}={}", key, value);
  return text;
}

}  // namespace nd7::answer
