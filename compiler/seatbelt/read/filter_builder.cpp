#include "compiler/seatbelt/read/filter_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace nd7::seatbelt::read {
namespace {

using Kind = Value::Kind;

/// Nodes of one filter written out as a tree.
constexpr std::uint32_t kMaxTreeSize = 200'000;

Value add_node(Context& context, FilterNode node, Place place) {
  node.span = context.span(place);
  context.rules.filters.push_back(node);
  if (!context.charge(1, place)) return {};
  return Value::at(Kind::filter, static_cast<std::uint32_t>(context.rules.filters.size() - 1));
}

Value add_atom(Context& context, Atom atom, Place place, bool conditional = false) {
  // An atom keeps a text of its own.
  if (!context.charge(2, place) || !context.room_for_text(atom.text.size(), place)) return {};
  context.heap.text_bytes += atom.text.size();
  atom.span = context.span(place);
  FilterNode node;
  node.first = static_cast<std::uint32_t>(context.rules.atoms.size());
  node.conditional = conditional;
  context.rules.atoms.push_back(std::move(atom));
  return add_node(context, node, place);
}

/// Adds to the error that a missing parameter causes where a text is wanted.
void refuse_argument(Context& context, Filter filter, const Argument& argument,
                     std::string_view wanted) {
  Diagnostic& error = context.fail(
      Code::ND6009, argument.place,
      fmt::format("`{}` wants {}, not {}", name(filter), wanted, describe(argument.value.kind)));
  if (argument.value.is(Kind::boolean) && !argument.value.truthy()) {
    error.helps.emplace_back(
        "a parameter that is not set is `#f`: ask first with `(if (param \"NAME\") ...)`");
  }
}

std::optional<Text> text_argument(Context& context, Filter filter, const Argument& argument) {
  if (!argument.value.is(Kind::string)) {
    refuse_argument(context, filter, argument, "a string");
    return std::nullopt;
  }
  std::optional<Text> text = as_plain(context.text(argument.value));
  if (!text) context.fail_opaque(argument.place, "a text that is quoted for a regular expression");
  return text;
}

bool regex_argument(Context& context, Filter filter, const Argument& argument, Atom& atom) {
  if (!argument.value.is(Kind::string)) {
    refuse_argument(context, filter, argument, "a regular expression");
    return false;
  }
  std::optional<Text> text = as_regex(context.text(argument.value));
  if (!text) {
    context.fail_opaque(argument.place, "a regular expression with an unquoted parameter");
    return false;
  }
  atom.kind = Atom::Kind::regex;
  atom.text = std::move(*text);
  if (const auto known = context.regex_ids.find(atom.text); known != context.regex_ids.end()) {
    atom.regex = known->second;
    return true;
  }
  pattern::RegexResult result = pattern::parse_regex(atom.text, pattern::RegexMode::tolerant);
  if (!result.regex) {
    Diagnostic& error = context.fail(Code::ND6021, argument.place,
                                     result.error ? result.error->message : "a regular expression");
    if (result.error && !result.error->help.empty()) error.helps.push_back(result.error->help);
    return false;
  }
  if (!result.warnings.empty()) {
    context.warn(Code::ND6125, argument.place, result.warnings.front().message);
  }
  if (!context.charge(result.regex->nodes.size(), argument.place)) return false;
  std::optional<Program> program = compile(*result.regex);
  atom.regex = static_cast<std::uint32_t>(context.rules.regexes.size());
  context.rules.regexes.push_back(
      {std::move(*result.regex), program ? std::move(*program) : Program{}});
  context.regex_ids.emplace(atom.text, atom.regex);
  return true;
}

bool is_closed_set(Filter filter) {
  return filter == Filter::vnode_type || filter == Filter::target ||
         filter == Filter::semaphore_owner;
}

bool symbol_argument(Context& context, Filter filter, const Argument& argument, Atom& atom) {
  if (argument.value.is(Kind::integer) && !is_closed_set(filter)) {
    atom.kind = Atom::Kind::number;
    atom.number = argument.value.number;
    return true;
  }
  if (!argument.value.is(Kind::symbol)) {
    refuse_argument(context, filter, argument, "a symbol");
    return false;
  }
  atom.kind = Atom::Kind::symbol;
  atom.text = context.symbol(argument.value);
  if (knows_symbol(filter, atom.text)) return true;
  context.fail(Code::ND6022, argument.place,
               fmt::format("`{}` does not know `{}`", name(filter), atom.text));
  return false;
}

bool simple_argument(Context& context, Filter filter, const Argument& argument, Atom& atom) {
  switch (info(filter).value) {
    case FilterValue::path:
    case FilterValue::name: {
      std::optional<Text> text = text_argument(context, filter, argument);
      if (!text) return false;
      atom.kind = Atom::Kind::text;
      atom.text = std::move(*text);
      return true;
    }
    case FilterValue::regex: return regex_argument(context, filter, argument, atom);
    case FilterValue::integer:
    case FilterValue::symbol: return symbol_argument(context, filter, argument, atom);
    case FilterValue::none:
    case FilterValue::address: break;
  }
  refuse_argument(context, filter, argument, "no argument");
  return false;
}

Value make_unix(Context& context, Filter filter, Arguments arguments, Place place) {
  const Filter side = filter == Filter::remote ? Filter::remote_unix : Filter::local_unix;
  Atom atom;
  atom.filter = side;
  const Value socket = add_atom(context, std::move(atom), place);
  std::vector<FilterId> paths;
  for (const Argument& argument : arguments) {
    if (!argument.value.is(Kind::filter)) {
      refuse_argument(context, side, argument, "a path filter");
      return {};
    }
    for (const AtomId id : context.rules.atoms_of(argument.value.index)) {
      const Atom& path = context.rules.atoms[id];
      const bool about_path = variant_of(path.filter, Subject::outbound) == Variant::unix_socket;
      if (about_path && path.kind != Atom::Kind::none) continue;
      context.fail(
          Code::ND6009, argument.place,
          fmt::format("`{}` wants a path filter, not `{}`", name(side), name(path.filter)));
      return {};
    }
    paths.push_back(argument.value.index);
  }
  if (paths.empty() || context.failed()) return socket;
  const Value any = combine(context, FilterNode::Kind::any, paths, place);
  const std::array both{socket.index, any.index};
  return context.failed() ? Value{} : combine(context, FilterNode::Kind::all, both, place);
}

Value make_address(Context& context, Filter filter, Arguments arguments, Place place) {
  if (arguments.empty() || !arguments[0].value.is(Kind::symbol)) {
    context.fail(Code::ND6012, arguments.empty() ? place : arguments[0].place,
                 fmt::format("`{}` without a protocol", name(filter)));
    return {};
  }
  const std::string& protocol = context.symbol(arguments[0].value);
  if (protocol == "unix-socket" || protocol == "unix") {
    return make_unix(context, filter, arguments.subspan(1), place);
  }
  const std::optional<Address> any = parse_protocol(protocol);
  if (!any) {
    context.fail(Code::ND6012, arguments[0].place,
                 fmt::format("`{}` does not know the protocol `{}`", name(filter), protocol));
    return {};
  }
  Atom atom;
  atom.filter = filter;
  atom.kind = Atom::Kind::address;
  atom.address = *any;
  if (arguments.size() == 1) return add_atom(context, std::move(atom), place);
  std::vector<FilterId> kids;
  for (const Argument& argument : arguments.subspan(1)) {
    const std::optional<Text> text = text_argument(context, filter, argument);
    if (!text) return {};
    if (is_opaque(*text)) {
      context.fail_opaque(argument.place, "an address");
      return {};
    }
    const std::string refusal = parse_address(*text, atom.address);
    if (!refusal.empty()) {
      context.fail(Code::ND6012, argument.place, refusal)
          .notes.emplace_back("libsandbox refuses the whole profile");
      return {};
    }
    if (atom.address.host == Address::Host::local) {
      context.warn(Code::ND6126, argument.place, "the host `local` is not known to mean anything")
          .helps.emplace_back("write `localhost`");
    }
    kids.push_back(add_atom(context, atom, argument.place).index);
    if (context.failed()) return {};
  }
  return combine(context, FilterNode::Kind::any, kids, place);
}

Value make_entitlement(Context& context, Filter filter, Arguments arguments, Place place) {
  Atom atom;
  atom.filter = filter;
  if (arguments.empty() || !simple_argument(context, filter, arguments[0], atom)) {
    context.fail(Code::ND6009, place, fmt::format("`{}` without a name", name(filter)));
    return {};
  }
  const Value entitlement = add_atom(context, std::move(atom), place);
  std::vector<FilterId> values;
  for (const Argument& argument : arguments.subspan(1)) {
    if (!argument.value.is(Kind::filter) ||
        !context.rules.filters[argument.value.index].conditional) {
      refuse_argument(context, filter, argument, "an `entitlement-value`");
      return {};
    }
    values.push_back(argument.value.index);
  }
  if (values.empty() || context.failed()) return entitlement;
  const Value any = combine(context, FilterNode::Kind::any, values, place);
  const std::array both{entitlement.index, any.index};
  if (context.failed()) return {};
  const Value result = combine(context, FilterNode::Kind::all, both, place);
  if (!context.failed()) context.rules.filters[result.index].conditional = false;
  return result;
}

}  // namespace

bool takes_symbols(const Value& function) {
  if (!function.is(Kind::filter_maker)) return false;
  const FilterValue value = info(static_cast<Filter>(function.index)).value;
  return value == FilterValue::symbol || value == FilterValue::integer;
}

Value make_filter(Context& context, Filter filter, Arguments arguments, Place place) {
  switch (filter) {
    case Filter::remote:
    case Filter::local: return make_address(context, filter, arguments, place);
    case Filter::require_entitlement:
    case Filter::require_ancestor_with_entitlement:
    case Filter::require_target_with_entitlement:
      return make_entitlement(context, filter, arguments, place);
    default: break;
  }
  const bool bare = info(filter).value == FilterValue::none;
  if (arguments.empty() != bare) {
    context.fail(Code::ND6009, place,
                 fmt::format("`{}` {} an argument", name(filter), bare ? "with" : "without"));
    return {};
  }
  Atom atom;
  atom.filter = filter;
  if (bare) return add_atom(context, std::move(atom), place);
  std::vector<FilterId> kids;
  for (const Argument& argument : arguments) {
    Atom one = atom;
    if (!simple_argument(context, filter, argument, one)) return {};
    kids.push_back(
        add_atom(context, std::move(one), argument.place != kNowhere ? argument.place : place)
            .index);
    if (context.failed()) return {};
  }
  return combine(context, FilterNode::Kind::any, kids, place);
}

Value make_entitlement_value(Context& context, Arguments arguments, Place place) {
  Atom atom;
  atom.filter = Filter::require_entitlement;
  const Argument& argument = arguments[0];
  if (argument.value.is(Kind::boolean)) {
    atom.text = argument.value.truthy() ? "#t" : "#f";
  } else if (argument.value.is(Kind::integer)) {
    atom.text = std::to_string(argument.value.number);
  } else if (std::optional<Text> text =
                 text_argument(context, Filter::require_entitlement, argument)) {
    atom.text = std::move(*text);
  } else {
    return {};
  }
  atom.kind = Atom::Kind::entitlement_value;
  return add_atom(context, std::move(atom), place, true);
}

Value combine(Context& context, FilterNode::Kind kind, std::span<const FilterId> kids,
              Place place) {
  if (kids.size() == 1 && kind != FilterNode::Kind::negation) {
    return Value::at(Kind::filter, kids[0]);
  }
  FilterNode node;
  node.kind = kind;
  node.first = static_cast<std::uint32_t>(context.rules.kids.size());
  node.count = static_cast<std::uint32_t>(kids.size());
  for (const FilterId kid : kids) {
    const FilterNode& below = context.rules.filters[kid];
    node.depth = std::max(node.depth, below.depth + 1);
    node.tree_size = std::min(kMaxTreeSize + 1, node.tree_size + below.tree_size);
    node.conditional = node.conditional || below.conditional;
  }
  if (node.depth > context.limits().nesting) {
    context.fail(Code::ND6017, place,
                 fmt::format("filters nested more than {} deep", context.limits().nesting));
    return {};
  }
  if (node.tree_size > kMaxTreeSize) {
    context.fail(Code::ND6018, place, fmt::format("a filter of more than {} parts", kMaxTreeSize));
    return {};
  }
  if (!context.charge(kids.size(), place)) return {};
  context.rules.kids.insert(context.rules.kids.end(), kids.begin(), kids.end());
  return add_node(context, node, place);
}

}  // namespace nd7::seatbelt::read
