// Lists, and what holds for values of any kind.
#include <array>
#include <utility>
#include <vector>

#include "compiler/seatbelt/read/builtins.hpp"

namespace nd7::seatbelt::read {
namespace {

using Kind = Value::Kind;

const Pair& pair(Context& context, const Value& value) { return context.heap.pairs[value.index]; }

/// `path` is read from its end, as in the names `cadr` and `cddr`.
Value take(Context& context, Arguments arguments, std::string_view function,
           std::string_view path) {
  Value value = arguments[0].value;
  for (auto step = path.rbegin(); step != path.rend(); ++step) {
    if (!value.is(Kind::pair)) {
      fail_argument(context, {value, arguments[0].place}, function, "a longer list");
      return {};
    }
    value = *step == 'a' ? pair(context, value).car : pair(context, value).cdr;
  }
  return value;
}

Value car(Context& context, Arguments arguments, Place) {
  return take(context, arguments, "car", "a");
}
Value cdr(Context& context, Arguments arguments, Place) {
  return take(context, arguments, "cdr", "d");
}
Value caar(Context& context, Arguments arguments, Place) {
  return take(context, arguments, "caar", "aa");
}
Value cadr(Context& context, Arguments arguments, Place) {
  return take(context, arguments, "cadr", "ad");
}
Value cddr(Context& context, Arguments arguments, Place) {
  return take(context, arguments, "cddr", "dd");
}
Value caddr(Context& context, Arguments arguments, Place) {
  return take(context, arguments, "caddr", "add");
}

Value cons(Context& context, Arguments arguments, Place) {
  return context.heap.cons(arguments[0].value, arguments[1].value, arguments[0].place);
}

Value list(Context& context, Arguments arguments, Place place) {
  if (!context.charge(0, place)) return {};
  Value result = Value::nil();
  for (auto at = arguments.rbegin(); at != arguments.rend(); ++at) {
    result = context.heap.cons(at->value, result, at->place);
  }
  return result;
}

/// The elements of a proper list, in order.
bool elements(Context& context, const Argument& argument, std::string_view function,
              std::vector<Argument>& out) {
  Value at = argument.value;
  for (; at.is(Kind::pair); at = pair(context, at).cdr) {
    if (!context.step(argument.place, out.size())) return false;
    out.push_back({pair(context, at).car, pair(context, at).car_place});
  }
  if (at.is(Kind::nil)) return true;
  fail_argument(context, argument, function, "a list");
  return false;
}

Value append(Context& context, Arguments arguments, Place) {
  if (arguments.empty()) return Value::nil();
  Value result = arguments.back().value;
  for (std::size_t i = arguments.size() - 1; i-- > 0;) {
    std::vector<Argument> all;
    if (!elements(context, arguments[i], "append", all)) return {};
    for (auto at = all.rbegin(); at != all.rend(); ++at) {
      result = context.heap.cons(at->value, result, at->place);
    }
  }
  return result;
}

Value reverse(Context& context, Arguments arguments, Place) {
  std::vector<Argument> all;
  if (!elements(context, arguments[0], "reverse", all)) return {};
  Value result = Value::nil();
  for (const Argument& at : all) result = context.heap.cons(at.value, result, at.place);
  return result;
}

Value length(Context& context, Arguments arguments, Place) {
  std::vector<Argument> all;
  if (!elements(context, arguments[0], "length", all)) return {};
  return Value::integer(static_cast<std::int64_t>(all.size()));
}

enum class Same : std::uint8_t { no, yes, failed };

/// Structural equality with a stack of its own.
Same same(Context& context, Value a, Value b, Place place) {
  std::vector<std::pair<Value, Value>> work{{a, b}};
  while (!work.empty()) {
    const auto [left, right] = work.back();
    work.pop_back();
    if (!context.step(place, work.size())) return Same::failed;
    if (left == right) continue;
    if (left.kind != right.kind) return Same::no;
    if (left.is(Kind::string)) {
      const Text& one = context.text(left);
      const Text& other = context.text(right);
      if (is_opaque(one) || is_opaque(other)) {
        context.fail_opaque(place, "a comparison");
        return Same::failed;
      }
      if (one != other) return Same::no;
    } else if (left.is(Kind::pair)) {
      work.emplace_back(pair(context, left).cdr, pair(context, right).cdr);
      work.emplace_back(pair(context, left).car, pair(context, right).car);
    } else {
      return Same::no;
    }
  }
  return Same::yes;
}

Value is_equal(Context& context, Arguments arguments, Place place) {
  return Value::boolean(same(context, arguments[0].value, arguments[1].value, place) == Same::yes);
}

Value is_identical(Context&, Arguments arguments, Place) {
  return Value::boolean(arguments[0].value == arguments[1].value);
}

/// `member` and `assoc`: the first tail or entry whose (first) element is equal.
Value find(Context& context, Arguments arguments, Place place, bool association) {
  for (Value at = arguments[1].value; at.is(Kind::pair); at = pair(context, at).cdr) {
    Value candidate = pair(context, at).car;
    const Value entry = candidate;
    if (association) {
      if (!candidate.is(Kind::pair)) {
        fail_argument(context, {candidate, arguments[1].place}, "assoc", "a list of lists");
        return {};
      }
      candidate = pair(context, candidate).car;
    }
    const Same equal = same(context, arguments[0].value, candidate, place);
    if (equal == Same::failed) return {};
    if (equal == Same::yes) return association ? entry : at;
  }
  return Value::boolean(false);
}
Value member(Context& context, Arguments arguments, Place place) {
  return find(context, arguments, place, false);
}
Value assoc(Context& context, Arguments arguments, Place place) {
  return find(context, arguments, place, true);
}

Value logical_not(Context&, Arguments arguments, Place) {
  return Value::boolean(!arguments[0].value.truthy());
}
Value is_null(Context&, Arguments arguments, Place) {
  return Value::boolean(arguments[0].value.is(Kind::nil));
}
Value is_pair(Context&, Arguments arguments, Place) {
  return Value::boolean(arguments[0].value.is(Kind::pair));
}
Value is_boolean(Context&, Arguments arguments, Place) {
  return Value::boolean(arguments[0].value.is(Kind::boolean));
}
Value is_procedure(Context&, Arguments arguments, Place) {
  const Kind kind = arguments[0].value.kind;
  return Value::boolean(kind == Kind::procedure || kind == Kind::builtin ||
                        kind == Kind::filter_maker);
}

constexpr std::array kTable{
    Builtin{"car", car, 1, 1},
    Builtin{"cdr", cdr, 1, 1},
    Builtin{"caar", caar, 1, 1},
    Builtin{"cadr", cadr, 1, 1},
    Builtin{"cddr", cddr, 1, 1},
    Builtin{"caddr", caddr, 1, 1},
    Builtin{"cons", cons, 2, 2},
    Builtin{"list", list, 0, kAnyNumber},
    Builtin{"append", append, 0, kAnyNumber},
    Builtin{"reverse", reverse, 1, 1},
    Builtin{"length", length, 1, 1},
    Builtin{"equal?", is_equal, 2, 2},
    Builtin{"eqv?", is_identical, 2, 2},
    Builtin{"eq?", is_identical, 2, 2},
    Builtin{"member", member, 2, 2},
    Builtin{"assoc", assoc, 2, 2},
    Builtin{"not", logical_not, 1, 1},
    Builtin{"null?", is_null, 1, 1},
    Builtin{"pair?", is_pair, 1, 1},
    Builtin{"boolean?", is_boolean, 1, 1},
    Builtin{"procedure?", is_procedure, 1, 1},
};

}  // namespace

std::span<const Builtin> list_builtins() { return kTable; }

}  // namespace nd7::seatbelt::read
