#include "compiler/linux/lower.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "compiler/linux/ports.hpp"
#include "compiler/linux/regions.hpp"

namespace nd7::linux_plan {
namespace {

using laws::Role;
using laws::Term;
using seatbelt::Filter;
using seatbelt::Op;
using Ops = std::bitset<seatbelt::kOpCount>;

constexpr std::array kRead{Op::file_read_data, Op::file_read_metadata, Op::file_read_xattr};
constexpr std::array kWrite{Op::file_write_acl,        Op::file_write_create, Op::file_write_data,
                            Op::file_write_finderinfo, Op::file_write_flags,  Op::file_write_mode,
                            Op::file_write_owner,      Op::file_write_times,  Op::file_write_unlink,
                            Op::file_write_xattr,      Op::file_link};
constexpr std::array kExec{Op::process_exec_all, Op::process_exec_interpreter};
constexpr std::array kListen{Op::network_inbound, Op::network_bind};
constexpr std::array kConnect{Op::network_outbound};

/// Beside those, what gives content or presence away, and other ways to change a file.
constexpr std::array kAlsoRead{Op::file_test_existence, Op::file_map_executable};
constexpr std::array kAlsoWrite{Op::file_write_setugid, Op::file_mknod};

Ops set_of(std::span<const Op> ops) {
  Ops result;
  for (const Op op : ops) result.set(static_cast<std::size_t>(op));
  return result;
}

Ops ops_of(const Term& term) {
  Ops result;
  for (const Op named : term.ops) result |= set_of(seatbelt::family(named));
  return result;
}

bool covers(const Ops& ops, std::span<const Op> wanted) { return (set_of(wanted) & ~ops).none(); }

bool opens(Role role) { return role == Role::allow || role == Role::grant; }
bool closes(Role role) { return role == Role::deny || role == Role::protect || role == Role::seal; }

/// What an allow opens, as far as it is trees.
struct Opening {
  Ops ops;
  std::vector<Piece> pieces;
  std::string rule;
};

/// Something that one access is granted for.
struct Granted {
  Piece piece;
  std::string rule;
};

auto order_of(const Tree& tree) { return std::tie(tree.path, tree.file, tree.rule); }

struct Less {
  bool operator()(const Tree& a, const Tree& b) const { return order_of(a) < order_of(b); }
  bool operator()(const Carve& a, const Carve& b) const {
    if (order_of(a.tree) != order_of(b.tree)) return order_of(a.tree) < order_of(b.tree);
    return std::lexicographical_compare(a.except.begin(), a.except.end(), b.except.begin(),
                                        b.except.end(), *this);
  }
  bool operator()(const Port& a, const Port& b) const {
    const auto key = [](const Port& port) {
      return std::tie(port.protocol, port.localhost, port.first, port.last, port.rule);
    };
    return key(a) < key(b);
  }
  bool operator()(const ir::Text& a, const ir::Text& b) const { return a < b; }
};

/// Sorted, each once: the order of rules means nothing.
template <class Item>
void make_canonical(std::vector<Item>& items) {
  std::sort(items.begin(), items.end(), Less{});
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

class Lowering {
 public:
  Lowering(const ir::Policy& policy, const std::vector<Term>& terms, laws::Profile profile)
      : policy_(policy), terms_(terms), regions_(policy) {
    plan_.name = policy.name;
    plan_.profile = profile;
  }

  Plan run() {
    collect();
    const auto reading = granted(kRead, {});
    const auto writing = granted(kWrite, kRead);
    const auto running = granted(kExec, {});
    open(reading, plan_.read, plan_.closed, {&reading, &writing});
    open(writing, plan_.write, plan_.readonly, {&writing});
    open(running, plan_.exec, plan_.noexec, {&running});
    const auto sockets = granted_sockets();
    open(sockets, plan_.sockets, plan_.no_sockets, {&sockets});
    for (const Term& term : terms_) {
      if (closes(term.role) && !is_structural(term)) close(term);
    }
    ports(kConnect, Filter::remote, plan_.connect);
    ports(kListen, Filter::local, plan_.bind);
    for (const ir::Directory& directory : policy_.directories) {
      plan_.directories.push_back(ir::substitute(directory.path, value()));
    }
    finish();
    return std::move(plan_);
  }

 private:
  std::function<std::optional<std::string>(ir::ParamId)> value() const {
    return [this](ir::ParamId id) { return policy_.params[id.value].value; };
  }

  /// What protection and the seal say of directories above, and of the exit as an interpreter.
  bool is_structural(const Term& term) const {
    if (term.role != Role::protect && term.role != Role::seal) return false;
    if (term.role == Role::protect && (ops_of(term) & set_of(kExec)).any()) return true;
    const auto atoms = policy_.conditions.atoms_of(term.cond);
    return std::all_of(atoms.begin(), atoms.end(), [&](ir::AtomId id) {
      return policy_.conditions.get(id).filter == Filter::path_ancestors;
    });
  }

  void collect() {
    for (const Term& term : terms_) {
      if (!opens(term.role)) continue;
      Opening opening{ops_of(term), {}, term.label};
      const Ops files = set_of(kRead) | set_of(kWrite) | set_of(kExec);
      if ((opening.ops & files).none()) continue;
      opening.pieces = regions_.opened(term.cond, PathOf::file);
      openings_.push_back(std::move(opening));
    }
  }

  /// Whether `op` is allowed in all of the piece of `own`.
  bool is_allowed(Op op, const Opening& own, const Piece& piece) const {
    if (own.ops.test(static_cast<std::size_t>(op))) return true;
    return std::any_of(openings_.begin(), openings_.end(), [&](const Opening& other) {
      if (!other.ops.test(static_cast<std::size_t>(op))) return false;
      return std::any_of(other.pieces.begin(), other.pieces.end(), [&](const Piece& wide) {
        return wide.except.empty() && contains(wide.tree, piece.tree);
      });
    });
  }

  /// The pieces of rules about the access in which all of it, and of `also`, is allowed.
  std::vector<Granted> granted(std::span<const Op> access, std::span<const Op> also) const {
    std::vector<Granted> result;
    for (const Opening& opening : openings_) {
      if ((opening.ops & set_of(access)).none()) continue;
      for (const Piece& piece : opening.pieces) {
        const auto allowed = [&](Op op) { return is_allowed(op, opening, piece); };
        if (std::all_of(access.begin(), access.end(), allowed) &&
            std::all_of(also.begin(), also.end(), allowed)) {
          result.push_back({piece, opening.rule});
        }
      }
    }
    return result;
  }

  std::vector<Granted> granted_sockets() const {
    std::vector<Granted> result;
    for (const Term& term : terms_) {
      if (!opens(term.role) || !covers(ops_of(term), kConnect)) continue;
      for (Piece& piece : regions_.opened(term.cond, PathOf::socket)) {
        result.push_back({std::move(piece), term.label});
      }
    }
    return result;
  }

  /// The trees, and what they leave out as carves. Where others open what is left out, it stays
  /// open; where they may lie in it, they are exceptions.
  void open(const std::vector<Granted>& granted, std::vector<Tree>& trees,
            std::vector<Carve>& carves,
            std::initializer_list<const std::vector<Granted>*> openers) {
    for (const Granted& one : granted) {
      Tree tree = one.piece.tree;
      tree.rule = one.rule;
      trees.push_back(std::move(tree));
      for (Tree hole : one.piece.except) {
        if (relation(hole.path, one.piece.tree.path) == Relation::apart) continue;
        hole.rule = one.rule;
        Carve carve{std::move(hole), {}};
        bool open_anyway = false;
        for (const auto* const list : openers) {
          for (const Granted& other : *list) {
            if (&other == &one) continue;
            open_anyway = open_anyway || keeps_open(other.piece, carve.tree);
            except(other, carve);
          }
        }
        if (!open_anyway) carves.push_back(std::move(carve));
      }
    }
  }

  static bool keeps_open(const Piece& piece, const Tree& hole) {
    return contains(piece.tree, hole) &&
           std::all_of(piece.except.begin(), piece.except.end(), [&](const Tree& tree) {
             return relation(tree.path, hole.path) == Relation::apart;
           });
  }

  /// Only what opens all of its tree: of two that leave something out, neither may open what the
  /// other one leaves out.
  static void except(const Granted& other, Carve& carve) {
    if (!other.piece.except.empty()) return;
    const Relation how = relation(other.piece.tree.path, carve.tree.path);
    if (how != Relation::below && how != Relation::unknown) return;
    Tree tree = other.piece.tree;
    tree.rule = other.rule;
    carve.except.push_back(std::move(tree));
  }

  void close(const Term& term) {
    const Ops ops = ops_of(term);
    const auto any_of = [&](std::span<const Op> wanted) { return (ops & set_of(wanted)).any(); };
    const bool reading = any_of(kRead) || any_of(kAlsoRead);
    const bool writing = any_of(kWrite) || any_of(kAlsoWrite);
    if (reading) carve(term, PathOf::file, plan_.closed);
    if (writing && !reading) carve(term, PathOf::file, plan_.readonly);
    if (any_of(kExec) && !reading) carve(term, PathOf::file, plan_.noexec);
    if (any_of(kConnect)) carve(term, PathOf::socket, plan_.no_sockets);
  }

  void carve(const Term& term, PathOf what, std::vector<Carve>& into) const {
    for (Piece& piece : regions_.closed(term.cond, what)) {
      piece.tree.rule = term.label;
      std::erase_if(piece.except, [&](const Tree& tree) {
        return relation(tree.path, piece.tree.path) == Relation::apart;
      });
      for (Tree& tree : piece.except) tree.rule = term.label;
      into.push_back({std::move(piece.tree), std::move(piece.except)});
    }
  }

  void ports(std::span<const Op> access, Filter filter, std::vector<Port>& into) const {
    PortSets denied;
    for (const Term& term : terms_) {
      if (!closes(term.role) || (ops_of(term) & set_of(access)).none()) continue;
      denied = denied.unite(ports_of(policy_.conditions, term.cond, filter, kClosing));
    }
    for (const Term& term : terms_) {
      if (!opens(term.role) || !covers(ops_of(term), access)) continue;
      PortSets sets = ports_of(policy_.conditions, term.cond, filter, kOpening).subtract(denied);
      // Listening is on this machine's loopback, whatever else the rule names.
      if (filter == Filter::local) {
        for (auto& hosts : sets.protocols) hosts.others = {};
      }
      for (Port& port : entries_of(sets, term.label)) into.push_back(std::move(port));
    }
  }

  void finish() {
    make_canonical(plan_.read);
    make_canonical(plan_.write);
    make_canonical(plan_.exec);
    for (auto* const carves : {&plan_.closed, &plan_.readonly, &plan_.noexec, &plan_.no_sockets}) {
      for (Carve& carve : *carves) make_canonical(carve.except);
      make_canonical(*carves);
    }
    // Reading comes with writing, and what is closed is read-only.
    std::erase_if(plan_.read, [&](const Tree& tree) {
      return std::binary_search(plan_.write.begin(), plan_.write.end(), tree, Less{});
    });
    std::erase_if(plan_.readonly, [&](const Carve& carve) {
      return std::binary_search(plan_.closed.begin(), plan_.closed.end(), carve, Less{});
    });
    make_canonical(plan_.connect);
    make_canonical(plan_.bind);
    make_canonical(plan_.sockets);
    make_canonical(plan_.directories);
    name_parameters();
  }

  template <class Function>
  void each_text(Function&& function) {
    for (auto* const trees : {&plan_.read, &plan_.write, &plan_.exec, &plan_.sockets}) {
      for (Tree& tree : *trees) function(tree.path);
    }
    for (auto* const carves : {&plan_.closed, &plan_.readonly, &plan_.noexec, &plan_.no_sockets}) {
      for (Carve& carve : *carves) {
        function(carve.tree.path);
        for (Tree& tree : carve.except) function(tree.path);
      }
    }
    for (ir::Text& path : plan_.directories) function(path);
  }

  /// The parameters that paths hold, numbered anew in the same order, so that nothing is resorted.
  void name_parameters() {
    std::map<std::uint32_t, std::uint32_t> used;
    each_text([&](ir::Text& text) {
      for (const ir::ParamId param : ir::params_of(text)) used.emplace(param.value, 0);
    });
    for (auto& [old, fresh] : used) {
      fresh = static_cast<std::uint32_t>(plan_.params.size());
      plan_.params.push_back({policy_.params[old].key, policy_.params[old].optional});
    }
    each_text([&](ir::Text& text) {
      text = ir::substitute(text, [&](ir::ParamId id) {
        return std::optional<std::string>{ir::hole(ir::ParamId{used.at(id.value)})};
      });
    });
  }

  const ir::Policy& policy_;
  const std::vector<Term>& terms_;
  Regions regions_;
  std::vector<Opening> openings_;
  Plan plan_;
};

}  // namespace

Plan lower(const ir::Policy& policy, const std::vector<Term>& terms, laws::Profile profile) {
  return Lowering{policy, terms, profile}.run();
}

}  // namespace nd7::linux_plan
