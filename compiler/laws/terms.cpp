#include "compiler/laws/terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <map>
#include <utility>

#include "compiler/laws/case_fold.hpp"
#include "compiler/laws/stability.hpp"
#include "compiler/seatbelt/tables/verb.hpp"

namespace nd7::laws {
namespace {

using ir::CondId;
using seatbelt::Builtin;
using seatbelt::Filter;
using seatbelt::Op;

/// What Seatbelt allows by itself and reading a file's content or presence can be had from.
constexpr std::array kReadPartners{Op::file_link, Op::file_clone, Op::file_test_existence,
                                   Op::file_map_executable};
constexpr std::array kWritePartners{Op::file_link};
/// Other operations on files, denied unless a rule allows them: closed only where one does.
constexpr std::array kReadRelated{Op::file_search, Op::file_issue_extension};
constexpr std::array kWriteRelated{Op::file_write_setugid,   Op::file_mknod,   Op::file_mount,
                                   Op::file_mount_update,    Op::file_unmount, Op::file_revoke,
                                   Op::file_issue_extension, Op::fs_rename};

/// What takes a whole directory along.
constexpr std::array kTakeAlong{Op::file_write_unlink, Op::file_link, Op::file_clone,
                                Op::fs_rename};

template <class Many, class One>
bool has(const Many& many, const One& one) {
  return std::find(many.begin(), many.end(), one) != many.end();
}

bool touches(const std::vector<Op>& ops, Op family) {
  return std::any_of(ops.begin(), ops.end(), [&](Op op) {
    return is_within(op, family) || (op != Op::default_ && is_within(family, op));
  });
}

using FilterSet = std::bitset<seatbelt::kFilterCount>;

FilterSet filters_of(const ir::Conditions& conditions, CondId cond) {
  FilterSet result;
  for (const ir::AtomId id : conditions.atoms_of(cond)) {
    result.set(static_cast<std::size_t>(conditions.get(id).filter));
  }
  return result;
}

/// Whether an operation takes every filter of the set.
bool fits(const FilterSet& filters, Op op) {
  for (std::size_t i = 0; i < filters.size(); ++i) {
    if (filters.test(i) && !accepts(op, static_cast<Filter>(i))) return false;
  }
  return true;
}
bool fits(const ir::Conditions& conditions, CondId cond, Op op) {
  return fits(filters_of(conditions, cond), op);
}

/// The files whose sockets a condition about connecting is about.
CondId socket_files(ir::Conditions& conditions, CondId cond) {
  const ir::CondNode node = conditions.node(cond);
  std::vector<CondId> kids;
  for (const CondId kid : node.kids) kids.push_back(socket_files(conditions, kid));
  switch (node.kind) {
    case ir::CondKind::never:
    case ir::CondKind::always: return cond;
    case ir::CondKind::all: return conditions.all(std::move(kids));
    case ir::CondKind::any: return conditions.any(std::move(kids));
    case ir::CondKind::negation: return conditions.negate(kids.front());
    case ir::CondKind::atom: break;
  }
  const Filter filter = conditions.get(node.atom).filter;
  if (filter == Filter::remote_unix) return ir::kAlways;
  return accepts(Op::file_write_unlink, filter) ? cond : ir::kNever;
}

bool known(Op op, std::optional<seatbelt::Release> release) {
  const auto wanted = release ? seatbelt::ReleaseSet::only(*release) : seatbelt::ReleaseSet::all();
  return info(op).releases.contains(wanted);
}

class Deriver {
 public:
  Deriver(ir::Policy& policy, const TermOptions& options, Diagnostics& diagnostics)
      : policy_(policy),
        options_(options),
        diagnostics_(diagnostics),
        reached_(seatbelt::kOpCount, false),
        relaxations_(policy.rules.size()) {
    for (std::uint32_t i = 0; i < policy.relaxations.size(); ++i) {
      relaxations_[policy.relaxations[i].rule].push_back(i);
    }
  }

  std::vector<Term> run() {
    allows();
    grants();
    denies();
    exit();
    protect();
    seal();
    return std::move(terms_);
  }

 private:
  ir::Conditions& conditions() { return policy_.conditions; }

  CondId folded(CondId cond, bool denying) {
    if (policy_.target != ir::Target::seatbelt) return cond;
    return fold_denied_names(conditions(), cond, denying);
  }

  CondId path_atom(Filter filter, ir::Text text) {
    return conditions().atom({filter, std::move(text), 0, {}});
  }

  void add(Term term) {
    if (term.cond != ir::kNever && !term.ops.empty()) terms_.push_back(std::move(term));
  }

  void reach(const std::vector<Op>& ops) {
    for (const Op op : ops) {
      for (const Op below : seatbelt::family(op)) reached_[static_cast<std::size_t>(below)] = true;
    }
  }

  void allows() {
    for (std::uint32_t i = 0; i < policy_.rules.size(); ++i) {
      const ir::Rule& rule = policy_.rules[i];
      if (rule.effect != ir::Effect::allow) continue;
      for (const ir::Clause& clause : rule.clauses) {
        reach(clause.ops);
        add({Role::allow, clause.ops, folded(clause.cond, false), i, rule_key(rule), rule.span});
      }
    }
  }

  void grants() {
    if (options_.profile != Profile::command) return;
    const auto opens = info(seatbelt::Verb::write).opens;
    for (const std::string& path : options_.grants) {
      const std::vector<Op> ops{opens.begin(), opens.end()};
      reach(ops);
      add({Role::grant, ops, path_atom(Filter::subpath, path), std::nullopt, "grant " + path,
           std::nullopt});
    }
  }

  std::vector<Op> closed(const std::vector<Op>& ops, CondId cond) {
    return closed_operations(ops, conditions(), cond, reached_, options_.release);
  }

  void denies() {
    for (std::uint32_t i = 0; i < policy_.rules.size(); ++i) {
      const ir::Rule rule = policy_.rules[i];
      if (rule.effect != ir::Effect::deny) continue;
      bool any_unstable = false;
      for (const ir::Clause& clause : rule.clauses) {
        deny(i, rule, clause);
        any_unstable = !check_stability(rule, clause) || any_unstable;
      }
      keep_ancestors(i, rule);
      if (rule.names_only && !any_unstable) {
        diagnostics_.add(
            Code::ND3003, rule.span,
            fmt::format("`{}` holds whatever is moved; `names-only` is not needed", rule.id));
      }
    }
  }

  /// The operations of one deny, grouped by what relaxations leave of its condition.
  void deny(std::uint32_t index, const ir::Rule& rule, const ir::Clause& clause) {
    const CondId base = folded(clause.cond, true);
    std::vector<std::pair<CondId, std::vector<Op>>> groups;
    for (const Op op : closed(clause.ops, base)) {
      const CondId cond = without_exit(op, relaxed(index, op, base));
      const auto at = std::find_if(groups.begin(), groups.end(),
                                   [&](const auto& group) { return group.first == cond; });
      if (at == groups.end()) {
        groups.push_back({cond, {op}});
      } else {
        at->second.push_back(op);
      }
    }
    for (auto& [cond, ops] : groups) {
      add({Role::deny, std::move(ops), cond, index, rule_key(rule), rule.span});
    }
    if (about_files(clause)) keep_in_place(clause.ops, index, rule, base);
    if (about_sockets(clause)) keep_sockets(index, rule, clause.cond);
  }

  CondId relaxed(std::uint32_t rule, Op op, CondId base) {
    std::vector<CondId> lifted;
    for (const std::uint32_t relaxation : relaxations_[rule]) {
      for (const ir::Clause& clause : policy_.relaxations[relaxation].clauses) {
        // No request asks about a class alone: its rule is only met by what is below it, so it
        // gives way wherever something below does.
        const bool lifts = std::any_of(clause.ops.begin(), clause.ops.end(), [&](Op lifted_op) {
          return is_within(op, lifted_op) || (!is_concrete(op) && is_within(lifted_op, op));
        });
        if (lifts && fits(conditions(), clause.cond, op) && may_lift(op, clause.cond)) {
          lifted.push_back(folded(clause.cond, false));
        } else if (!lifts) {
          check_not_part(op, rule, clause);
        }
      }
    }
    return without(base, std::move(lifted));
  }

  /// An operation may answer for another one below it and be asked about itself, too: its deny
  /// holds for both or for neither.
  void check_not_part(Op op, std::uint32_t rule, const ir::Clause& lifting) {
    if (!is_concrete(op)) return;
    const auto part = std::find_if(lifting.ops.begin(), lifting.ops.end(),
                                   [&](Op below) { return is_within(below, op); });
    if (part == lifting.ops.end()) return;
    diagnostics_
        .add(Code::ND2047, lifting.span,
             fmt::format("`{}` cannot be lifted out of a deny of `{}`, which it is part of",
                         name(*part), name(op)))
        .labels.push_back({policy_.rules[rule].span, "the deny"});
  }

  /// A directory takes along what is below it: it may be moved or copied whole only where all of
  /// that is lifted, too.
  bool may_lift(Op op, CondId cond) {
    return !has(kTakeAlong, op) || closed_below(conditions(), cond);
  }

  CondId without(CondId base, std::vector<CondId> lifted) {
    if (lifted.empty()) return base;
    return conditions().all({base, conditions().negate(conditions().any(std::move(lifted)))});
  }

  /// A wider deny of exec leaves the exit out: the one rule for it names the class alone, which a
  /// deny of the concrete operation would go before.
  CondId without_exit(Op op, CondId cond) {
    if (options_.profile != Profile::floor || !is_within(op, Op::process_exec_all)) return cond;
    const CondId exit = path_atom(Filter::literal, ir::hole(ir::kExit));
    return conditions().all({cond, conditions().negate(exit)});
  }

  /// Law 7: what may not be read or written cannot be moved or linked to where it may. (A deny of
  /// all writing closes both operations by itself.)
  void keep_in_place(const std::vector<Op>& ops, std::uint32_t index, const ir::Rule& rule,
                     CondId base) {
    const std::vector<Op> shut = closed(ops, base);
    for (const Op op : {Op::file_write_unlink, Op::file_link}) {
      if (!fits(conditions(), base, op)) continue;
      if (std::find(shut.begin(), shut.end(), op) != shut.end()) continue;
      add({Role::kept, {op}, relaxed(index, op, base), index, rule_key(rule), rule.span});
    }
  }

  /// Law 7: a socket that may not be connected to cannot be moved to where it may. Only sockets:
  /// what else is in the same directory may come and go.
  void keep_sockets(std::uint32_t index, const ir::Rule& rule, CondId denied) {
    std::vector<CondId> lifted;
    for (const std::uint32_t relaxation : relaxations_[index]) {
      for (const ir::Clause& clause : policy_.relaxations[relaxation].clauses) {
        if (!about_sockets(clause)) continue;
        const CondId files = socket_files(conditions(), clause.cond);
        if (closed_below(conditions(), files)) lifted.push_back(folded(files, false));
      }
    }
    const CondId files = socket_files(conditions(), denied);
    // All sockets of the machine are denied alike wherever they are.
    if (files == ir::kAlways) return;
    const CondId cond = conditions().all(
        {folded(files, true), conditions().atom({Filter::vnode_type, "SOCKET", 0, {}})});
    add({Role::kept,
         {Op::file_write_unlink, Op::file_link},
         without(cond, std::move(lifted)),
         index,
         rule_key(rule),
         rule.span});
  }

  /// Law 7: nor can a directory above it, in whichever case its name was made; nor can one be
  /// cloned, which copies what may not be read along with it. The fixed parts are those of what was
  /// written: folding adds only other spellings of the same files.
  void keep_ancestors(std::uint32_t index, const ir::Rule& rule) {
    std::vector<CondId> above;
    std::vector<CondId> above_unread;
    for (const ir::Clause& clause : rule.clauses) {
      if (!about_files(clause) && !about_sockets(clause)) continue;
      const CondId files =
          about_files(clause) ? clause.cond : socket_files(conditions(), clause.cond);
      for (const ir::Text& text : fixed_parts(policy_, files)) {
        const auto names = directories_above(text);
        above.insert(above.end(), names.begin(), names.end());
        if (!touches(clause.ops, Op::file_read_all)) continue;
        above_unread.insert(above_unread.end(), names.begin(), names.end());
      }
    }
    const auto keep = [&](Op op, std::vector<CondId> names) {
      add({Role::kept, {op}, conditions().any(std::move(names)), index, rule_key(rule), rule.span});
    };
    keep(Op::file_write_unlink, std::move(above));
    keep(Op::file_clone, std::move(above_unread));
  }

  std::vector<CondId> directories_above(const ir::Text& path) {
    std::vector<CondId> names{path_atom(Filter::path_ancestors, path)};
    if (policy_.target == ir::Target::seatbelt) {
      if (auto regex = other_case_ancestors(path)) {
        names.push_back(path_atom(Filter::regex, std::move(*regex)));
      }
    }
    return names;
  }

  static bool about_files(const ir::Clause& clause) {
    return touches(clause.ops, Op::file_read_all) || touches(clause.ops, Op::file_write_all);
  }

  static bool about_sockets(const ir::Clause& clause) {
    return touches(clause.ops, Op::network_outbound);
  }

  /// False if the deny does not hold against moves.
  bool check_stability(const ir::Rule& rule, const ir::Clause& clause) {
    if (!about_files(clause) && !about_sockets(clause)) return true;
    const CondId files =
        about_files(clause) ? clause.cond : socket_files(conditions(), clause.cond);
    const Stability result = stability(policy_, files);
    if (result.stable) return true;
    if (rule.names_only) return false;
    auto& d = diagnostics_.add(Code::ND3001, rule.span,
                               fmt::format("moving a directory takes files out of `{}`", rule.id));
    d.labels.push_back({clause.span, "what it denies"});
    const auto shown = [&](const std::string& text) {
      return ir::to_display(text, [&](ir::ParamId id) { return param_key(policy_, id); });
    };
    if (!result.denied.empty()) {
      d.notes.push_back(fmt::format("after `mv {} elsewhere`, what was `{}` is not denied",
                                    shown(result.moved), shown(result.denied)));
    }
    d.helps.emplace_back("deny the whole directory, or the file's name wherever it is (`name:`)");
    d.helps.emplace_back("if only these spellings matter, say so: `names-only = true`");
    return false;
  }

  void exit() {
    if (options_.profile != Profile::floor) return;
    add({Role::exit,
         {Op::process_exec_all},
         path_atom(Filter::literal, ir::hole(ir::kExit)),
         std::nullopt,
         "nd7/exit",
         std::nullopt});
  }

  void protect() {
    // A script that names the exit as its interpreter is not the exit.
    add({Role::protect,
         {Op::process_exec_interpreter},
         path_atom(Filter::literal, ir::hole(ir::kExit)),
         std::nullopt,
         "nd7/protect",
         std::nullopt});
    std::vector<ir::Text> files{ir::hole(ir::kExit)};
    files.insert(files.end(), options_.protect.begin(), options_.protect.end());
    for (const ir::Text& file : files) {
      const CondId cond = folded(path_atom(Filter::literal, file), true);
      add({Role::protect, closed({Op::file_write_all}, cond), cond, std::nullopt, "nd7/protect",
           std::nullopt});
      add({Role::protect,
           {Op::file_write_unlink},
           conditions().any(directories_above(file)),
           std::nullopt,
           "nd7/protect",
           std::nullopt});
    }
  }

  void seal() {
    const ir::Text place = ir::hole(ir::kHome) + "/.nd7";
    const CondId cond = folded(path_atom(Filter::subpath, place), true);
    std::vector<Op> ops = closed({Op::file_read_all, Op::file_write_all}, cond);
    // For every operation: also those that only some rule or Seatbelt itself opens.
    for (std::size_t i = 1; i < seatbelt::kOpCount; ++i) {
      const Op op = static_cast<Op>(i);
      const bool open =
          reached_[i] || builtin_answer(op) == Builtin::allow || op == Op::file_write_setugid;
      if (!open || !known(op, options_.release) || !fits(conditions(), cond, op)) continue;
      if (std::find(ops.begin(), ops.end(), op) == ops.end()) ops.push_back(op);
    }
    std::sort(ops.begin(), ops.end());
    add({Role::seal, std::move(ops), cond, std::nullopt, "nd7/seal", std::nullopt});
    add({Role::seal,
         {Op::file_write_unlink, Op::file_clone},
         path_atom(Filter::path_ancestors, place),
         std::nullopt,
         "nd7/seal",
         std::nullopt});
  }

  ir::Policy& policy_;
  const TermOptions& options_;
  Diagnostics& diagnostics_;
  std::vector<bool> reached_;  ///< by operation: some allow names it or a class above it
  std::vector<std::vector<std::uint32_t>> relaxations_;  ///< by rule
  std::vector<Term> terms_;
};

}  // namespace

std::vector<Op> closed_operations(const std::vector<Op>& ops, const ir::Conditions& conditions,
                                  CondId cond, const std::vector<bool>& reached,
                                  std::optional<seatbelt::Release> release) {
  const FilterSet filters = filters_of(conditions, cond);
  std::vector<bool> taken(seatbelt::kOpCount, false);
  const auto take = [&](Op op) {
    // A class answers for what is below it, so its rule may stand only where all of that fits.
    const auto members = seatbelt::family(op);
    const bool fit = std::all_of(members.begin(), members.end(),
                                 [&](Op member) { return fits(filters, member); });
    if (known(op, release) && fit) taken[static_cast<std::size_t>(op)] = true;
  };
  const auto take_reached = [&](Op op) {
    if (reached[static_cast<std::size_t>(op)]) take(op);
  };
  for (const Op op : ops) {
    for (const Op below : seatbelt::family(op)) take(below);
  }
  if (touches(ops, Op::file_read_all)) {
    for (const Op op : kReadPartners) take(op);
    for (const Op op : kReadRelated) take_reached(op);
  }
  if (touches(ops, Op::file_write_all)) {
    for (const Op op : kWritePartners) take(op);
    for (const Op op : kWriteRelated) take_reached(op);
  }
  std::vector<Op> result;
  for (std::size_t i = 0; i < seatbelt::kOpCount; ++i) {
    if (taken[i]) result.push_back(static_cast<Op>(i));
  }
  return result;
}

std::vector<Term> derive_terms(ir::Policy& policy, const TermOptions& options,
                               Diagnostics& diagnostics) {
  return Deriver{policy, options, diagnostics}.run();
}

}  // namespace nd7::laws
