#include "compiler/seatbelt/read/rule_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "compiler/seatbelt/read/filter_builder.hpp"

namespace nd7::seatbelt::read {
namespace {

using Kind = Value::Kind;

/// The parts of a rule as they come, with the places that errors point at.
struct Parts {
  std::vector<Op> ops;
  std::vector<Place> op_places;
  std::vector<FilterId> filters;
  std::vector<std::uint32_t> modifiers;
  bool only_ignored = false;  ///< named operations, but only ones without effect
};

bool has_version(Context& context, Place place) {
  if (context.versioned || context.options().fragment) return true;
  context.fail(Code::ND6005, place, "a rule before any `(version 1)`");
  return false;
}

void add_op(Parts& parts, Op op, Place place) {
  if (std::find(parts.ops.begin(), parts.ops.end(), op) != parts.ops.end()) return;
  parts.ops.push_back(op);
  parts.op_places.push_back(place);
}

bool take(Context& context, const Argument& argument, Parts& parts) {
  switch (argument.value.kind) {
    case Kind::operation:
      add_op(parts, static_cast<Op>(argument.value.index), argument.place);
      return true;
    case Kind::no_operation:
      parts.only_ignored = true;
      context.warn(Code::ND6123, argument.place,
                   fmt::format("`{}` has no effect", context.symbol(argument.value)));
      return true;
    case Kind::filter: parts.filters.push_back(argument.value.index); return true;
    case Kind::modifier: parts.modifiers.push_back(argument.value.index); return true;
    default: break;
  }
  Diagnostic& error =
      context.fail(Code::ND6010, argument.place,
                   fmt::format("{} as an argument of a rule", describe(argument.value.kind)));
  if (argument.value.is(Kind::string)) {
    error.helps.emplace_back("put `subpath`, `literal`, `prefix` or `regex` around it");
  }
  return false;
}

std::optional<FilterId> whole_filter(Context& context, const Parts& parts, Place place) {
  std::vector<FilterId> all;
  if (!parts.filters.empty()) {
    all.push_back(combine(context, FilterNode::Kind::any, parts.filters, place).index);
  }
  const std::vector<FilterId>& scopes = context.scopes.filters;
  all.insert(all.end(), scopes.rbegin(), scopes.rend());
  if (all.empty() || context.failed()) return std::nullopt;
  return combine(context, FilterNode::Kind::all, all, place).index;
}

bool fits(Context& context, const Parts& parts, FilterId filter, Place place) {
  if (context.rules.filters[filter].conditional) {
    context.fail(Code::ND6009, place, "`entitlement-value` outside of `require-entitlement`");
    return false;
  }
  // Whoever walks the rules' filters as trees does at most as many steps as are counted here.
  context.count(std::size_t{8} * context.rules.filters[filter].tree_size);
  if (!context.step(place, 0)) return false;
  for (const AtomId id : context.rules.atoms_of(filter)) {
    const Atom& atom = context.rules.atoms[id];
    for (std::size_t i = 0; i < parts.ops.size(); ++i) {
      if (accepts(parts.ops[i], atom.filter)) continue;
      Diagnostic& error = context.fail(
          Code::ND6008, place,
          fmt::format("`{}` does not take `{}`", name(parts.ops[i]), name(atom.filter)));
      error.primary = atom.span;
      if (parts.op_places[i] != kNowhere) {
        error.labels.push_back({context.span(parts.op_places[i]), "this operation"});
      }
      error.notes.emplace_back("every filter of a rule must fit every operation of it");
      return false;
    }
  }
  return true;
}

bool fits(Action action, const std::vector<Op>& ops, ModifierUse use) {
  const auto only = [&](Op wanted) {
    return std::all_of(ops.begin(), ops.end(), [&](Op op) { return op == wanted; });
  };
  switch (use) {
    case ModifierUse::any: return true;
    case ModifierUse::allow: return action == Action::allow;
    case ModifierUse::deny: return action == Action::deny;
    case ModifierUse::exec: return action == Action::allow && only(Op::process_exec_all);
    case ModifierUse::privilege: return action == Action::allow && only(Op::system_privilege);
    case ModifierUse::metadata: return only(Op::file_read_metadata);
  }
  return false;
}

void append_import(Context& context, Import import, Place place) {
  RuleBase& base = context.rules;
  if (!context.charge(4, place)) return;
  Rule rule;
  rule.kind = Rule::Kind::import;
  rule.action = Action::allow;
  rule.import = static_cast<std::uint32_t>(base.imports.size());
  rule.span = context.span(place);
  import.span = rule.span;
  base.imports.push_back(std::move(import));
  base.import_rules.push_back(static_cast<RuleId>(base.rules.size()));
  base.rules.push_back(std::move(rule));
}

/// The file's name if libsandbox would find it among Apple's own profiles.
std::string_view apple_name(std::string_view path) {
  for (const std::string_view folder :
       {"/System/Library/Sandbox/Profiles/", "/usr/share/sandbox/"}) {
    if (path.substr(0, folder.size()) == folder) return path.substr(folder.size());
  }
  return path;
}

}  // namespace

void add_rule(Context& context, Action action, Arguments arguments, Place place) {
  if (!has_version(context, place)) return;
  Parts parts;
  for (const Argument& argument : arguments) {
    if (!take(context, argument, parts)) return;
  }
  for (const std::vector<Op>& ops : context.scopes.operations) {
    for (const Op op : ops) add_op(parts, op, kNowhere);
  }
  if (parts.ops.empty()) {
    if (parts.only_ignored) return;
    context.fail(Code::ND6023, place, "a rule that names no operation");
    return;
  }
  Rule rule;
  rule.action = action;
  rule.span = context.span(place);
  rule.filter = whole_filter(context, parts, place);
  if (context.failed()) return;
  if (rule.filter && !fits(context, parts, *rule.filter, place)) return;
  parts.modifiers.insert(parts.modifiers.end(), context.scopes.modifiers.begin(),
                         context.scopes.modifiers.end());
  for (const std::uint32_t id : parts.modifiers) {
    const Modifier& modifier = context.heap.modifiers[id];
    if (!fits(action, parts.ops, use_of(modifier.kind))) {
      Diagnostic& error =
          context.fail(Code::ND6013, place, "a modifier that does not fit the rule");
      error.primary = modifier.span;
      error.labels.push_back({rule.span, "this rule"});
      return;
    }
    rule.modifiers.push_back(modifier);
  }
  if (!context.charge(2 + parts.ops.size() + parts.modifiers.size(), place)) return;
  RuleBase& base = context.rules;
  for (const Op op : parts.ops) {
    base.naming[static_cast<std::size_t>(op)].push_back(static_cast<RuleId>(base.rules.size()));
  }
  rule.ops = std::move(parts.ops);
  base.rules.push_back(std::move(rule));
}

Value make_modifier(Context& context, Arguments arguments, Place place) {
  const std::string& word = context.symbol(arguments[0].value);
  const std::optional<ModifierInfo> found = find_modifier(word);
  if (!found) {
    context.fail(Code::ND6013, arguments[0].place, fmt::format("no modifier is called `{}`", word));
    return {};
  }
  Modifier modifier;
  modifier.kind = found->kind;
  modifier.argument = found->fixed;
  modifier.span = context.span(place);
  if (found->kind == ModifierKind::error_number) modifier.argument = word;
  const Arguments rest = arguments.subspan(1);
  const bool wants =
      found->argument == ModifierArgument::text || found->argument == ModifierArgument::symbol;
  const bool takes = found->argument != ModifierArgument::none;
  if (rest.size() > (takes ? 1U : 0U) || (wants && rest.empty())) {
    context.fail(
        Code::ND6013, place,
        fmt::format("`{}` with {} argument{}", word, rest.size(), rest.size() == 1 ? "" : "s"));
    return {};
  }
  if (!rest.empty()) {
    const Value& value = rest[0].value;
    const bool text = value.is(Kind::string);
    const bool symbol = value.is(Kind::symbol);
    const bool right = found->argument == ModifierArgument::text     ? text
                       : found->argument == ModifierArgument::symbol ? symbol
                                                                     : true;
    if (!right) {
      context.fail(Code::ND6013, rest[0].place,
                   fmt::format("`{}` with {}", word, describe(value.kind)));
      return {};
    }
    if (text) modifier.argument = shown(context.text(value));
    if (symbol) modifier.argument = context.symbol(value);
  }
  if (!context.charge(1, place)) return {};
  context.heap.modifiers.push_back(std::move(modifier));
  return Value::at(Kind::modifier, static_cast<std::uint32_t>(context.heap.modifiers.size() - 1));
}

void add_import(Context& context, std::string_view file, Place place) {
  if (!has_version(context, place)) return;
  const std::string_view known = apple_name(file);
  if (known != "system.sb" && known != "bsd.sb") {
    context.warn(Code::ND6124, place,
                 fmt::format("`{}` is not modelled: it may hold any rule", file));
    append_import(context, {std::string{file}, Import::Kind::unknown, {}}, place);
    return;
  }
  context.system_imported = true;
  append_import(context, {std::string{known}, Import::Kind::apple, {}}, place);
  if (known != "bsd.sb" || !context.charge(3, place)) return;
  RuleBase& base = context.rules;
  Rule fork;
  fork.kind = Rule::Kind::axiom;
  fork.action = Action::allow;
  fork.ops = {Op::process_fork};
  fork.import = static_cast<std::uint32_t>(base.imports.size() - 1);
  fork.span = context.span(place);
  base.naming[static_cast<std::size_t>(Op::process_fork)].push_back(
      static_cast<RuleId>(base.rules.size()));
  base.rules.push_back(std::move(fork));
}

void add_imported_rules(Context& context, std::string_view name, Import::Kind kind, Place place) {
  if (!has_version(context, place)) return;
  append_import(context, {std::string{name}, kind, {}}, place);
}

}  // namespace nd7::seatbelt::read
