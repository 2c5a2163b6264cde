#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>

#include "runtime/platform/linux/layout.hpp"
#include "runtime/session/render.hpp"

namespace nd7::runtime {
namespace {

using linux_plan::Carve;
using linux_plan::Plan;
using linux_plan::Tree;

/// The first symbolic link on the way to `path`, itself included.
std::optional<std::string> first_link(const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    struct stat status {};
    if (::lstat(part.c_str(), &status) != 0) return std::nullopt;
    if (S_ISLNK(status.st_mode)) return part;
    if (end == std::string::npos) return std::nullopt;
  }
}

std::optional<std::string> real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real{::realpath(path.c_str(), nullptr),
                                                         &std::free};
  if (!real) return std::nullopt;
  return std::string{real.get()};
}

class Resolver {
 public:
  explicit Resolver(Plan& plan) : plan_(plan), writable_(plan.write) {}

  void run() {
    for (auto* trees : {&plan_.read, &plan_.write, &plan_.exec, &plan_.sockets}) {
      for (Tree& tree : *trees) open(tree);
    }
    for (auto* carves : {&plan_.closed, &plan_.readonly, &plan_.noexec, &plan_.no_sockets}) {
      std::vector<Carve> more;
      for (Carve& carve : *carves) close(carve, more);
      carves->insert(carves->end(), more.begin(), more.end());
    }
  }

 private:
  void open(Tree& tree) const {
    const auto link = first_link(tree.path);
    if (!link || is_writable(*link)) return;
    if (auto real = real_path(tree.path)) tree.path = std::move(*real);
  }

  /// Wherever a link was put, what it leads to is closed, too.
  static void close(Carve& carve, std::vector<Carve>& more) {
    if (!first_link(carve.tree.path)) return;
    auto real = real_path(carve.tree.path);
    if (!real) return;
    Carve other = carve;
    const std::size_t length = carve.tree.path.size();
    for (Tree& tree : other.except) tree.path = *real + tree.path.substr(length);
    other.tree.path = std::move(*real);
    more.push_back(std::move(other));
  }

  bool is_writable(const std::string& link) const {
    return std::any_of(writable_.begin(), writable_.end(), [&](const Tree& tree) {
      return link != tree.path && is_at_or_below(link, tree.path);
    });
  }

  Plan& plan_;
  const std::vector<Tree> writable_;
};

}  // namespace

void resolve_links(Plan& plan) { Resolver{plan}.run(); }

}  // namespace nd7::runtime
