#include "compiler/validate/meaning.hpp"

#include <algorithm>
#include <utility>

namespace nd7::validate {
namespace {

using decide::Bdd;
using ir::CondKind;
using laws::Role;
using seatbelt::Op;

/// Subjects for which some filter matches every request.
bool has_total_filter(seatbelt::Subject subject) {
  switch (subject) {
    case seatbelt::Subject::path:
    case seatbelt::Subject::sysctl:
    case seatbelt::Subject::ipc:
    case seatbelt::Subject::preference:
    case seatbelt::Subject::mach: return true;
    default: return false;
  }
}

bool closes(Role role) {
  return role == Role::deny || role == Role::kept || role == Role::protect || role == Role::seal;
}

bool is_named_host(const ir::Atom& atom) {
  return info(atom.filter).value == seatbelt::FilterValue::address && atom.address.host != "*" &&
         atom.address.host != "localhost";
}

}  // namespace

Meanings::Meanings(const ir::Policy& policy, const std::vector<laws::Term>& terms, Atoms& atoms,
                   Bdd& bdd, std::vector<bool> unset)
    : policy_(policy),
      terms_(terms),
      atoms_(atoms),
      bdd_(bdd),
      unset_(std::move(unset)),
      naming_(seatbelt::kOpCount),
      variables_(policy.conditions.atom_count()) {
  for (std::uint32_t i = 0; i < terms.size(); ++i) {
    for (const Op named : terms[i].ops) {
      for (const Op op : seatbelt::family(named)) {
        auto& naming = naming_[static_cast<std::size_t>(op)];
        if (naming.empty() || naming.back() != i) naming.push_back(i);
      }
    }
  }
}

bool Meanings::names(const laws::Term& term, Op op) {
  return std::any_of(term.ops.begin(), term.ops.end(),
                     [&](Op named) { return is_within(op, named); });
}

Bdd::Function Meanings::condition(const laws::Term& term, Op op) {
  return function(term.cond, op, closes(term.role));
}

/// False for a parameter that is unset.
Bdd::Function Meanings::variable(ir::AtomId id) {
  auto& known = variables_[id.value];
  if (!known) {
    ir::Atom atom = policy_.conditions.get(id);
    // A host that Seatbelt cannot name is wider in an allow; the rules accept it.
    if (is_named_host(atom)) atom.address.host = "*";
    const auto variable = atoms_.of(atom, policy_, unset_);
    known = variable ? bdd_.variable(*variable) : Bdd::constant(false);
  }
  return *known;
}

// Depth is bounded by the parser's limit for expressions.
Bdd::Function Meanings::function(ir::CondId cond, Op op, bool deny) {
  const ir::CondNode& node = policy_.conditions.node(cond);
  switch (node.kind) {
    case CondKind::never: return Bdd::constant(false);
    case CondKind::always: return Bdd::constant(true);
    case CondKind::atom: {
      const ir::Atom& atom = policy_.conditions.get(node.atom);
      // What a deny says of a host that Seatbelt cannot name is not kept, which the rules accept.
      if (!accepts(op, atom.filter) || (deny && is_named_host(atom))) return Bdd::constant(false);
      return variable(node.atom);
    }
    default: break;
  }
  const std::uint64_t key = (std::uint64_t{cond.value} << 16U) |
                            (static_cast<std::uint64_t>(op) << 1U) | (deny ? 1U : 0U);
  if (const auto at = known_.find(key); at != known_.end()) return at->second;
  std::vector<Bdd::Function> kids;
  kids.reserve(node.kids.size());
  for (const ir::CondId kid : node.kids) kids.push_back(function(kid, op, deny));
  const Bdd::Function result = node.kind == CondKind::negation ? bdd_.negate(kids.front())
                               : node.kind == CondKind::all    ? bdd_.all_of(kids)
                                                               : bdd_.any_of(kids);
  known_.emplace(key, result);
  return result;
}

Meaning Meanings::of(Op op) {
  std::vector<Bdd::Function> opened;
  std::vector<Bdd::Function> closed;
  std::vector<Bdd::Function> exits;
  std::vector<Bdd::Function> sealed;
  for (const std::uint32_t index : naming_[static_cast<std::size_t>(op)]) {
    const laws::Term& term = terms_[index];
    Bdd::Function holds = condition(term, op);
    const bool total = term.cond == ir::kAlways && !has_total_filter(info(op).subject);
    const bool by_class = std::find(term.ops.begin(), term.ops.end(), op) == term.ops.end();
    if (closes(term.role) && (total || by_class)) {
      // Nothing can outrank what the import allows where no filter matches everything, or where the
      // operation cannot be named since some release lacks it: a loss that the rules accept.
      holds = bdd_.conjunction(holds, bdd_.negate(bdd_.variable(atoms_.import())));
    }
    switch (term.role) {
      case Role::allow:
      case Role::grant: opened.push_back(holds); break;
      case Role::deny:
      case Role::kept: closed.push_back(holds); break;
      case Role::exit: exits.push_back(holds); break;
      case Role::protect:
      case Role::seal: sealed.push_back(holds); break;
    }
  }
  // Linking is denied in general (law 7), whatever Seatbelt does by itself.
  const bool builtin = builtin_answer(op) == seatbelt::Builtin::allow && op != Op::file_link;
  opened.push_back(Bdd::constant(builtin));
  opened.push_back(bdd_.variable(atoms_.import()));
  const Bdd::Function denied = bdd_.any_of(closed);
  const Bdd::Function exit = bdd_.any_of(exits);
  const Bdd::Function kept = bdd_.negate(bdd_.any_of(sealed));
  const Bdd::Function rules = bdd_.conjunction(bdd_.any_of(opened), bdd_.negate(denied));
  return {bdd_.conjunction(kept, bdd_.disjunction(exit, rules)), bdd_.conjunction(kept, exit)};
}

}  // namespace nd7::validate
