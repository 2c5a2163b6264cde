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

}  // namespace

std::vector<Placement> placements(const ir::Policy& policy) {
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
      result.push_back({home, std::move(at), std::move(temporary), exit, std::move(meaning)});
  };
  add(home + "/project", tmp, "the project below the home directory");
  add(home, tmp, "the project is the home directory");
  add(home + "/a/b/project", tmp, "the project deep below the home directory");
  add("/Volumes/disk/project", tmp, "the project outside of the home directory");
  add(home + "/project", home + "/tmp", "the temporary directory in the home directory");
  add(home + "/project", home + "/project/tmp", "the temporary directory in the project");
  for (const std::string& place : named_places(policy, home)) {
    add(place, tmp, fmt::format("the project at {}", place));
  }
  return result;
}

Placement example_placement(const ir::Policy& policy) { return placements(policy).front(); }

void place(ir::Policy& policy, const Placement& placement) {
  policy.params[ir::kHome.value].value = placement.home;
  policy.params[ir::kProject.value].value = placement.project;
  policy.params[ir::kTmp.value].value = placement.tmp;
  policy.params[ir::kExit.value].value = placement.exit;
  for (std::size_t i = ir::kExit.value + 1; i < policy.params.size(); ++i) {
    if (!policy.params[i].value)
      policy.params[i].value = fmt::format("/param/{}", policy.params[i].key);
  }
}

}  // namespace nd7::answer
