#include "runtime/platform/linux/layout.hpp"

#include <algorithm>
#include <map>

namespace nd7::runtime {
namespace {

using linux_plan::Carve;
using linux_plan::Plan;
using linux_plan::Tree;

bool holds(const Tree& tree, std::string_view path) { return is_at_or_below(path, tree.path); }

bool holds(const Carve& carve, std::string_view path) {
  return holds(carve.tree, path) &&
         std::none_of(carve.except.begin(), carve.except.end(),
                      [&](const Tree& tree) { return holds(tree, path); });
}

template <class Many>
bool any_holds(const Many& many, std::string_view path) {
  return std::any_of(many.begin(), many.end(), [&](const auto& one) { return holds(one, path); });
}

class Builder {
 public:
  Builder(const Plan& plan, const std::vector<OwnPlace>& own) : plan_(plan), own_(own) {}

  Layout run() {
    add("/");
    for (const OwnPlace& own : own_) {
      const Access access = own.read_only ? Access::read : Access::own;
      places_[own.path] = Place{own.path, access, executable(own.path), false, true};
    }
    for (const auto* trees : {&plan_.read, &plan_.write, &plan_.exec}) {
      for (const Tree& tree : *trees) add(tree.path, tree.file);
    }
    for (const auto* carves : {&plan_.closed, &plan_.readonly, &plan_.noexec}) {
      for (const Carve& carve : *carves) {
        add(carve.tree.path);
        for (const Tree& tree : carve.except) add(tree.path, tree.file);
        guard(carve.tree.path);
      }
    }
    Layout layout;
    layout.reserve(places_.size());
    for (auto& [path, place] : places_) layout.push_back(std::move(place));
    return layout;
  }

 private:
  /// A place named both by its file and as a tree is a tree.
  void add(const std::string& path, bool file_only = false) {
    const auto [at, is_new] =
        places_.try_emplace(path, Place{path, access(path), executable(path), file_only, false});
    if (!is_new) at->second.file_only = at->second.file_only && file_only;
  }

  void guard(std::string_view path) {
    for (std::size_t slash = path.rfind('/'); slash != 0 && slash != std::string_view::npos;
         slash = path.rfind('/')) {
      path = path.substr(0, slash);
      if (access(path) == Access::write) add(std::string{path});
    }
  }

  Access access(std::string_view path) const {
    if (any_holds(plan_.closed, path)) return Access::closed;
    const std::size_t own = own_above(path);
    if (named_below(plan_.write, own, path)) {
      return any_holds(plan_.readonly, path) ? Access::read : Access::write;
    }
    if (own == 0) return any_holds(plan_.read, path) ? Access::read : Access::closed;
    return named_below(plan_.read, own, path) ? Access::read : Access::own;
  }

  bool executable(std::string_view path) const {
    return any_holds(plan_.exec, path) && !any_holds(plan_.closed, path) &&
           !any_holds(plan_.noexec, path);
  }

  /// The length of the session's own directory that holds `path`, 0 if none does.
  std::size_t own_above(std::string_view path) const {
    std::size_t length = 0;
    for (const OwnPlace& own : own_) {
      if (is_at_or_below(path, own.path)) length = std::max(length, own.path.size());
    }
    return length;
  }

  /// A tree that holds `path` and is named inside the session's own directory, if there is one:
  /// wider trees do not bring the host's files in.
  static bool named_below(const std::vector<Tree>& trees, std::size_t own, std::string_view path) {
    return std::any_of(trees.begin(), trees.end(), [&](const Tree& tree) {
      return holds(tree, path) && (own == 0 || tree.path.size() > own);
    });
  }

  const Plan& plan_;
  const std::vector<OwnPlace>& own_;
  /// By path: what is above stands before what is below.
  std::map<std::string, Place> places_;
};

}  // namespace

bool is_at_or_below(std::string_view path, std::string_view tree) {
  if (tree == "/") return true;
  return path.substr(0, tree.size()) == tree &&
         (path.size() == tree.size() || path[tree.size()] == '/');
}

Layout layout_of(const Plan& plan, const std::vector<OwnPlace>& own) {
  return Builder{plan, own}.run();
}

}  // namespace nd7::runtime
