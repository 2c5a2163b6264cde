// Forms that bind names: let and its kin, define, macro.
#include <utility>

#include "compiler/seatbelt/read/machine.hpp"

namespace nd7::seatbelt::read {

using Kind = Value::Kind;

// Parameters are checked here once, so that calls may trust them.
Value Machine::make_procedure(Value::Kind kind, const Value& parameters, const Value& forms,
                              EnvId env) {
  Value at = parameters;
  while (at.is(Kind::pair) && pair(at).car.is(Kind::symbol)) {
    if (!context_.step(place_, values_.size())) return {};
    at = pair(at).cdr;
  }
  if (!at.is(Kind::nil) && !at.is(Kind::symbol)) {
    malformed(place_, "a list of parameters");
    return {};
  }
  context_.heap.procedures.push_back({parameters, forms, env});
  return Value::at(kind, static_cast<std::uint32_t>(context_.heap.procedures.size() - 1));
}

// (let [NAME] ((VAR INIT)...) BODY...)
void Machine::start_let(const Value& arguments, Place place) {
  if (!arguments.is(Kind::pair)) return malformed(place, "a `let`");
  Frame frame;
  frame.kind = Frame::Kind::let;
  frame.flag = pair(arguments).car.is(Kind::symbol);
  frame.env = env_;
  frame.base = static_cast<std::uint32_t>(values_.size());
  frame.place = place;
  frame.other = arguments;
  const Value rest = frame.flag ? pair(arguments).cdr : arguments;
  if (!rest.is(Kind::pair)) return malformed(place, "a `let`");
  frame.rest = pair(rest).car;
  for (Value at = frame.rest; !at.is(Kind::nil); at = pair(at).cdr) {
    if (!context_.step(place, values_.size())) return;
    const bool binding =
        at.is(Kind::pair) && pair(at).car.is(Kind::pair) && pair(pair(at).car).car.is(Kind::symbol);
    if (!binding) return malformed(place, "a `let`");
  }
  if (push(frame)) next_let();
}

void Machine::next_let() {
  Frame& frame = frames_.back();
  if (!frame.rest.is(Kind::pair)) {
    const Frame done = frame;
    frames_.pop_back();
    return finish_let(done);
  }
  const Pair at = pair(frame.rest);
  const Value init = pair(at.car).cdr;
  if (!init.is(Kind::pair)) return malformed(frame.place, "a `let`");
  frame.rest = at.cdr;
  frame.part = pair(init).car_place;
  evaluate(pair(init).car, frame.env, frame.part);
}

void Machine::finish_let(const Frame& frame) {
  const Value rest = frame.flag ? pair(frame.other).cdr : frame.other;
  EnvId outer = frame.env;
  if (frame.flag) outer = new_environment(outer);
  const EnvId env = new_environment(outer);
  std::size_t next = frame.base;
  std::vector<Argument> names;
  for (Value at = pair(rest).car; at.is(Kind::pair); at = pair(at).cdr) {
    if (!context_.step(frame.place, values_.size())) return;
    const Pair binding = pair(pair(at).car);
    names.push_back({binding.car, binding.car_place});
    bind(env, binding.car.index, values_[next++].value);
  }
  values_.resize(frame.base);
  if (frame.flag) {
    Value parameters = Value::nil();
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
      parameters = context_.heap.cons(name->value, parameters, name->place);
    }
    bind(outer, pair(frame.other).car.index,
         make_procedure(Kind::procedure, parameters, pair(rest).cdr, outer));
  }
  body(pair(rest).cdr, env, frame.place);
}

// (let* ((VAR INIT)...) BODY...), and letrec, whose inits see all names.
void Machine::start_let_star(const Value& arguments, Place place, bool recursive) {
  const std::string_view form = recursive ? "a `letrec`" : "a `let*`";
  if (!arguments.is(Kind::pair)) return malformed(place, form);
  Frame frame;
  frame.kind = recursive ? Frame::Kind::letrec : Frame::Kind::let_star;
  frame.env = recursive ? new_environment(env_) : env_;
  frame.place = place;
  frame.rest = pair(arguments).car;
  frame.other = pair(arguments).cdr;
  for (Value at = frame.rest; !at.is(Kind::nil); at = pair(at).cdr) {
    if (!context_.step(place, values_.size())) return;
    const bool binding = at.is(Kind::pair) && pair(at).car.is(Kind::pair) &&
                         pair(pair(at).car).car.is(Kind::symbol) &&
                         pair(pair(at).car).cdr.is(Kind::pair);
    if (!binding) return malformed(place, form);
    if (recursive) bind(frame.env, pair(pair(at).car).car.index, {});
  }
  next_let_star(frame);
}

void Machine::next_let_star(Frame frame) {
  if (!frame.rest.is(Kind::pair)) {
    const EnvId env = frame.kind == Frame::Kind::letrec ? frame.env : new_environment(frame.env);
    return body(frame.other, env, frame.place);
  }
  const Pair init = pair(pair(pair(frame.rest).car).cdr);
  if (push(frame)) evaluate(init.car, frame.env, init.car_place);
}

// (define NAME VALUE) or (define (NAME PARAMETER...) BODY...)
void Machine::start_define(const Value& arguments, Place place) {
  if (!arguments.is(Kind::pair)) return malformed(place, "a `define`");
  const Pair at = pair(arguments);
  if (at.car.is(Kind::pair)) {
    const Pair signature = pair(at.car);
    if (!signature.car.is(Kind::symbol)) return malformed(place, "a `define`");
    bind(env_, signature.car.index, make_procedure(Kind::procedure, signature.cdr, at.cdr, env_));
    return deliver(signature.car);
  }
  const auto all = parts(arguments, place, 2, 2, "a `define`");
  if (!all) return;
  if (!at.car.is(Kind::symbol)) return malformed(place, "a `define`");
  Frame frame;
  frame.kind = Frame::Kind::define;
  frame.env = env_;
  frame.symbol = at.car.index;
  frame.place = place;
  if (push(frame)) evaluate((*all)[1].value, env_, (*all)[1].place);
}

// (macro (NAME FORM) BODY...): gets the whole form, gives the one to evaluate instead.
void Machine::start_macro(const Value& arguments, Place place) {
  if (!arguments.is(Kind::pair) || !pair(arguments).car.is(Kind::pair)) {
    return malformed(place, "a `macro`");
  }
  const Pair at = pair(arguments);
  const Pair signature = pair(at.car);
  if (!signature.car.is(Kind::symbol)) return malformed(place, "a `macro`");
  bind(env_, signature.car.index, make_procedure(Kind::macro, signature.cdr, at.cdr, env_));
  deliver(signature.car);
}

}  // namespace nd7::seatbelt::read
