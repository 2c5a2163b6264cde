#include "compiler/validate/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "compiler/decide/bdd.hpp"
#include "compiler/seatbelt/read/profile.hpp"
#include "compiler/validate/meaning.hpp"

namespace nd7::validate {
namespace {

using decide::Answer;
using decide::Bdd;
using seatbelt::Filter;
using seatbelt::Op;
using seatbelt::read::Action;
using seatbelt::read::FilterId;
using seatbelt::read::FilterNode;
using seatbelt::read::kModels;
using seatbelt::read::Model;
using seatbelt::read::Parameter;
using seatbelt::read::RuleBase;
using seatbelt::read::Step;

/// What the text decides, as decision diagrams over the same atoms.
class Emitted {
 public:
  Emitted(const RuleBase& base, Atoms& atoms, Bdd& bdd) : base_(base), atoms_(atoms), bdd_(bdd) {
    for (const seatbelt::read::Atom& atom : base.atoms) {
      variables_.push_back(bdd_.variable(atoms_.of(atom)));
    }
  }

  Meaning of(Op op, const std::vector<Step>& steps) {
    std::vector<Bdd::Case> allowed;
    std::vector<Bdd::Case> unconfined;
    // Neighbours that decide alike are one case, in any order.
    std::vector<Bdd::Function> run;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      run.push_back(condition(steps[i], op));
      const bool allow = steps[i].action == Action::allow;
      const bool leaves = leaves_sandbox(steps[i]);
      if (i + 1 < steps.size() && steps[i + 1].action == steps[i].action &&
          leaves_sandbox(steps[i + 1]) == leaves) {
        continue;
      }
      const Bdd::Function when = bdd_.any_of(run);
      allowed.push_back({when, Bdd::constant(allow)});
      unconfined.push_back({when, Bdd::constant(leaves)});
      run.clear();
    }
    return {bdd_.first_match(allowed, Bdd::constant(false)),
            bdd_.first_match(unconfined, Bdd::constant(false))};
  }

  Bdd::Function condition(const Step& step, Op op) {
    switch (step.kind) {
      case Step::Kind::builtin: return Bdd::constant(true);
      case Step::Kind::import: return bdd_.variable(atoms_.import());
      case Step::Kind::rule: break;
    }
    const auto& filter = base_.rules[step.rule].filter;
    return filter ? holds(*filter, op) : Bdd::constant(true);
  }

 private:
  [[nodiscard]] bool leaves_sandbox(const Step& step) const {
    return step.action == Action::allow && step.kind == Step::Kind::rule &&
           base_.rules[step.rule].leaves_sandbox();
  }

  /// Filters stand after those that they are made of, and their depth is bounded by the reader.
  Bdd::Function holds(FilterId id, Op op) {
    const FilterNode& node = base_.filters[id];
    if (node.kind == FilterNode::Kind::atom) {
      return accepts(op, base_.atoms[node.first].filter) ? variables_[node.first]
                                                         : Bdd::constant(false);
    }
    const std::uint64_t key = (std::uint64_t{id} << 8U) | static_cast<std::uint64_t>(op);
    if (const auto at = known_.find(key); at != known_.end()) return at->second;
    std::vector<Bdd::Function> kids;
    for (const FilterId kid : base_.kids_of(id)) kids.push_back(holds(kid, op));
    const Bdd::Function result = node.kind == FilterNode::Kind::negation ? bdd_.negate(kids.front())
                                 : node.kind == FilterNode::Kind::all    ? bdd_.all_of(kids)
                                                                         : bdd_.any_of(kids);
    known_.emplace(key, result);
    return result;
  }

  const RuleBase& base_;
  Atoms& atoms_;
  Bdd& bdd_;
  std::vector<Bdd::Function> variables_;  ///< by atom
  std::unordered_map<std::uint64_t, Bdd::Function> known_;
};

/// What the text holds beside the rules that verdicts come from, and nd7 never writes: Boolean
/// functions of filters would not show it. Empty if there is nothing.
std::string foreign_part(const RuleBase& base) {
  if (base.imports.size() != 1 || base.imports.front().name != "system.sb") {
    return "the text does not import system.sb, once and nothing else";
  }
  if (!base.traces.empty()) return "the text asks for a trace, which lets everything pass";
  for (const seatbelt::read::Rule& rule : base.rules) {
    if (rule.kind != seatbelt::read::Rule::Kind::written) continue;
    for (const seatbelt::read::Modifier& modifier : rule.modifiers) {
      if (modifier.kind == seatbelt::read::ModifierKind::no_sandbox) continue;
      return "a rule has a modifier other than `no-sandbox`";
    }
  }
  return {};
}

class Validator {
 public:
  Validator(const ir::Policy& policy, const std::vector<laws::Term>& terms, const std::string& text,
            std::optional<seatbelt::Release> release)
      : policy_(policy), terms_(terms), text_(text), release_(release) {}

  Result run() {
    const std::vector<std::uint32_t> optional = open_optional();
    if (optional.size() > kMaxOpenOptional) {
      result_.reason = fmt::format("more than {} optional parameters are open", kMaxOpenOptional);
      return std::move(result_);
    }
    for (std::size_t choice = 0; choice < (std::size_t{1} << optional.size()); ++choice) {
      std::vector<bool> unset(policy_.params.size(), false);
      for (std::size_t i = 0; i < optional.size(); ++i) {
        unset[optional[i]] = (choice >> i & 1U) != 0;
      }
      if (!check(unset)) return std::move(result_);
    }
    result_.outcome = Result::Outcome::equal;
    return std::move(result_);
  }

 private:
  /// Only those that some term holds: the others change nothing.
  std::vector<std::uint32_t> open_optional() const {
    std::vector<bool> used(policy_.params.size(), false);
    for (const laws::Term& term : terms_) {
      for (const ir::AtomId id : policy_.conditions.atoms_of(term.cond)) {
        for (const ir::ParamId param : ir::params_of(policy_.conditions.get(id).text)) {
          used[param.value] = true;
        }
      }
    }
    std::vector<std::uint32_t> result;
    for (std::uint32_t i = 0; i < policy_.params.size(); ++i) {
      if (used[i] && policy_.params[i].optional && !policy_.params[i].value) result.push_back(i);
    }
    return result;
  }

  /// False if the validation is over: a difference, or no answer.
  bool check(const std::vector<bool>& unset) {
    SourceMap sources;
    Diagnostics diagnostics;
    const FileId file = sources.add("profile", {}, text_);
    seatbelt::read::ReadOptions options;
    options.release = release_;
    for (std::size_t i = 0; i < policy_.params.size(); ++i) {
      // A bound parameter has become text: a mention of it would be a mistake, so it stays unset.
      const bool open = !policy_.params[i].value && !unset[i];
      options.parameters.push_back(
          {policy_.params[i].key, open ? Parameter::Kind::opaque : Parameter::Kind::unset, {}});
    }
    const auto base = seatbelt::read::read_profile(sources, {&file, 1}, options, diagnostics);
    if (!base) {
      result_.outcome = Result::Outcome::unreadable;
      const auto all = diagnostics.sorted();
      const Diagnostic* const first = all.empty() ? nullptr : &all.back();
      result_.reason = first == nullptr ? "no reason given" : first->message;
      if (first != nullptr && first->primary) {
        result_.reason +=
            fmt::format(" (line {})", sources.file(file).line_of(first->primary->begin));
      }
      return false;
    }
    result_.reason = foreign_part(*base);
    if (!result_.reason.empty()) {
      result_.outcome = Result::Outcome::unreadable;
      return false;
    }
    return compare(*base, sources, unset);
  }

  bool compare(const RuleBase& base, const SourceMap& sources, const std::vector<bool>& unset) {
    Bdd bdd;
    Atoms atoms;
    Emitted emitted{base, atoms, bdd};
    Meanings meanings{policy_, terms_, atoms, bdd, unset};
    for (std::size_t i = 1; i < seatbelt::kOpCount; ++i) {
      const Op op = static_cast<Op>(i);
      if (!is_concrete(op)) continue;  // no request asks about it
      const Meaning meant = meanings.of(op);
      std::vector<std::vector<Step>> compared;
      for (const Model model : kModels) {
        ++result_.comparisons;
        // Readings that consult the same rules in the same order decide the same.
        std::vector<Step>& steps = compared.emplace_back(seatbelt::read::steps(base, op, model));
        if (is_known(compared)) continue;
        const Meaning said = emitted.of(op, steps);
        const Bdd::Function import = bdd.variable(atoms.import());
        const Bdd::Function domain = domain_of(op, atoms, bdd);
        const Bdd::Function apart =
            bdd.conjunction(bdd.conjunction(domain, bdd.negate(import)),
                            bdd.disjunction(differ(bdd, meant.allowed, said.allowed),
                                            differ(bdd, meant.unconfined, said.unconfined)));
        const Bdd::Function opened =
            bdd.conjunction(bdd.conjunction(domain, import),
                            bdd.conjunction(said.allowed, bdd.negate(meant.allowed)));
        for (const Bdd::Function fault : {apart, opened}) {
          const Answer answer = bdd.satisfiable(fault);
          if (answer == Answer::no) continue;
          if (answer == Answer::undecided) {
            result_.reason = "the decision diagrams outgrew their budget";
            return false;
          }
          describe(*bdd.sat_one(fault), op, model, steps, meant, said, emitted, meanings, atoms,
                   bdd, base, sources);
          return false;
        }
      }
    }
    return true;
  }

  /// Whether the last list is among those before it, whatever operation a step is consulted for.
  static bool is_known(const std::vector<std::vector<Step>>& lists) {
    const auto same = [](const Step& a, const Step& b) {
      return a.kind == b.kind && a.filtered == b.filtered && a.action == b.action &&
             a.rule == b.rule;
    };
    return std::any_of(lists.begin(), lists.end() - 1, [&](const std::vector<Step>& list) {
      return std::equal(list.begin(), list.end(), lists.back().begin(), lists.back().end(), same);
    });
  }

  static Bdd::Function differ(Bdd& bdd, Bdd::Function a, Bdd::Function b) {
    return bdd.if_then_else(a, bdd.negate(b), b);
  }

  /// What every request of the operation satisfies, so that a filter that always matches counts so.
  static Bdd::Function domain_of(Op op, Atoms& atoms, Bdd& bdd) {
    // Axiom S1: the import opens no exec, and fork only by a rule that the reader knows.
    if (op == Op::process_fork || is_within(op, Op::process_exec_all)) {
      return bdd.conjunction(total_filters(op, atoms, bdd),
                             bdd.negate(bdd.variable(atoms.import())));
    }
    return total_filters(op, atoms, bdd);
  }

  static Bdd::Function total_filters(Op op, const Atoms& atoms, Bdd& bdd) {
    std::vector<Bdd::Function> some;
    const auto add = [&](Filter filter, std::string_view text) {
      const auto variable = atoms.find(filter, text);
      some.push_back(variable ? bdd.variable(*variable) : Bdd::constant(false));
    };
    switch (info(op).subject) {
      case seatbelt::Subject::path: add(Filter::subpath, "/"); break;
      case seatbelt::Subject::sysctl: add(Filter::sysctl_name_prefix, ""); break;
      case seatbelt::Subject::ipc: add(Filter::ipc_posix_name_prefix, ""); break;
      case seatbelt::Subject::preference: add(Filter::preference_domain_prefix, ""); break;
      case seatbelt::Subject::mach:
        add(Filter::global_name_prefix, "");
        add(Filter::local_name_prefix, "");
        add(Filter::xpc_service_name_prefix, "");
        break;
      default: return Bdd::constant(true);
    }
    // A filter that nobody wrote says nothing: only if all are there is one of them true.
    const bool complete = std::none_of(some.begin(), some.end(), [&](Bdd::Function f) {
      return bdd.satisfiable(f) == Answer::no;
    });
    return complete ? bdd.any_of(some) : Bdd::constant(true);
  }

  void describe(const std::vector<std::pair<std::uint32_t, bool>>& assignment, Op op, Model model,
                const std::vector<Step>& steps, const Meaning& meant, const Meaning& said,
                Emitted& emitted, Meanings& meanings, Atoms& atoms, Bdd& bdd, const RuleBase& base,
                const SourceMap& sources) {
    std::vector<bool> values(atoms.size(), false);
    for (const auto& [variable, value] : assignment) values[variable] = value;
    const auto holds = [&](Bdd::Function f) { return bdd.evaluate(f, values) == Answer::yes; };
    Difference difference;
    difference.op = op;
    difference.model = model;
    difference.import_matches = values[atoms.import()];
    for (std::uint32_t i = 0; i < values.size(); ++i) {
      if (!values[i] || i == atoms.import()) continue;
      difference.request += (difference.request.empty() ? "" : ", ") + atoms.shown(i);
    }
    if (difference.request.empty()) difference.request = "no filter holds";
    const auto verdict = [&](const Meaning& meaning) -> std::string {
      if (holds(meaning.unconfined)) return "allow-unconfined";
      return holds(meaning.allowed) ? "allow" : "deny";
    };
    difference.meant = verdict(meant);
    difference.emitted = verdict(said);
    difference.meant_by = "default";
    for (const laws::Term& term : terms_) {
      const bool opens = term.role == laws::Role::allow || term.role == laws::Role::grant ||
                         term.role == laws::Role::exit;
      if (opens == (difference.meant == "deny") || !Meanings::names(term, op)) continue;
      if (holds(meanings.condition(term, op))) difference.meant_by = term.label;
    }
    difference.emitted_by = "default";
    for (const Step& step : steps) {
      if (!holds(emitted.condition(step, op))) continue;
      if (step.kind == Step::Kind::rule) {
        const Span span = base.rules[step.rule].span;
        const SourceFile& file = sources.file(span.file);
        const std::uint32_t line = file.line_of(span.begin);
        difference.emitted_by = fmt::format("line {}: {}", line, file.line_text(line));
      }
      break;
    }
    result_.difference = std::move(difference);
    result_.outcome = Result::Outcome::different;
  }

  const ir::Policy& policy_;
  const std::vector<laws::Term>& terms_;
  const std::string& text_;
  std::optional<seatbelt::Release> release_;
  Result result_;
};

}  // namespace

Result validate(const ir::Policy& policy, const std::vector<laws::Term>& terms,
                const std::string& text, std::optional<seatbelt::Release> release) {
  return Validator{policy, terms, text, release}.run();
}

}  // namespace nd7::validate
