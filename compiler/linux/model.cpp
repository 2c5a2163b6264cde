#include "compiler/linux/model.hpp"

#include <array>

namespace nd7::linux_plan {
namespace {

constexpr std::array<std::string_view, 3> kPrivate{"/tmp", "/dev/shm", "/run/user"};
constexpr std::string_view kShared = "/tmp";  ///< of those, where rules bring the host's in

bool at_or_below(std::string_view path, std::string_view tree) {
  if (tree == "/") return true;
  return path.substr(0, tree.size()) == tree &&
         (path.size() == tree.size() || path[tree.size()] == '/');
}

bool opens(const Tree& tree, std::string_view path) {
  return tree.file ? tree.path == path : at_or_below(path, tree.path);
}

const Tree* opener(const std::vector<Tree>& trees, std::string_view path) {
  for (const Tree& tree : trees) {
    if (opens(tree, path)) return &tree;
  }
  return nullptr;
}

/// Whatever is below a file's path shows that it is a directory, so the whole tree is meant.
bool closes(const Carve& carve, std::string_view path) {
  return at_or_below(path, carve.tree.path) && opener(carve.except, path) == nullptr;
}

const Carve* closer(const std::vector<Carve>& carves, std::string_view path) {
  for (const Carve& carve : carves) {
    if (closes(carve, path)) return &carve;
  }
  return nullptr;
}

/// The host's tree is there although what is around it is not.
bool brings_in(const std::vector<Tree>& trees, std::string_view path) {
  for (const Tree& tree : trees) {
    if (tree.path != kShared && at_or_below(tree.path, kShared) && opens(tree, path)) return true;
  }
  return false;
}

Decision port(const std::vector<Port>& ports, Protocol protocol, bool localhost,
              std::uint16_t number) {
  for (const Port& one : ports) {
    if (one.protocol != protocol || number < one.first || number > one.last) continue;
    if (!one.localhost || localhost) return {true, false, one.rule};
  }
  return {};
}

}  // namespace

bool is_private(const Plan& plan, std::string_view path) {
  for (const std::string_view root : kPrivate) {
    if (!at_or_below(path, root)) continue;
    return root != kShared || !(brings_in(plan.read, path) || brings_in(plan.write, path) ||
                                brings_in(plan.exec, path));
  }
  return false;
}

Decision decide_path(const Plan& plan, Access access, std::string_view path) {
  if (is_private(plan, path)) return {true, true, {}};
  if (const Carve* const carve = closer(plan.closed, path)) return {false, false, carve->tree.rule};
  if (access == Access::write) {
    if (const Carve* const carve = closer(plan.readonly, path)) {
      return {false, false, carve->tree.rule};
    }
  }
  if (access == Access::exec) {
    if (const Carve* const carve = closer(plan.noexec, path)) {
      return {false, false, carve->tree.rule};
    }
  }
  const Tree* tree = nullptr;
  if (access == Access::read) tree = opener(plan.read, path);
  if (access != Access::exec && tree == nullptr) tree = opener(plan.write, path);
  if (access == Access::exec) tree = opener(plan.exec, path);
  if (tree == nullptr) return {};
  return {true, false, tree->rule};
}

Decision decide_connect(const Plan& plan, Protocol protocol, bool localhost, std::uint16_t number) {
  return port(plan.connect, protocol, localhost, number);
}

Decision decide_bind(const Plan& plan, Protocol protocol, bool localhost, std::uint16_t number) {
  if (!localhost) return {};
  return port(plan.bind, protocol, true, number);
}

Decision decide_socket(const Plan& plan, std::string_view path) {
  if (const Carve* const carve = closer(plan.no_sockets, path)) {
    return {false, false, carve->tree.rule};
  }
  const Tree* const tree = opener(plan.sockets, path);
  if (tree == nullptr) return {};
  return {true, false, tree->rule};
}

}  // namespace nd7::linux_plan
