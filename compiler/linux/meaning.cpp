#include "compiler/linux/meaning.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "compiler/linux/model_text.hpp"
#include "compiler/seatbelt/lower/lower.hpp"
#include "compiler/seatbelt/lower/print.hpp"

namespace nd7::linux_plan {
namespace {

using ir::CondId;
using ir::Conditions;
using ir::CondKind;
using laws::Role;
using laws::Term;
using seatbelt::Filter;
using seatbelt::FilterValue;
using seatbelt::Op;

bool about_files(Op op) { return info(op).subject == seatbelt::Subject::path; }

bool is_address(const ir::Atom& atom) { return info(atom.filter).value == FilterValue::address; }

bool is_tree(const ir::Atom& atom) {
  return atom.filter == Filter::subpath || atom.filter == Filter::remote_unix ||
         (atom.filter == Filter::literal && atom.text != "/");
}

/// `cond` with its atoms exchanged: `function` gets each atom, its condition, and whether it stands
/// under an even number of negations.
template <class Function>
CondId exchange(Conditions& conditions, CondId cond, Function&& function, bool positive = true) {
  const ir::CondNode node = conditions.node(cond);
  if (node.kind == CondKind::atom) {
    const ir::Atom atom = conditions.get(node.atom);
    return function(atom, cond, positive);
  }
  if (node.kids.empty()) return cond;
  const bool below = node.kind == CondKind::negation ? !positive : positive;
  std::vector<CondId> kids;
  for (const CondId kid : node.kids) kids.push_back(exchange(conditions, kid, function, below));
  switch (node.kind) {
    case CondKind::negation: return conditions.negate(kids.front());
    case CondKind::all: return conditions.all(std::move(kids));
    default: return conditions.any(std::move(kids));
  }
}

/// Without addresses, which are compared elsewhere, and without what an unset parameter leaves out.
CondId settled(ir::Policy& policy, CondId cond) {
  return exchange(policy.conditions, cond, [&](const ir::Atom& atom, CondId same, bool) {
    if (is_address(atom)) return ir::kNever;
    for (const ir::ParamId param : ir::params_of(atom.text)) {
      if (!policy.params[param.value].value) return ir::kNever;
    }
    return same;
  });
}

/// What a deny closes for certain: patterns are not kept.
CondId by_trees(Conditions& conditions, CondId cond) {
  return exchange(conditions, cond, [](const ir::Atom& atom, CondId same, bool positive) {
    return positive && !is_tree(atom) ? ir::kNever : same;
  });
}

CondId subpath(Conditions& conditions, std::string text) {
  return conditions.atom({Filter::subpath, std::move(text), 0, {}});
}

/// Nothing is below a file: what closes it closes that, too. An allow closes
/// by what it leaves out.
CondId below_files(Conditions& conditions, CondId cond, bool closing) {
  return exchange(conditions, cond, [&](const ir::Atom& atom, CondId same, bool positive) {
    const bool closes_it = positive == closing && atom.filter == Filter::literal;
    return closes_it ? subpath(conditions, atom.text) : same;
  });
}

/// All that a plan may have closed for a deny: trees for files, no exception by a pattern, and one
/// of several trees that have to hold together.
CondId generously(Conditions& conditions, CondId cond) {
  const ir::CondNode node = conditions.node(cond);
  switch (node.kind) {
    case CondKind::never:
    case CondKind::always: return cond;
    case CondKind::atom: {
      const ir::Atom atom = conditions.get(node.atom);
      return atom.filter == Filter::literal ? subpath(conditions, atom.text) : cond;
    }
    case CondKind::negation: {
      // An exception by trees may have been kept, and one by patterns not at all.
      const CondId inner = node.kids.front();
      const auto atoms = conditions.atoms_of(inner);
      const bool plain = std::all_of(atoms.begin(), atoms.end(),
                                     [&](ir::AtomId id) { return is_tree(conditions.get(id)); });
      const CondKind kind = conditions.node(inner).kind;
      return plain && (kind == CondKind::atom || kind == CondKind::any) ? cond : ir::kAlways;
    }
    case CondKind::any: {
      std::vector<CondId> kids;
      for (const CondId kid : node.kids) kids.push_back(generously(conditions, kid));
      return conditions.any(std::move(kids));
    }
    case CondKind::all: break;
  }
  std::vector<CondId> positive;
  std::vector<CondId> negative;
  for (const CondId kid : node.kids) {
    const bool negated = conditions.node(kid).kind == CondKind::negation;
    (negated ? negative : positive).push_back(generously(conditions, kid));
  }
  if (!positive.empty()) negative.push_back(conditions.any(std::move(positive)));
  return conditions.all(std::move(negative));
}

/// The parts of an allow that are trees, or a tree without trees: `kept` gets them, `left_out` what
/// they leave out.
void tree_parts(Conditions& conditions, CondId cond, std::vector<CondId>& kept,
                std::vector<CondId>& left_out) {
  const ir::CondNode node = conditions.node(cond);
  const auto is_tree_cond = [&](CondId id) {
    const ir::CondNode& at = conditions.node(id);
    return id == ir::kAlways || (at.kind == CondKind::atom && is_tree(conditions.get(at.atom)));
  };
  const auto is_union = [&](CondId id) {
    const ir::CondNode& at = conditions.node(id);
    return is_tree_cond(id) ||
           (at.kind == CondKind::any && std::all_of(at.kids.begin(), at.kids.end(), is_tree_cond));
  };
  if (is_tree_cond(cond)) {
    kept.push_back(cond);
  } else if (node.kind == CondKind::any) {
    for (const CondId kid : node.kids) tree_parts(conditions, kid, kept, left_out);
  } else if (node.kind == CondKind::all) {
    std::size_t positive = 0;
    std::vector<CondId> excepted;
    for (const CondId kid : node.kids) {
      const ir::CondNode& part = conditions.node(kid);
      if (part.kind != CondKind::negation) {
        if (!is_union(kid)) return;
        ++positive;
      } else if (is_union(part.kids.front()) && part.kids.front() != ir::kAlways) {
        excepted.push_back(generously(conditions, part.kids.front()));
      } else {
        return;
      }
    }
    if (positive > 1) return;
    kept.push_back(cond);
    left_out.insert(left_out.end(), excepted.begin(), excepted.end());
  }
}

std::vector<Op> ops_in(const Term& term, const std::vector<Op>& among) {
  std::vector<Op> result;
  for (const Op op : among) {
    if (names(term, op)) result.push_back(op);
  }
  return result;
}

const std::vector<Op>& files() {
  static const std::vector<Op> all = [] {
    std::vector<Op> result = reading();
    result.insert(result.end(), writing().begin(), writing().end());
    result.insert(result.end(), running().begin(), running().end());
    return result;
  }();
  return all;
}

/// Closes what Seatbelt allows by itself.
seatbelt::ProfileRule without_builtins() {
  seatbelt::ProfileRule rule;
  for (std::size_t i = 1; i < seatbelt::kOpCount; ++i) {
    const auto op = static_cast<Op>(i);
    if (!seatbelt::parent(op) && builtin_answer(op) == seatbelt::Builtin::allow) {
      rule.ops.push_back(op);
    }
  }
  rule.label = "nothing else";
  return rule;
}

}  // namespace

bool opens(Role role) { return role == Role::allow || role == Role::grant; }

bool closes(Role role) { return role == Role::deny || role == Role::protect || role == Role::seal; }

bool names(const Term& term, Op op) {
  return std::any_of(term.ops.begin(), term.ops.end(),
                     [&](Op named) { return is_within(op, named); });
}

bool is_structural(const ir::Policy& policy, const Term& term) {
  if (term.role != Role::protect && term.role != Role::seal) return false;
  if (term.role == Role::protect && !ops_in(term, running()).empty()) return true;
  const auto atoms = policy.conditions.atoms_of(term.cond);
  return std::all_of(atoms.begin(), atoms.end(), [&](ir::AtomId id) {
    return policy.conditions.get(id).filter == Filter::path_ancestors;
  });
}

const std::vector<Op>& reading() {
  static const std::vector<Op> ops{Op::file_read_data, Op::file_read_metadata, Op::file_read_xattr,
                                   Op::file_test_existence, Op::file_map_executable};
  return ops;
}

const std::vector<Op>& writing() {
  static const std::vector<Op> ops{
      Op::file_write_data,  Op::file_write_create, Op::file_write_unlink,     Op::file_write_mode,
      Op::file_write_owner, Op::file_write_times,  Op::file_write_flags,      Op::file_write_xattr,
      Op::file_write_acl,   Op::file_link,         Op::file_write_finderinfo,
  };
  return ops;
}

const std::vector<Op>& running() {
  static const std::vector<Op> ops{Op::process_exec_all, Op::process_exec_interpreter};
  return ops;
}

Meanings::Meanings(const ir::Policy& policy, const std::vector<Term>& terms,
                   const SourceMap& sources)
    : policy_(policy), terms_(terms), sources_(sources) {}

bool Meanings::has_patterns(std::size_t term) const {
  const auto atoms = policy_.conditions.atoms_of(terms_[term].cond);
  return std::any_of(atoms.begin(), atoms.end(), [&](ir::AtomId id) {
    const ir::Atom& atom = policy_.conditions.get(id);
    return !is_tree(atom) && !is_address(atom);
  });
}

bool Meanings::is_plain(std::size_t term) const {
  const auto atoms = policy_.conditions.positive_atoms_of(terms_[term].cond);
  return std::all_of(atoms.begin(), atoms.end(), [&](ir::AtomId id) {
    const ir::Atom& atom = policy_.conditions.get(id);
    return is_tree(atom) || is_address(atom);
  });
}

/// The operations of accesses that the term names all of: reading, writing with reading, running;
/// connecting is one operation.
std::vector<Op> Meanings::whole_accesses(const Term& term) {
  std::vector<Op> result;
  const auto take = [&](const std::vector<Op>& ops, std::size_t count) {
    const auto end = ops.begin() + static_cast<std::ptrdiff_t>(count);
    if (!std::all_of(ops.begin(), end, [&](Op op) { return names(term, op); })) return false;
    result.insert(result.end(), ops.begin(), end);
    return true;
  };
  if (take(reading(), 3)) take(writing(), writing().size());
  take(running(), running().size());
  if (names(term, Op::network_outbound)) result.push_back(Op::network_outbound);
  return result;
}

/// The term's part about files and its part about sockets, with `cond`.
void Meanings::add(Terms& into, ir::Policy& policy, const Term& term, CondId cond) const {
  cond = settled(policy, cond);
  Term part = term;
  part.role = opens(term.role) ? Role::allow : Role::deny;
  part.ops.clear();
  for (const Op op : term.ops) {
    if (about_files(op)) part.ops.push_back(op);
  }
  part.cond = cond;
  if (cond != ir::kNever && !part.ops.empty()) into.push_back(part);
  if (names(term, Op::network_outbound)) {
    part.ops = {Op::network_outbound};
    part.cond =
        policy.conditions.all({cond, policy.conditions.atom({Filter::remote_unix, {}, 0, {}})});
    if (part.cond != ir::kNever) into.push_back(part);
  }
}

/// What is the session's own is not about the host's files: /tmp, but for trees that rules name in
/// it, /dev/shm and /run/user.
void Meanings::add_private(Terms& into, ir::Policy& policy, const std::vector<Op>& about,
                           bool for_certain, const std::set<std::size_t>& without) const {
  Conditions& conditions = policy.conditions;
  std::vector<CondId> named;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const Term& term = terms_[i];
    if (!opens(term.role) || ops_in(term, about).empty()) continue;
    std::vector<CondId> conds{settled(policy, term.cond)};
    if (without.count(i) != 0) continue;
    if (for_certain) {
      Term whole = term;
      whole.ops = whole_accesses(term);
      if (ops_in(whole, files()).empty()) continue;
      std::vector<CondId> kept;
      std::vector<CondId> left_out;
      tree_parts(conditions, conds.front(), kept, left_out);
      conds = std::move(kept);
    }
    for (const CondId cond : conds) {
      for (const ir::AtomId id : conditions.positive_atoms_of(cond)) {
        const ir::Atom atom = conditions.get(id);
        if (atom.filter != Filter::subpath && atom.filter != Filter::literal) continue;
        texts.push_back(ir::substitute(
            atom.text, [&](ir::ParamId param) { return policy.params[param.value].value; }));
        named.push_back(conditions.atom(atom));
      }
    }
  }
  std::vector<CondId> places;
  for (const std::string root : {"/tmp", "/dev/shm", "/run/user"}) {
    std::vector<CondId> brought;
    for (std::size_t i = 0; i < named.size(); ++i) {
      const bool counts = root == "/tmp" || !for_certain;
      if (counts && texts[i].rfind(root + "/", 0) == 0) brought.push_back(named[i]);
    }
    places.push_back(conditions.all(
        {subpath(conditions, root), conditions.negate(conditions.any(std::move(brought)))}));
  }
  Term term;
  term.role = Role::deny;
  term.ops = files();
  term.cond = conditions.any(std::move(places));
  term.label = "private";
  into.push_back(std::move(term));
}

std::optional<answer::Side> Meanings::side_of(ir::Policy& policy, const Terms& terms, bool builtins,
                                              std::string& bug) const {
  Diagnostics ignored;
  auto profile = seatbelt::lower(policy, terms, laws::Profile::command, sources_, ignored,
                                 seatbelt::Style::complete);
  if (!builtins) profile.rules.insert(profile.rules.begin(), without_builtins());
  return side_of_text(seatbelt::print(policy, profile, {}).text, bug);
}

std::optional<answer::Side> Meanings::upper(std::string& bug) const {
  ir::Policy policy = policy_;
  Terms terms;
  for (const Term& term : terms_) {
    if (is_structural(policy_, term)) continue;
    if (opens(term.role)) add(terms, policy, term, term.cond);
    if (closes(term.role)) add(terms, policy, term, by_trees(policy.conditions, term.cond));
  }
  return side_of(policy, terms, true, bug);
}

/// A part that is closed closes all of its access, and what is not read is neither written nor run.
void Meanings::add_generously(Terms& into, ir::Policy& policy, const Term& term,
                              CondId cond) const {
  Term one = term;
  one.role = Role::deny;
  one.ops.clear();
  const bool reads = !ops_in(term, reading()).empty();
  const bool writes = !ops_in(term, writing()).empty() || names(term, Op::file_write_setugid) ||
                      names(term, Op::file_mknod);
  if (reads) {
    one.ops = files();
  } else if (writes) {
    one.ops = writing();
  }
  if (!reads && !ops_in(term, running()).empty()) {
    one.ops.insert(one.ops.end(), running().begin(), running().end());
  }
  if (names(term, Op::network_outbound)) one.ops.push_back(Op::network_outbound);
  add(into, policy, one, cond);
}

std::optional<answer::Side> Meanings::lower(std::string& bug) const {
  ir::Policy policy = policy_;
  Conditions& conditions = policy.conditions;
  Terms terms;
  for (const Term& term : terms_) {
    if (is_structural(policy_, term)) continue;
    if (closes(term.role)) {
      add_generously(terms, policy, term, generously(conditions, term.cond));
    }
    if (!opens(term.role)) continue;
    Term opener = term;
    opener.ops = whole_accesses(term);
    std::vector<CondId> kept;
    std::vector<CondId> left_out;
    tree_parts(conditions, term.cond, kept, left_out);
    add(terms, policy, opener, conditions.any(std::move(kept)));
    if (left_out.empty()) continue;
    add_generously(terms, policy, term, conditions.any(std::move(left_out)));
  }
  add_private(terms, policy, files(), true, {});
  return side_of(policy, terms, false, bug);
}

std::optional<answer::Side> Meanings::opened(const std::vector<Op>& about,
                                             const std::set<std::size_t>& without,
                                             const std::set<std::size_t>& wholly,
                                             std::string& bug) const {
  ir::Policy policy = policy_;
  Conditions& conditions = policy.conditions;
  Terms terms;
  // Signals have no paths.
  const auto add_signals = [&](const Term& term, Role role) {
    if (!names(term, Op::signal)) return;
    terms.push_back(term);
    terms.back().role = role;
    terms.back().ops = {Op::signal};
  };
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const Term& term = terms_[i];
    if (is_structural(policy_, term)) continue;
    if (opens(term.role) && without.count(i) == 0) {
      add(terms, policy, term, below_files(conditions, term.cond, false));
      add_signals(term, Role::allow);
    }
    if (opens(term.role) && wholly.count(i) != 0) {
      std::vector<CondId> kept;
      std::vector<CondId> left_out;
      tree_parts(conditions, term.cond, kept, left_out);
      add_generously(terms, policy, term, conditions.any(std::move(left_out)));
    }
    if (!closes(term.role)) continue;
    add(terms, policy, term, below_files(conditions, term.cond, true));
    add_signals(term, Role::deny);
    if (wholly.count(i) != 0) {
      add_generously(terms, policy, term, generously(conditions, term.cond));
    }
  }
  add_private(terms, policy, about, false, without);
  return side_of(policy, terms, false, bug);
}

std::optional<answer::Side> Meanings::matched_by(std::size_t index, std::string& bug) const {
  ir::Policy policy = policy_;
  Term term = terms_[index];
  term.role = Role::allow;
  term.cond = settled(policy, term.cond);
  return side_of(policy, {std::move(term)}, false, bug);
}

}  // namespace nd7::linux_plan
