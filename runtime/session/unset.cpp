#include <algorithm>
#include <string_view>

#include "compiler/ir/text.hpp"
#include "runtime/session/render.hpp"

namespace nd7::runtime {
namespace {

using linux_plan::Carve;
using linux_plan::Plan;
using linux_plan::Tree;

class Remover {
 public:
  explicit Remover(Plan& plan) : plan_(plan) {}

  void run() {
    for (auto* trees : {&plan_.read, &plan_.write, &plan_.exec, &plan_.sockets}) {
      std::erase_if(*trees, [&](const Tree& tree) { return is_unset(tree.path); });
    }
    for (auto* carves : {&plan_.closed, &plan_.readonly, &plan_.noexec, &plan_.no_sockets}) {
      std::erase_if(*carves, [&](const Carve& carve) { return is_unset(carve.tree.path); });
      for (Carve& carve : *carves) {
        std::erase_if(carve.except, [&](const Tree& tree) { return is_unset(tree.path); });
      }
    }
    std::erase_if(plan_.directories, [&](const ir::Text& path) { return is_unset(path); });
    // No hole is left, so nothing names them by their numbers.
    if (std::all_of(plan_.params.begin(), plan_.params.end(),
                    [](const linux_plan::Param& param) { return param.optional; })) {
      plan_.params.clear();
    }
  }

 private:
  [[nodiscard]] bool is_unset(std::string_view path) const {
    const auto holes = ir::params_of(path);
    return std::any_of(holes.begin(), holes.end(), [&](ir::ParamId id) {
      return id.value < plan_.params.size() && plan_.params[id.value].optional;
    });
  }

  Plan& plan_;
};

}  // namespace

void remove_unset(Plan& plan) { Remover{plan}.run(); }

}  // namespace nd7::runtime
