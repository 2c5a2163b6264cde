// Functions that make rules and filters, and those that ask about the load.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "compiler/seatbelt/read/builtins.hpp"
#include "compiler/seatbelt/read/filter_builder.hpp"
#include "compiler/seatbelt/read/rule_builder.hpp"

namespace nd7::seatbelt::read {
namespace {

using Kind = Value::Kind;

/// A string without unknown parts, as the name of something outside the profile.
const Text* outside_name(Context& context, const Argument& argument, std::string_view function) {
  if (!argument.value.is(Kind::string)) {
    fail_argument(context, argument, function, "a string");
    return nullptr;
  }
  const Text& text = context.text(argument.value);
  if (!is_opaque(text)) return &text;
  context.fail_opaque(argument.place, fmt::format("`{}`", function));
  return nullptr;
}

Value version(Context& context, Arguments arguments, Place place) {
  if (arguments[0].value == Value::integer(1)) {
    context.versioned = true;
  } else {
    context.fail(Code::ND6005, place, "a version other than 1");
  }
  return {};
}

Value allow(Context& context, Arguments arguments, Place place) {
  add_rule(context, Action::allow, arguments, place);
  return {};
}
Value deny(Context& context, Arguments arguments, Place place) {
  add_rule(context, Action::deny, arguments, place);
  return {};
}

Value import(Context& context, Arguments arguments, Place place) {
  const Text* const name = outside_name(context, arguments[0], "import");
  if (name != nullptr) add_import(context, *name, place);
  return {};
}

Value trace(Context& context, Arguments arguments, Place place) {
  if (!arguments[0].value.is(Kind::string)) {
    fail_argument(context, arguments[0], "trace", "a string");
  } else if (context.charge(1, place)) {
    context.rules.traces.push_back(context.span(place));
  }
  return {};
}

Value param(Context& context, Arguments arguments, Place place) {
  const Text* const name = outside_name(context, arguments[0], "param");
  if (name == nullptr) return {};
  if (context.options().asked != nullptr) context.options().asked->insert(*name);
  const std::vector<Parameter>& parameters = context.options().parameters;
  const auto found =
      std::find_if(parameters.begin(), parameters.end(),
                   [&](const Parameter& parameter) { return parameter.name == *name; });
  if (found == parameters.end() || found->kind == Parameter::Kind::unset) {
    return Value::boolean(false);
  }
  if (!context.room_for_text(found->value.size() + 2, place)) return {};
  if (found->kind == Parameter::Kind::bound) return context.heap.text(found->value);
  return context.heap.text(hole(static_cast<std::uint32_t>(found - parameters.begin())));
}

Value environment(Context& context, Arguments arguments, Place place) {
  if (outside_name(context, arguments[0], "getenv") != nullptr) {
    context.warn(Code::ND6120, place, "`getenv` is taken to find nothing");
  }
  return Value::boolean(false);
}

Value refuse(Context& context, Arguments arguments, Place place) {
  const Value& reason = arguments[0].value;
  context.fail(Code::ND6020, place,
               reason.is(Kind::string)
                   ? fmt::format("the profile refuses itself: {}", shown(context.text(reason)))
                   : std::string{"the profile refuses itself"});
  return {};
}

Value require(Context& context, Arguments arguments, Place place, std::string_view function,
              FilterNode::Kind kind) {
  const bool negation = kind == FilterNode::Kind::negation;
  if (arguments.empty() || (negation && arguments.size() != 1)) {
    context.fail(Code::ND6011, place,
                 fmt::format("`{}` with {} filters, where it wants {}", function, arguments.size(),
                             negation ? "exactly one" : "at least one"));
    return {};
  }
  std::vector<FilterId> kids;
  for (const Argument& argument : arguments) {
    if (!argument.value.is(Kind::filter)) {
      Diagnostic& error = context.fail(
          Code::ND6009, argument.place,
          fmt::format("`{}` wants filters, not {}", function, describe(argument.value.kind)));
      if (argument.value.is(Kind::string)) {
        error.helps.emplace_back("put `subpath`, `literal`, `prefix` or `regex` around it");
      }
      return {};
    }
    kids.push_back(argument.value.index);
  }
  return combine(context, kind, kids, place);
}
Value require_any(Context& context, Arguments arguments, Place place) {
  return require(context, arguments, place, "require-any", FilterNode::Kind::any);
}
Value require_all(Context& context, Arguments arguments, Place place) {
  return require(context, arguments, place, "require-all", FilterNode::Kind::all);
}
Value require_not(Context& context, Arguments arguments, Place place) {
  return require(context, arguments, place, "require-not", FilterNode::Kind::negation);
}

Value entitlement_value(Context& context, Arguments arguments, Place place) {
  return make_entitlement_value(context, arguments, place);
}

Value extension_of(Context& context, std::string_view name, Place place) {
  const std::array argument{Argument{context.heap.text(Text{name}), place}};
  return make_filter(context, Filter::extension, argument, place);
}
Value container(Context& context, Arguments, Place place) {
  return extension_of(context, "com.apple.sandbox.container", place);
}
Value executable_bundle(Context& context, Arguments, Place place) {
  return extension_of(context, "com.apple.sandbox.executable", place);
}

Value is_filter(Context&, Arguments arguments, Place) {
  return Value::boolean(arguments[0].value.is(Kind::filter));
}

Value without_effect(Context&, Arguments, Place) { return {}; }

Value system_network(Context& context, Arguments, Place place) {
  add_imported_rules(context, "system.sb (system-network)", Import::Kind::apple, place);
  return {};
}
Value system_graphics(Context& context, Arguments, Place place) {
  add_imported_rules(context, "system.sb (system-graphics)", Import::Kind::apple, place);
  return {};
}
Value network_client(Context& context, Arguments, Place place) {
  context.warn(Code::ND6124, place, "`network-client` is not modelled: it may make any rule");
  add_imported_rules(context, "(network-client)", Import::Kind::unknown, place);
  return {};
}

constexpr std::array kTable{
    Builtin{"version", version, 1, 1},
    Builtin{"allow", allow, 0, kAnyNumber},
    Builtin{"deny", deny, 0, kAnyNumber},
    Builtin{kModifierBuiltin, make_modifier, 1, kAnyNumber},
    Builtin{"import", import, 1, 1},
    Builtin{"trace", trace, 1, 1},
    Builtin{"param", param, 1, 1},
    Builtin{"getenv", environment, 1, 1},
    Builtin{"error", refuse, 1, kAnyNumber},
    Builtin{"require-any", require_any, 0, kAnyNumber},
    Builtin{"require-all", require_all, 0, kAnyNumber},
    Builtin{"require-not", require_not, 0, kAnyNumber},
    Builtin{"entitlement-value", entitlement_value, 1, 1},
    Builtin{"container", container, 0, 0},
    Builtin{"executable-bundle", executable_bundle, 0, 0},
    Builtin{"sbpl-filter?", is_filter, 1, 1},
    Builtin{"disable-callouts", without_effect, 0, kAnyNumber},
    Builtin{"disable-full-symbolication", without_effect, 0, kAnyNumber},
    Builtin{"record", without_effect, 0, kAnyNumber},
    Builtin{"eliminate-duplicate-rules", without_effect, 0, kAnyNumber},
    Builtin{"system-network", system_network, 0, 0},
    Builtin{"system-graphics", system_graphics, 0, 0},
    Builtin{"network-client", network_client, 0, kAnyNumber},
};

}  // namespace

std::span<const Builtin> profile_builtins() { return kTable; }

}  // namespace nd7::seatbelt::read
