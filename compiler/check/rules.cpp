#include "compiler/check/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "compiler/check/paths.hpp"
#include "compiler/pattern/name_difference.hpp"
#include "compiler/pattern/regex.hpp"

namespace nd7 {
namespace {

using seatbelt::Filter;
using seatbelt::Op;

constexpr std::string_view kExitName = "nd7-exec";
constexpr std::string_view kSealed = "/.nd7";

bool names_exit(std::string_view path, const std::optional<std::string>& exit) {
  if (exit && path == *exit) return true;
  const std::size_t slash = path.rfind('/');
  return slash != std::string_view::npos && path.substr(slash + 1) == kExitName;
}

bool is_plain_name(std::string_view name) {
  return name.find_first_of("*?[") == std::string_view::npos;
}

/// The text that a regular expression's matches begin with, where it is a path that they are at or
/// below; empty otherwise.
std::string root_of_regex(const ir::Text& regex) {
  const auto parsed = pattern::parse_regex(regex, pattern::RegexMode::strict);
  if (!parsed.regex) return {};
  const auto prefix = pattern::anchored_prefix(*parsed.regex);
  if (!prefix || prefix->empty()) return {};
  const std::string exact = "^" + pattern::quote_regex(*prefix);
  if (regex == exact + "$" || regex.rfind(exact + "(/|$)", 0) == 0) return *prefix;
  // What follows the last slash may be the beginning of any name.
  return prefix->substr(0, prefix->rfind('/'));
}

/// `~/.nd7` or below, as far as the text tells.
bool is_sealed(const ir::Atom& atom, const ir::Policy& policy) {
  std::string path;
  if (atom.filter == Filter::subpath || atom.filter == Filter::literal) path = atom.text;
  if (atom.filter == Filter::prefix) {
    const std::size_t slash = atom.text.rfind('/');
    if (slash != std::string::npos) path = atom.text.substr(0, slash);
  }
  if (atom.filter == Filter::regex) path = root_of_regex(atom.text);
  if (path.empty()) return false;
  const auto& home = policy.params[ir::kHome.value].value;
  return is_at_or_below(path, ir::hole(ir::kHome) + std::string{kSealed}, policy.target) ||
         (home && is_at_or_below(path, *home + std::string{kSealed}, policy.target));
}

}  // namespace

RuleBuilder::RuleBuilder(const CheckOptions& options, Names& names, ir::Policy& policy,
                         Diagnostics& diagnostics)
    : options_(options), names_(names), policy_(policy), diagnostics_(diagnostics) {}

std::optional<ir::Rule> RuleBuilder::build(const RuleNode& node, std::uint32_t unit) {
  const std::size_t errors = diagnostics_.error_count();
  directories_.clear();
  check_on(node);
  ir::Rule rule;
  rule.set = policy_.units[unit].set;
  rule.id = node.id;
  rule.unit = unit;
  rule.span = node.id_span;
  if (node.why) rule.why = node.why->text;
  rule.names_only = node.names_only && node.names_only->value;
  switch (node.kind) {
    case RuleNode::Kind::allow:
      rule.effect = ir::Effect::allow;
      rule.clauses = clauses(node.body, Use::open);
      break;
    case RuleNode::Kind::deny:
      rule.effect = ir::Effect::deny;
      rule.clauses = clauses(node.body, Use::close);
      break;
    case RuleNode::Kind::never:
      rule.effect = ir::Effect::never;
      rule.clauses = clauses(node.body, Use::mean);
      break;
    case RuleNode::Kind::relax: rule.clauses = clauses(node.body, Use::lift); break;
  }
  check_exit(node, rule);
  if (node.kind == RuleNode::Kind::allow) check_seal(node, rule);
  if (diagnostics_.error_count() != errors) return std::nullopt;
  return rule;
}

std::optional<ir::Expectation> RuleBuilder::build(const ExpectNode& node, std::uint32_t unit) {
  const std::size_t errors = diagnostics_.error_count();
  ir::Expectation result;
  result.allow = node.is.text == "allow";
  if (node.by) result.by = node.by->text;
  result.unit = unit;
  result.span = node.span;
  result.clauses = clauses(node.body, Use::expect);
  if (diagnostics_.error_count() != errors) return std::nullopt;
  return result;
}

bool RuleBuilder::applies(const RuleNode& node) const {
  if (!node.on) return true;
  const std::string_view here = policy_.target == ir::Target::seatbelt ? "macos" : "linux";
  return std::any_of(node.on->items.begin(), node.on->items.end(),
                     [&](const StringNode& item) { return item.text == here; });
}

void RuleBuilder::check_on(const RuleNode& node) {
  if (!node.on) return;
  for (const StringNode& item : node.on->items) {
    if (item.text == "macos" || item.text == "linux") continue;
    diagnostics_.add(Code::ND2009, item.span, fmt::format("`{}` is not a system", item.text))
        .helps.emplace_back("the systems are `macos` and `linux`");
  }
}

void RuleBuilder::take_directories(const ir::Rule& rule, std::uint32_t index) {
  if (rule.effect == ir::Effect::allow) {
    for (ir::Text& path : directories_) policy_.directories.push_back({std::move(path), index});
  }
  directories_.clear();
}

std::vector<ir::Clause> RuleBuilder::clauses(const RuleBody& body, Use use) {
  std::vector<ir::Clause> result;
  for (const VerbNode& verb : body.verbs) verb_clause(verb, body, use, result);
  if (body.ops && body.where) full_clauses(body, use, result);
  return result;
}

void RuleBuilder::verb_clause(const VerbNode& verb, const RuleBody& body, Use use,
                              std::vector<ir::Clause>& into) {
  std::vector<VerbCondition> wanted;
  for (const Expanded& value : names_.expand(verb.values)) {
    auto parsed = parse_verb_value(verb.verb, value, policy_, diagnostics_);
    if (!parsed) continue;
    const bool tree = value.text.find("subpath:") != std::string::npos;
    if (use == Use::expect && !tree) parsed->cond = exactly(parsed->cond, verb.verb);
    if (parsed->directory) {
      directories_.push_back(
          policy_.conditions.get(policy_.conditions.node(parsed->cond).atom).text);
    }
    wanted.push_back(std::move(*parsed));
  }
  std::vector<VerbCondition> exceptions;
  if (body.except) {
    auto parsed = parse_exceptions(verb.verb, *body.except);
    if (!parsed) return;
    exceptions = std::move(*parsed);
  }
  if (wanted.empty()) return;  // an error was added
  std::vector<ir::CondId> kids;
  for (const VerbCondition& value : wanted) kids.push_back(without(value, exceptions, use));
  const ir::CondId cond = policy_.conditions.any(std::move(kids));
  if (cond == ir::kNever) {
    diagnostics_.add(Code::ND2012, verb.values.span, "nothing is left of this rule after `except`");
    return;
  }
  const seatbelt::VerbInfo& table = info(verb.verb);
  const auto ops = use == Use::open    ? table.opens
                   : use == Use::close ? table.closes
                   : use == Use::lift  ? table.lifts
                                       : table.means;
  into.push_back({{ops.begin(), ops.end()}, cond, verb.key});
}

/// In an expectation a plain path is that path: it names a request, not a tree.
ir::CondId RuleBuilder::exactly(ir::CondId cond, seatbelt::Verb verb) {
  const bool path = info(verb).value == seatbelt::VerbValue::path;
  if (cond == ir::kAlways && path) return policy_.conditions.atom({Filter::literal, "/", 0, {}});
  const ir::CondNode& node = policy_.conditions.node(cond);
  if (node.kind != ir::CondKind::atom) return cond;
  ir::Atom atom = policy_.conditions.get(node.atom);
  if (atom.filter != Filter::subpath) return cond;
  atom.filter = Filter::literal;
  return policy_.conditions.atom(std::move(atom));
}

std::optional<std::vector<VerbCondition>> RuleBuilder::parse_exceptions(seatbelt::Verb verb,
                                                                        const ValuesNode& values) {
  std::vector<VerbCondition> result;
  for (const Expanded& value : names_.expand(values)) {
    auto parsed = parse_verb_value(verb, value, policy_, diagnostics_);
    if (!parsed) return std::nullopt;
    for (const ir::AtomId id : policy_.conditions.atoms_of(parsed->cond)) {
      if (info(policy_.conditions.get(id).filter).value != seatbelt::FilterValue::address) continue;
      diagnostics_.add(Code::ND2029, value.span, "Seatbelt cannot say \"every address but these\"")
          .helps.emplace_back("name the addresses and ports that are meant");
      return std::nullopt;
    }
    result.push_back(std::move(*parsed));
  }
  if (result.empty()) return std::nullopt;
  return result;
}

/// A deny of one name except another is about the same component, so that no move of a directory
/// makes an exception of what is in it. Everything else is a plain difference.
ir::CondId RuleBuilder::without(const VerbCondition& value,
                                const std::vector<VerbCondition>& exceptions, Use use) {
  std::vector<std::string> names;
  std::vector<ir::CondId> others;
  ir::CondId base = value.cond;
  for (const VerbCondition& exception : exceptions) {
    if (use == Use::close && !value.name.empty() && !exception.name.empty() &&
        pattern::name_without(value.name, {exception.name}, false)) {
      names.push_back(exception.name);
    } else if (value.name.empty() || exception.name.empty() || use != Use::close ||
               !is_plain_name(value.name) || !is_plain_name(exception.name)) {
      others.push_back(exception.cond);
    }
  }
  if (!names.empty()) {
    const bool any_case = policy_.target == ir::Target::seatbelt;
    const auto regex = pattern::name_without(value.name, names, any_case);
    if (!regex || regex->empty()) return ir::kNever;
    base = policy_.conditions.atom({Filter::regex, *regex, 0, {}});
  }
  return policy_.conditions.all(
      {base, policy_.conditions.negate(policy_.conditions.any(std::move(others)))});
}

void RuleBuilder::full_clauses(const RuleBody& body, Use use, std::vector<ir::Clause>& into) {
  const auto ops = resolve_operations(*body.ops, options_.release, names_, diagnostics_);
  const auto expr = parse_expression(body.where->text, body.where->span.file,
                                     body.where->content_begin, diagnostics_);
  if (ops.empty() || !expr) return;
  // A condition means one kind of subject, so each kind gets a clause of its own.
  std::map<seatbelt::Subject, std::vector<NamedOperation>> groups;
  for (const NamedOperation& op : ops) groups[info(op.op).subject].push_back(op);
  for (const auto& [subject, group] : groups) {
    const auto cond = resolve_where(*expr, group, names_, policy_, diagnostics_);
    if (!cond) continue;
    if (*cond == ir::kNever) {
      diagnostics_.add(Code::ND2012, body.where->span, "no request satisfies this");
      continue;
    }
    ir::Clause clause{{}, *cond, body.where->span};
    for (const NamedOperation& op : group) clause.ops.push_back(op.op);
    // Linking goes where writing goes, whichever way the allow is written.
    const bool writes = std::any_of(clause.ops.begin(), clause.ops.end(), [](Op op) {
      return is_within(Op::file_write_data, op) && op != Op::default_;
    });
    const bool links =
        std::find(clause.ops.begin(), clause.ops.end(), Op::file_link) != clause.ops.end();
    const auto atoms = policy_.conditions.atoms_of(*cond);
    const bool fits = std::all_of(atoms.begin(), atoms.end(), [&](ir::AtomId id) {
      return accepts(Op::file_link, policy_.conditions.get(id).filter);
    });
    if (use == Use::open && writes && !links && fits) clause.ops.push_back(Op::file_link);
    into.push_back(std::move(clause));
  }
}

void RuleBuilder::check_exit(const RuleNode& node, const ir::Rule& rule) {
  if (node.kind == RuleNode::Kind::never) return;
  for (const ir::Clause& clause : rule.clauses) {
    const bool exec = std::any_of(clause.ops.begin(), clause.ops.end(), [](Op op) {
      return is_within(op, Op::process_exec_all) || op == Op::process_all;
    });
    if (!exec) continue;
    for (const ir::AtomId id : policy_.conditions.atoms_of(clause.cond)) {
      const ir::Atom& atom = policy_.conditions.get(id);
      if ((atom.filter != Filter::literal && atom.filter != Filter::subpath) ||
          !names_exit(atom.text, policy_.params[ir::kExit.value].value)) {
        continue;
      }
      diagnostics_
          .add(Code::ND2043, clause.span, fmt::format("this rule names the exit, `{}`", kExitName))
          .helps.emplace_back(
              "the compiler writes the one rule for it; a wider deny of exec keeps it");
      return;
    }
  }
}

void RuleBuilder::check_seal(const RuleNode& node, const ir::Rule& rule) {
  for (const ir::Clause& clause : rule.clauses) {
    for (const ir::AtomId id : policy_.conditions.positive_atoms_of(clause.cond)) {
      if (!is_sealed(policy_.conditions.get(id), policy_)) continue;
      auto& d = diagnostics_.add(
          Code::ND2042, clause.span,
          fmt::format("`allow.{}` names a place in ~/.nd7, which is sealed", node.id));
      d.helps.emplace_back("no rule opens nd7's own records to the program that they confine");
      return;
    }
  }
}

}  // namespace nd7
