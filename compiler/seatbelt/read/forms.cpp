// Forms that choose, quote or put rules under a scope.
#include <fmt/format.h>

#include <utility>

#include "compiler/seatbelt/read/builtins.hpp"
#include "compiler/seatbelt/read/filter_builder.hpp"
#include "compiler/seatbelt/read/machine.hpp"

namespace nd7::seatbelt::read {

using Kind = Value::Kind;

void Machine::malformed(Place place, std::string_view form) {
  context_.fail(Code::ND6015, place, fmt::format("{} that is not built as it must be", form));
}

std::optional<std::vector<Argument>> Machine::parts(const Value& list, Place place,
                                                    std::size_t least, std::size_t most,
                                                    std::string_view form) {
  std::vector<Argument> result;
  Value at = list;
  for (; at.is(Kind::pair); at = pair(at).cdr) {
    if (!context_.step(place, values_.size())) return std::nullopt;
    if (result.size() == most) break;
    result.push_back({pair(at).car, pair(at).car_place});
  }
  if (!at.is(Kind::nil) || result.size() < least) {
    malformed(place, form);
    return std::nullopt;
  }
  return result;
}

void Machine::start(Form form, const Value& arguments, Place place) {
  Frame frame;
  frame.env = env_;
  frame.place = place;
  switch (form) {
    case Form::quote:
      if (const auto quoted = parts(arguments, place, 1, 1, "a `quote`")) {
        deliver((*quoted)[0].value);
      }
      return;
    case Form::quasiquote: return quasiquote(arguments, place);
    case Form::if_: {
      const auto all = parts(arguments, place, 2, 3, "an `if`");
      if (!all) return;
      frame.kind = Frame::Kind::branch;
      frame.rest = pair(arguments).cdr;
      if (push(frame)) evaluate((*all)[0].value, env_, (*all)[0].place);
      return;
    }
    case Form::cond: return condition(arguments, env_, place);
    case Form::case_:
    case Form::when:
    case Form::unless: {
      if (!arguments.is(Kind::pair)) return malformed(place, "a condition");
      const Pair at = pair(arguments);
      frame.kind = form == Form::case_  ? Frame::Kind::case_
                   : form == Form::when ? Frame::Kind::when
                                        : Frame::Kind::unless;
      frame.rest = at.cdr;
      if (push(frame)) evaluate(at.car, env_, at.car_place);
      return;
    }
    case Form::and_:
    case Form::or_: {
      if (!arguments.is(Kind::pair)) return deliver(Value::boolean(form == Form::and_));
      const Pair at = pair(arguments);
      frame.kind = form == Form::and_ ? Frame::Kind::and_ : Frame::Kind::or_;
      frame.rest = at.cdr;
      if (at.cdr.is(Kind::pair) && !push(frame)) return;
      return evaluate(at.car, env_, at.car_place);
    }
    case Form::begin: return body(arguments, env_, place);
    case Form::let: return start_let(arguments, place);
    case Form::let_star: return start_let_star(arguments, place, false);
    case Form::letrec: return start_let_star(arguments, place, true);
    case Form::define: return start_define(arguments, place);
    case Form::set: {
      const auto all = parts(arguments, place, 2, 2, "a `set!`");
      if (!all) return;
      if (!(*all)[0].value.is(Kind::symbol)) return malformed(place, "a `set!`");
      frame.kind = Frame::Kind::assign;
      frame.symbol = (*all)[0].value.index;
      frame.part = (*all)[0].place;
      if (push(frame)) evaluate((*all)[1].value, env_, (*all)[1].place);
      return;
    }
    case Form::lambda: {
      if (!arguments.is(Kind::pair)) return malformed(place, "a `lambda`");
      const Pair at = pair(arguments);
      return deliver(make_procedure(Kind::procedure, at.car, at.cdr, env_));
    }
    case Form::macro: return start_macro(arguments, place);
    case Form::with: return start_with(arguments, place);
    case Form::with_modifier: return start_with_modifier(arguments, place);
    case Form::with_filter:
    case Form::with_operations: {
      if (!arguments.is(Kind::pair)) return malformed(place, "a `with-` form");
      const Pair at = pair(arguments);
      frame.kind =
          form == Form::with_filter ? Frame::Kind::with_filter : Frame::Kind::with_operations;
      frame.rest = at.cdr;
      frame.part = at.car_place;
      if (push(frame)) evaluate(at.car, env_, at.car_place);
      return;
    }
    case Form::debug: return deliver({});  // obsolete; its arguments are not evaluated
  }
}

void Machine::resume_form(const Frame& frame, const Value& value) {
  switch (frame.kind) {
    case Frame::Kind::body: return body(frame.rest, frame.env, frame.place);
    case Frame::Kind::branch: {
      const Pair then = pair(frame.rest);
      if (value.truthy()) return evaluate(then.car, frame.env, then.car_place);
      if (!then.cdr.is(Kind::pair)) return deliver({});
      const Pair otherwise = pair(then.cdr);
      return evaluate(otherwise.car, frame.env, otherwise.car_place);
    }
    case Frame::Kind::cond: {
      const Pair clauses = pair(frame.rest);
      if (!value.truthy()) return condition(clauses.cdr, frame.env, frame.place);
      const Value forms = pair(clauses.car).cdr;
      if (!forms.is(Kind::pair)) return deliver(value);
      return body(forms, frame.env, frame.place);
    }
    case Frame::Kind::case_: return choose(frame, value);
    case Frame::Kind::when:
    case Frame::Kind::unless:
      if (value.truthy() == (frame.kind == Frame::Kind::when)) {
        return body(frame.rest, frame.env, frame.place);
      }
      return deliver({});
    case Frame::Kind::and_:
    case Frame::Kind::or_: {
      if (value.truthy() == (frame.kind == Frame::Kind::or_)) return deliver(value);
      const Pair next = pair(frame.rest);
      Frame more = frame;
      more.rest = next.cdr;
      if (next.cdr.is(Kind::pair) && !push(more)) return;
      return evaluate(next.car, frame.env, next.car_place);
    }
    case Frame::Kind::define:
      bind(frame.env, frame.symbol, value);
      return deliver(Value::at(Kind::symbol, frame.symbol));
    case Frame::Kind::assign:
      if (!assign(frame.env, frame.symbol, value)) return unknown_name(frame.symbol, frame.part);
      return deliver(value);
    case Frame::Kind::let:
      frames_.push_back(frame);
      values_.push_back({value, frame.part});
      return next_let();
    case Frame::Kind::let_star:
    case Frame::Kind::letrec: {
      const Pair bindings = pair(frame.rest);
      Frame next = frame;
      if (frame.kind == Frame::Kind::let_star) next.env = new_environment(frame.env);
      bind(next.env, pair(bindings.car).car.index, value);
      next.rest = bindings.cdr;
      return next_let_star(next);
    }
    case Frame::Kind::macro: return evaluate(value, frame.env, frame.place);
    case Frame::Kind::with_filter: {
      if (!value.is(Kind::filter)) {
        context_.fail(Code::ND6009, frame.part,
                      fmt::format("`with-filter` wants a filter, not {}", describe(value.kind)));
        return;
      }
      context_.scopes.filters.push_back(value.index);
      Frame leave = frame;
      leave.kind = Frame::Kind::leave_filter;
      if (push(leave)) body(frame.rest, frame.env, frame.place);
      return;
    }
    case Frame::Kind::with_modifier: {
      if (!value.is(Kind::modifier)) {
        context_.fail(
            Code::ND6013, frame.part,
            fmt::format("`with-modifier` wants a modifier, not {}", describe(value.kind)));
        return;
      }
      context_.scopes.modifiers.push_back(value.index);
      Frame leave = frame;
      leave.kind = Frame::Kind::leave_modifier;
      if (push(leave)) body(frame.rest, frame.env, frame.place);
      return;
    }
    case Frame::Kind::with_operations: return enter_operations(frame, value);
    case Frame::Kind::leave_filter: context_.scopes.filters.pop_back(); return deliver(value);
    case Frame::Kind::leave_modifier: context_.scopes.modifiers.pop_back(); return deliver(value);
    case Frame::Kind::leave_operations:
      context_.scopes.operations.pop_back();
      return deliver(value);
    case Frame::Kind::call:
    case Frame::Kind::map: return;  // resume() keeps them
  }
}

// Clauses of a `cond` from the first untried one on.
void Machine::condition(const Value& clauses, EnvId env, Place place) {
  if (!clauses.is(Kind::pair)) return deliver({});
  const Pair at = pair(clauses);
  if (!at.car.is(Kind::pair)) return malformed(place, "a `cond`");
  const Pair clause = pair(at.car);
  if (clause.car == Value::at(Kind::symbol, else_)) return body(clause.cdr, env, place);
  Frame frame;
  frame.kind = Frame::Kind::cond;
  frame.env = env;
  frame.place = place;
  frame.rest = clauses;
  if (push(frame)) evaluate(clause.car, env, clause.car_place);
}

void Machine::choose(const Frame& frame, const Value& key) {
  for (Value clauses = frame.rest; clauses.is(Kind::pair); clauses = pair(clauses).cdr) {
    if (!pair(clauses).car.is(Kind::pair)) return malformed(frame.place, "a `case`");
    const Pair clause = pair(pair(clauses).car);
    if (clause.car == Value::at(Kind::symbol, else_)) {
      return body(clause.cdr, frame.env, frame.place);
    }
    for (Value data = clause.car; data.is(Kind::pair); data = pair(data).cdr) {
      if (!context_.step(frame.place, values_.size())) return;
      if (pair(data).car == key) return body(clause.cdr, frame.env, frame.place);
    }
  }
  deliver({});
}

void Machine::quasiquote(const Value& arguments, Place place) {
  const auto all = parts(arguments, place, 1, 1, "a quasiquote");
  if (!all) return;
  evaluate(expand_template((*all)[0].value, 0, place), env_, place);
}

// The template as an expression of `cons`, `append` and `quote`. Recursion goes down into elements
// only, never along a list.
Value Machine::expand_template(const Value& pattern, std::size_t depth, Place place) {
  Heap& heap = context_.heap;
  const auto list = [&](std::initializer_list<Value> values) {
    Value result = Value::nil();
    for (const Value* at = values.end(); at != values.begin();) {
      result = heap.cons(*--at, result, place);
    }
    return result;
  };
  const Value quote = Value::at(Kind::form, static_cast<std::uint32_t>(Form::quote));
  if (depth > context_.limits().nesting) {
    context_.fail(Code::ND6017, place, "a template nested too deeply");
    return {};
  }
  if (!pattern.is(Kind::pair)) return list({quote, pattern});
  if (pair(pattern).car == Value::at(Kind::symbol, unquote_)) {
    const auto inner = parts(pair(pattern).cdr, place, 1, 1, "an unquote");
    return inner ? (*inner)[0].value : Value{};
  }
  std::vector<Argument> elements;
  Value tail = pattern;
  for (; tail.is(Kind::pair); tail = pair(tail).cdr) {
    if (!context_.step(place, values_.size())) return {};
    if (!elements.empty() && pair(tail).car == Value::at(Kind::symbol, unquote_)) break;
    elements.push_back({pair(tail).car, pair(tail).car_place});
  }
  Value result =
      tail.is(Kind::pair) ? expand_template(tail, depth + 1, place) : list({quote, tail});
  const Value cons = Value::at(Kind::builtin, builtin_index("cons"));
  const Value append = Value::at(Kind::builtin, builtin_index("append"));
  while (!elements.empty() && !context_.failed()) {
    const Argument element = elements.back();
    elements.pop_back();
    if (element.value.is(Kind::pair) &&
        pair(element.value).car == Value::at(Kind::symbol, splice_)) {
      const auto inner = parts(pair(element.value).cdr, element.place, 1, 1, "a splice");
      if (inner) result = list({append, (*inner)[0].value, result});
    } else {
      result = list({cons, expand_template(element.value, depth + 1, element.place), result});
    }
  }
  return result;
}

// (with NAME ARGUMENT...): the name is not evaluated, the arguments are; unbound ones are symbols.
void Machine::start_with(const Value& arguments, Place place) {
  if (!arguments.is(Kind::pair) || !pair(arguments).car.is(Kind::symbol)) {
    context_.fail(Code::ND6013, place, "a `with` without the name of a modifier");
    return;
  }
  const Pair at = pair(arguments);
  Frame frame;
  frame.flag = true;
  frame.env = env_;
  frame.base = static_cast<std::uint32_t>(values_.size());
  frame.place = place;
  frame.rest = at.cdr;
  if (!push(frame)) return;
  values_.push_back({Value::at(Kind::builtin, builtin_index(kModifierBuiltin)), place});
  values_.push_back({at.car, at.car_place});
  next_argument();
}

// (with-modifier M rule...): M as in `with`, with or without that word.
void Machine::start_with_modifier(const Value& arguments, Place place) {
  if (!arguments.is(Kind::pair)) return malformed(place, "a `with-modifier`");
  const Pair at = pair(arguments);
  Frame frame;
  frame.kind = Frame::Kind::with_modifier;
  frame.env = env_;
  frame.place = place;
  frame.part = at.car_place;
  frame.rest = at.cdr;
  if (!push(frame)) return;
  const bool bound_name = at.car.is(Kind::symbol) && lookup(at.car.index, env_).has_value();
  const bool whole = at.car.is(Kind::pair) && pair(at.car).car == Value::at(Kind::symbol, with_);
  if (bound_name || whole) return evaluate(at.car, env_, at.car_place);
  start_with(
      at.car.is(Kind::pair) ? at.car : context_.heap.cons(at.car, Value::nil(), at.car_place),
      place);
}

void Machine::enter_operations(const Frame& frame, const Value& value) {
  std::vector<Op> ops;
  for (Value at = value; at.is(Kind::pair); at = pair(at).cdr) {
    if (!context_.step(frame.place, values_.size())) return;
    Value op = pair(at).car;
    if (op.is(Kind::symbol)) op = global(op.index).value_or(op);
    if (op.is(Kind::no_operation)) continue;
    if (!op.is(Kind::operation)) {
      context_.fail(Code::ND6010, frame.part,
                    fmt::format("`with-operations` wants operations, not {}", describe(op.kind)));
      return;
    }
    ops.push_back(static_cast<Op>(op.index));
  }
  if (ops.empty()) {
    context_.fail(Code::ND6023, frame.part, "`with-operations` without an operation");
    return;
  }
  context_.scopes.operations.push_back(std::move(ops));
  Frame leave = frame;
  leave.kind = Frame::Kind::leave_operations;
  if (push(leave)) body(frame.rest, frame.env, frame.place);
}

}  // namespace nd7::seatbelt::read
