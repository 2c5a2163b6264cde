#include "compiler/check/bindings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "compiler/check/paths.hpp"
#include "compiler/diagnostics/suggest.hpp"
#include "compiler/source/bidi.hpp"

namespace nd7 {
namespace {

class Binder {
 public:
  Binder(const Composition& composition, const CheckOptions& options, ir::Policy& policy,
         Diagnostics& diagnostics)
      : options_(options), policy_(policy), diagnostics_(diagnostics) {
    for (const LoadedUnit& unit : composition.units) {
      for (const ParamNode& param : unit.file.params) {
        declared_.push_back(unit.unit.set + "." + param.name);
      }
    }
  }

  std::map<std::string, std::string> run() {
    for (const auto& [key, value] : options_.bindings) bind(key, value);
    if (options_.exit) bind_path(ir::kExit, "--exit", *options_.exit);
    check_places();
    return std::move(bound_);
  }

 private:
  void bind(const std::string& key, const std::string& value) {
    for (const ir::ParamId id : {ir::kHome, ir::kProject, ir::kTmp}) {
      if (policy_.params[id.value].key == key) {
        bind_path(id, key, value);
        return;
      }
    }
    const auto full = full_key(key);
    if (!full) return;
    const std::string_view problem = value.empty() ? "is empty" : value_problem(value);
    if (!problem.empty()) {
      diagnostics_.add(Code::ND5007, std::nullopt,
                       fmt::format("-D {}: the value {}", key, problem));
      return;
    }
    bound_[*full] = value;
  }

  std::optional<std::string> full_key(const std::string& key) {
    if (std::find(declared_.begin(), declared_.end(), key) != declared_.end()) return key;
    std::vector<std::string> matches;
    for (const std::string& known : declared_) {
      if (known.substr(known.find('.') + 1) == key) matches.push_back(known);
    }
    if (matches.size() == 1) return matches.front();
    if (matches.size() > 1) {
      diagnostics_
          .add(Code::ND5008, std::nullopt,
               fmt::format("-D {}: more than one set has this parameter", key))
          .helps.push_back(fmt::format("say which: `{}`", fmt::join(matches, "`, `")));
      return std::nullopt;
    }
    std::vector<std::string> candidates{"HOME", "PROJ", "TMP"};
    candidates.insert(candidates.end(), declared_.begin(), declared_.end());
    auto& d = diagnostics_.add(Code::ND5008, std::nullopt,
                               fmt::format("-D {}: no file declares this parameter", key));
    if (key == "EXIT") {
      d.helps.emplace_back("the exit is given by `--exit PATH`");
    } else if (const auto near = nearest(key, candidates)) {
      d.helps.push_back(fmt::format("did you mean `{}`?", *near));
    } else {
      d.helps.push_back(fmt::format("the parameters are `{}`", fmt::join(candidates, "`, `")));
    }
    return std::nullopt;
  }

  void bind_path(ir::ParamId id, std::string_view name, const std::string& value) {
    const std::string problem = path_problem(value);
    if (!problem.empty()) {
      diagnostics_
          .add(id == ir::kExit ? Code::ND5010 : Code::ND5007, std::nullopt,
               fmt::format("{}={}: the value {}", name, value, problem))
          .helps.emplace_back("give the physical absolute path, as `pwd -P` prints it");
      return;
    }
    std::string physical = physical_alias(value, policy_.target);
    if (physical == "/") {
      diagnostics_.add(Code::ND5006, std::nullopt,
                       fmt::format("{}={}: this is the whole machine", name, value));
      return;
    }
    policy_.params[id.value].value = std::move(physical);
  }

  const std::optional<std::string>& value(ir::ParamId id) const {
    return policy_.params[id.value].value;
  }

  [[nodiscard]] bool below(std::string_view path, std::string_view root) const {
    return is_at_or_below(path, root, policy_.target);
  }

  /// Where the places may lie relative to each other, as far as they are known.
  void check_places() {
    const auto& home = value(ir::kHome);
    const auto& project = value(ir::kProject);
    const auto& tmp = value(ir::kTmp);
    if (!home) return;
    const std::string seal = *home + "/.nd7";
    if (project && below(*project, *home) && below(*home, *project)) {
      diagnostics_.add(
          Code::ND5009, std::nullopt,
          fmt::format("the project is the home directory, {}: all of it is writable but "
                      "what the rules deny",
                      *home));
    } else if (project && below(*home, *project)) {
      diagnostics_.add(Code::ND5006, std::nullopt,
                       fmt::format("PROJ={} holds the home directory {}", *project, *home));
    }
    if (tmp && below(*home, *tmp)) {
      diagnostics_.add(Code::ND5006, std::nullopt,
                       fmt::format("TMP={} holds the home directory {}", *tmp, *home));
    }
    for (const ir::ParamId id : {ir::kProject, ir::kTmp, ir::kExit}) {
      if (!value(id) || !below(*value(id), seal)) continue;
      diagnostics_.add(
          id == ir::kExit ? Code::ND5010 : Code::ND5006, std::nullopt,
          fmt::format("{}={} lies in {}, which is sealed",
                      id == ir::kExit ? "--exit" : policy_.params[id.value].key, *value(id), seal));
    }
  }

  const CheckOptions& options_;
  ir::Policy& policy_;
  Diagnostics& diagnostics_;
  std::vector<std::string> declared_;
  std::map<std::string, std::string> bound_;
};

}  // namespace

std::map<std::string, std::string> resolve_bindings(const Composition& composition,
                                                    const CheckOptions& options, ir::Policy& policy,
                                                    Diagnostics& diagnostics) {
  return Binder{composition, options, policy, diagnostics}.run();
}

std::string path_problem(std::string_view path) {
  if (path.empty()) return "is empty";
  if (path.front() != '/') return "is not an absolute path";
  if (const std::string_view problem = value_problem(path); !problem.empty()) {
    return std::string{problem};
  }
  if (path == "/") return {};
  if (path.back() == '/') return "ends in `/`";
  std::size_t at = 1;
  while (at <= path.size()) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string_view component = path.substr(at, end - at);
    if (component.empty()) return "holds `//`";
    if (component == "." || component == "..") return "holds `.` or `..`";
    at = end + 1;
  }
  return {};
}

}  // namespace nd7
