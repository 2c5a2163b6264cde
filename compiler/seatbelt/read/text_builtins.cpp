// Strings and symbols. Texts with unknown parts may be put together and quoted, not looked into.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "compiler/seatbelt/read/builtins.hpp"
#include "compiler/seatbelt/read/literal.hpp"

namespace nd7::seatbelt::read {
namespace {

using Kind = Value::Kind;

/// A string without unknown parts.
const Text* known_text(Context& context, const Argument& argument, std::string_view function) {
  if (!argument.value.is(Kind::string)) {
    fail_argument(context, argument, function, "a string");
    return nullptr;
  }
  const Text& text = context.text(argument.value);
  context.count(text.size());
  if (!is_opaque(text)) return &text;
  context.fail_opaque(argument.place, fmt::format("`{}`", function));
  return nullptr;
}

template <typename Relation>
Value compare(Context& context, Arguments arguments, std::string_view function, Relation relation) {
  bool holds = true;
  const Text* previous = nullptr;
  for (const Argument& argument : arguments) {
    const Text* const text = known_text(context, argument, function);
    if (text == nullptr) return {};
    if (previous != nullptr && !relation(*previous, *text)) holds = false;
    previous = text;
  }
  return Value::boolean(holds);
}

Value string_equal(Context& context, Arguments arguments, Place) {
  return compare(context, arguments, "string=?",
                 [](const Text& a, const Text& b) { return a == b; });
}
Value string_less(Context& context, Arguments arguments, Place) {
  return compare(context, arguments, "string<?",
                 [](const Text& a, const Text& b) { return a < b; });
}
Value string_greater(Context& context, Arguments arguments, Place) {
  return compare(context, arguments, "string>?",
                 [](const Text& a, const Text& b) { return a > b; });
}

Value string_append(Context& context, Arguments arguments, Place place) {
  std::size_t size = 0;
  for (const Argument& argument : arguments) {
    if (!argument.value.is(Kind::string)) {
      fail_argument(context, argument, "string-append", "a string");
      return {};
    }
    size += context.text(argument.value).size();
    if (!context.room_for_text(size, place)) return {};
  }
  Text result;
  result.reserve(size);
  for (const Argument& argument : arguments) result += context.text(argument.value);
  return context.heap.text(std::move(result));
}

Value string_length(Context& context, Arguments arguments, Place) {
  const Text* const text = known_text(context, arguments[0], "string-length");
  return text == nullptr ? Value{} : Value::integer(static_cast<std::int64_t>(text->size()));
}

Value substring(Context& context, Arguments arguments, Place place) {
  const Text* const text = known_text(context, arguments[0], "substring");
  if (text == nullptr) return {};
  const auto size = static_cast<std::int64_t>(text->size());
  std::array<std::int64_t, 2> bounds{0, size};
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (!arguments[i].value.is(Kind::integer)) {
      fail_argument(context, arguments[i], "substring", "a number");
      return {};
    }
    bounds[i - 1] = arguments[i].value.number;
  }
  if (bounds[0] < 0 || bounds[1] < bounds[0] || bounds[1] > size) {
    context.fail(Code::ND6014, place, "`substring` beyond the ends of the string");
    return {};
  }
  const auto length = static_cast<std::size_t>(bounds[1] - bounds[0]);
  if (!context.room_for_text(length, place)) return {};
  return context.heap.text(text->substr(static_cast<std::size_t>(bounds[0]), length));
}

Value string_to_number(Context& context, Arguments arguments, Place) {
  const Text* const text = known_text(context, arguments[0], "string->number");
  if (text == nullptr) return {};
  std::int64_t value = 0;
  if (decode_number(*text, value) != NumberSyntax::integer) return Value::boolean(false);
  return Value::integer(value);
}

Value number_to_string(Context& context, Arguments arguments, Place place) {
  if (!arguments[0].value.is(Kind::integer)) {
    fail_argument(context, arguments[0], "number->string", "a number");
    return {};
  }
  std::string digits = std::to_string(arguments[0].value.number);
  if (!context.room_for_text(digits.size(), place)) return {};
  return context.heap.text(std::move(digits));
}

Value string_to_symbol(Context& context, Arguments arguments, Place place) {
  const Text* const text = known_text(context, arguments[0], "string->symbol");
  if (text == nullptr || !context.charge(1, place) || !context.room_for_text(text->size(), place)) {
    return {};
  }
  context.heap.text_bytes += text->size();
  return Value::at(Kind::symbol, context.tree.symbols.intern(*text));
}

Value symbol_to_string(Context& context, Arguments arguments, Place place) {
  if (!arguments[0].value.is(Kind::symbol)) {
    fail_argument(context, arguments[0], "symbol->string", "a symbol");
    return {};
  }
  const std::string& name = context.symbol(arguments[0].value);
  if (!context.room_for_text(name.size(), place)) return {};
  return context.heap.text(name);
}

Value quote_for_regex(Context& context, Arguments arguments, Place place) {
  if (!arguments[0].value.is(Kind::string)) {
    fail_argument(context, arguments[0], "regex-quote", "a string");
    return {};
  }
  const Text& text = context.text(arguments[0].value);
  context.count(text.size());
  if (!context.room_for_text(2 * text.size(), place)) return {};
  std::optional<Text> quoted = regex_quote(text);
  if (!quoted) {
    context.fail_opaque(arguments[0].place, "a text that is quoted twice");
    return {};
  }
  return context.heap.text(std::move(*quoted));
}

Value is_string(Context&, Arguments arguments, Place) {
  return Value::boolean(arguments[0].value.is(Kind::string));
}
Value is_symbol(Context&, Arguments arguments, Place) {
  return Value::boolean(arguments[0].value.is(Kind::symbol));
}

constexpr std::array kTable{
    Builtin{"string-append", string_append, 0, kAnyNumber},
    Builtin{"string=?", string_equal, 2, kAnyNumber},
    Builtin{"string<?", string_less, 2, kAnyNumber},
    Builtin{"string>?", string_greater, 2, kAnyNumber},
    Builtin{"string-length", string_length, 1, 1},
    Builtin{"substring", substring, 2, 3},
    Builtin{"string->number", string_to_number, 1, 1},
    Builtin{"number->string", number_to_string, 1, 1},
    Builtin{"string->symbol", string_to_symbol, 1, 1},
    Builtin{"symbol->string", symbol_to_string, 1, 1},
    Builtin{"regex-quote", quote_for_regex, 1, 1},
    Builtin{"string?", is_string, 1, 1},
    Builtin{"symbol?", is_symbol, 1, 1},
};

}  // namespace

std::span<const Builtin> text_builtins() { return kTable; }

}  // namespace nd7::seatbelt::read
