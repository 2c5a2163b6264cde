// Rules, modifiers and imports out of evaluated forms.
#pragma once

#include <string_view>

#include "compiler/seatbelt/read/context.hpp"

namespace nd7::seatbelt::read {

/// `(allow ...)` or `(deny ...)`: operations, filters and modifiers in any order.
void add_rule(Context& context, Action action, Arguments arguments, Place place);

/// `(with NAME ARGUMENT...)`; arguments[0] is the name.
[[nodiscard]] Value make_modifier(Context& context, Arguments arguments, Place place);

/// `(import NAME)`. system.sb and bsd.sb are modelled; any other file may hold anything.
void add_import(Context& context, std::string_view name, Place place);

/// A call of a function that only an imported file defines: its rules, as an import of their own.
void add_imported_rules(Context& context, std::string_view name, Import::Kind kind, Place place);

}  // namespace nd7::seatbelt::read
