#include "compiler/linux/values.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace nd7::linux_plan {
namespace {

class Binder {
 public:
  Binder(const Plan& plan, const std::map<std::string, std::string>& values) : plan_(plan) {
    for (std::size_t i = 0; i < plan.params.size(); ++i) {
      const Param& param = plan.params[i];
      const auto at = values.find(param.key);
      if (at != values.end()) {
        values_.emplace_back(at->second);
      } else if (param.optional) {
        values_.emplace_back(std::nullopt);
      } else {
        values_.emplace_back(ir::hole(ir::ParamId{static_cast<std::uint32_t>(left_.size())}));
        left_.push_back(param);
      }
    }
  }

  Plan run() && {
    Plan result = plan_;
    result.params = std::move(left_);
    for (auto* const trees : {&result.read, &result.write, &result.exec, &result.sockets}) {
      fill(*trees);
    }
    for (auto* const carves :
         {&result.closed, &result.readonly, &result.noexec, &result.no_sockets}) {
      std::erase_if(*carves, [&](Carve& carve) { return !fill(carve.tree.path); });
      for (Carve& carve : *carves) fill(carve.except);
    }
    std::erase_if(result.directories, [&](ir::Text& path) { return !fill(path); });
    return result;
  }

 private:
  /// False if a parameter in the path has no value and needs none.
  bool fill(ir::Text& path) const {
    for (const ir::ParamId param : ir::params_of(path)) {
      if (param.value >= values_.size() || !values_[param.value]) return false;
    }
    path = ir::substitute(path, [&](ir::ParamId id) { return values_[id.value]; });
    if (path.substr(0, 2) == "//") path.erase(0, 1);  // below a parameter that is the root
    return true;
  }

  void fill(std::vector<Tree>& trees) const {
    std::erase_if(trees, [&](Tree& tree) { return !fill(tree.path); });
  }

  const Plan& plan_;
  std::vector<std::optional<std::string>> values_;
  std::vector<Param> left_;
};

}  // namespace

Plan with_values(const Plan& plan, const std::map<std::string, std::string>& values) {
  return Binder{plan, values}.run();
}

}  // namespace nd7::linux_plan
