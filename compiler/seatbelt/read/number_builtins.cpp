// Integers. Overflow is an error, not a wrap.
#include <array>
#include <cstdint>

#include "compiler/seatbelt/read/builtins.hpp"

namespace nd7::seatbelt::read {
namespace {

using Kind = Value::Kind;

bool all_numbers(Context& context, Arguments arguments, std::string_view function) {
  for (const Argument& argument : arguments) {
    if (argument.value.is(Kind::integer)) continue;
    fail_argument(context, argument, function, "a number");
    return false;
  }
  return true;
}

template <typename Relation>
Value compare(Context& context, Arguments arguments, std::string_view function, Relation relation) {
  if (!all_numbers(context, arguments, function)) return {};
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (!relation(arguments[i - 1].value.number, arguments[i].value.number)) {
      return Value::boolean(false);
    }
  }
  return Value::boolean(true);
}

Value less(Context& context, Arguments arguments, Place) {
  return compare(context, arguments, "<", [](auto a, auto b) { return a < b; });
}
Value less_equal(Context& context, Arguments arguments, Place) {
  return compare(context, arguments, "<=", [](auto a, auto b) { return a <= b; });
}
Value greater(Context& context, Arguments arguments, Place) {
  return compare(context, arguments, ">", [](auto a, auto b) { return a > b; });
}
Value greater_equal(Context& context, Arguments arguments, Place) {
  return compare(context, arguments, ">=", [](auto a, auto b) { return a >= b; });
}
Value equal(Context& context, Arguments arguments, Place) {
  return compare(context, arguments, "=", [](auto a, auto b) { return a == b; });
}

using Arithmetic = bool (*)(std::int64_t, std::int64_t, std::int64_t*);
bool add(std::int64_t a, std::int64_t b, std::int64_t* result) {
  return __builtin_add_overflow(a, b, result);
}
bool subtract(std::int64_t a, std::int64_t b, std::int64_t* result) {
  return __builtin_sub_overflow(a, b, result);
}
bool multiply(std::int64_t a, std::int64_t b, std::int64_t* result) {
  return __builtin_mul_overflow(a, b, result);
}

Value fold(Context& context, Arguments arguments, Place place, std::string_view function,
           std::int64_t start, Arithmetic step) {
  if (!all_numbers(context, arguments, function)) return {};
  std::int64_t result = start;
  for (const Argument& argument : arguments) {
    if (!step(result, argument.value.number, &result)) continue;
    context.fail(Code::ND6026, place, "a number that does not fit into 64 bits");
    return {};
  }
  return Value::integer(result);
}

Value sum(Context& context, Arguments arguments, Place place) {
  return fold(context, arguments, place, "+", 0, add);
}
Value product(Context& context, Arguments arguments, Place place) {
  return fold(context, arguments, place, "*", 1, multiply);
}
Value difference(Context& context, Arguments arguments, Place place) {
  if (arguments.size() == 1) return fold(context, arguments, place, "-", 0, subtract);
  if (!all_numbers(context, arguments, "-")) return {};
  return fold(context, arguments.subspan(1), place, "-", arguments[0].value.number, subtract);
}

Value divide(Context& context, Arguments arguments, Place place, std::string_view function,
             bool remainder) {
  if (!all_numbers(context, arguments, function)) return {};
  const std::int64_t a = arguments[0].value.number;
  const std::int64_t b = arguments[1].value.number;
  if (b == 0 || (a == INT64_MIN && b == -1)) {
    context.fail(Code::ND6026, place, "a division that has no result");
    return {};
  }
  return Value::integer(remainder ? a % b : a / b);
}
Value quotient(Context& context, Arguments arguments, Place place) {
  return divide(context, arguments, place, "quotient", false);
}
Value remainder(Context& context, Arguments arguments, Place place) {
  return divide(context, arguments, place, "remainder", true);
}

Value is_zero(Context& context, Arguments arguments, Place) {
  if (!all_numbers(context, arguments, "zero?")) return {};
  return Value::boolean(arguments[0].value.number == 0);
}
Value is_number(Context&, Arguments arguments, Place) {
  return Value::boolean(arguments[0].value.is(Kind::integer));
}

/// The number that `_IO` of <sys/ioccom.h> makes of a group's letter and a command's number.
Value ioctl_number(Context& context, Arguments arguments, Place) {
  const Value& group = arguments[0].value;
  const bool letter = group.is(Kind::string) && context.text(group).size() == 1;
  if (!letter) {
    fail_argument(context, arguments[0], "_IO", "one letter");
    return {};
  }
  if (!arguments[1].value.is(Kind::integer) || arguments[1].value.number < 0 ||
      arguments[1].value.number > 255) {
    fail_argument(context, arguments[1], "_IO", "a number below 256");
    return {};
  }
  const auto code = static_cast<unsigned char>(context.text(group)[0]);
  return Value::integer(std::int64_t{0x20000000} | (std::int64_t{code} << 8U) |
                        arguments[1].value.number);
}

constexpr std::array kTable{
    Builtin{"<", less, 1, kAnyNumber},       Builtin{"<=", less_equal, 1, kAnyNumber},
    Builtin{">", greater, 1, kAnyNumber},    Builtin{">=", greater_equal, 1, kAnyNumber},
    Builtin{"=", equal, 1, kAnyNumber},      Builtin{"+", sum, 0, kAnyNumber},
    Builtin{"-", difference, 1, kAnyNumber}, Builtin{"*", product, 0, kAnyNumber},
    Builtin{"quotient", quotient, 2, 2},     Builtin{"remainder", remainder, 2, 2},
    Builtin{"zero?", is_zero, 1, 1},         Builtin{"number?", is_number, 1, 1},
    Builtin{"_IO", ioctl_number, 2, 2},
};

}  // namespace

std::span<const Builtin> number_builtins() { return kTable; }

}  // namespace nd7::seatbelt::read
