#include "compiler/seatbelt/read/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/seatbelt/read/builtins.hpp"
#include "compiler/seatbelt/read/filter_builder.hpp"

namespace nd7::seatbelt::read {

using Kind = Value::Kind;

Machine::Machine(Context& context) : context_(context) {
  else_ = context_.tree.symbols.intern("else");
  unquote_ = context_.tree.symbols.intern("unquote");
  splice_ = context_.tree.symbols.intern("unquote-splicing");
  with_ = context_.tree.symbols.intern("with");
  define_builtins();
}

bool Machine::run() {
  convert_datums();
  for (const DatumId id : context_.tree.top) {
    evaluate(written_[id], kGlobal, id);
    while (!context_.failed() && !(delivering_ && frames_.empty())) step();
    if (context_.failed()) return false;
  }
  return true;
}

// A list stands after its kids, so one pass in order finds them converted.
void Machine::convert_datums() {
  const DatumTree& tree = context_.tree;
  Heap& heap = context_.heap;
  written_.resize(tree.datums.size());
  for (DatumId id = 0; id < tree.datums.size() && !context_.failed(); ++id) {
    const Datum& datum = tree.datums[id];
    switch (datum.kind) {
      case Datum::Kind::symbol: written_[id] = Value::at(Kind::symbol, datum.index); break;
      case Datum::Kind::string: written_[id] = heap.text(tree.strings[datum.index]); break;
      case Datum::Kind::integer: written_[id] = Value::integer(datum.number); break;
      case Datum::Kind::boolean: written_[id] = Value::boolean(datum.number != 0); break;
      case Datum::Kind::list: {
        std::uint32_t left = datum.count;
        Value list = Value::nil();
        if (datum.dotted) list = written_[tree.kids[datum.index + --left]];
        if (!context_.charge(0, id)) break;
        while (left > 0) {
          const DatumId kid = tree.kids[datum.index + --left];
          list = heap.cons(written_[kid], list, kid, left == 0 ? id : kNowhere);
        }
        written_[id] = list;
        break;
      }
    }
  }
}

void Machine::evaluate(Value expression, EnvId env, Place place) {
  delivering_ = false;
  expression_ = expression;
  env_ = env;
  if (place != kNowhere) place_ = place;
}

void Machine::deliver(Value value) {
  delivering_ = true;
  value_ = value;
}

bool Machine::push(Frame frame) {
  if (frames_.size() >= context_.limits().depth) {
    context_.fail(Code::ND6017, frame.place,
                  fmt::format("calls nested more than {} deep", context_.limits().depth));
    return false;
  }
  frames_.push_back(frame);
  return true;
}

void Machine::step() {
  if (delivering_) return resume();
  if (!context_.step(place_, values_.size())) return;
  switch (expression_.kind) {
    case Kind::symbol:
      if (const std::optional<Value> value = lookup(expression_.index, env_)) {
        deliver(*value);
      } else {
        unknown_name(expression_.index, place_);
      }
      break;
    case Kind::pair: evaluate_pair(expression_); break;
    default: deliver(expression_);
  }
}

void Machine::evaluate_pair(const Value& expression) {
  const Pair form = pair(expression);
  const Place place = form.list_place != kNowhere ? form.list_place : place_;
  const auto base = static_cast<std::uint32_t>(values_.size());
  Frame frame;
  frame.env = env_;
  frame.base = base;
  frame.place = place;
  frame.part = form.car_place;
  frame.rest = form.cdr;
  if (form.car.is(Kind::pair)) {
    if (push(frame)) evaluate(form.car, env_, form.car_place);
    return;
  }
  Value head = form.car;
  if (head.is(Kind::symbol)) {
    const std::optional<Value> value = lookup(head.index, env_);
    if (!value) return unknown_name(head.index, form.car_place);
    head = *value;
  }
  if (head.is(Kind::form)) return start(static_cast<Form>(head.index), form.cdr, place);
  if (head.is(Kind::macro)) {
    frame.kind = Frame::Kind::macro;
    if (!push(frame)) return;
    values_.push_back({head, form.car_place});
    values_.push_back({expression, place});
    return call_procedure(base, place);
  }
  frame.flag = takes_symbols(head);
  if (!push(frame)) return;
  values_.push_back({head, form.car_place});
  next_argument();
}

void Machine::next_argument() {
  Frame& frame = frames_.back();
  while (frame.rest.is(Kind::pair)) {
    const Pair at = pair(frame.rest);
    frame.rest = at.cdr;
    frame.part = at.car_place;
    if (!context_.step(at.car_place, values_.size())) return;
    if (at.car.is(Kind::pair)) return evaluate(at.car, frame.env, at.car_place);
    Value value = at.car;
    if (value.is(Kind::symbol)) {
      const std::optional<Value> found = lookup(value.index, frame.env);
      if (!found && !frame.flag) return unknown_name(value.index, at.car_place);
      if (found) value = *found;
    }
    values_.push_back({value, at.car_place});
  }
  const Frame done = frame;
  frames_.pop_back();
  if (!done.rest.is(Kind::nil)) return malformed(done.place, "a call");
  call(done.base, done.place);
}

void Machine::resume() {
  const Frame frame = frames_.back();
  switch (frame.kind) {
    case Frame::Kind::call:
      // The first value is the function itself when it was written as an expression.
      if (values_.size() == frame.base) frames_.back().flag = takes_symbols(value_);
      values_.push_back({value_, frame.part});
      return next_argument();
    case Frame::Kind::map: return resume_map(value_, false);
    default: frames_.pop_back(); return resume_form(frame, value_);
  }
}

void Machine::body(const Value& forms, EnvId env, Place place) {
  if (!forms.is(Kind::pair)) return deliver({});
  const Pair at = pair(forms);
  if (at.cdr.is(Kind::pair)) {
    Frame frame;
    frame.kind = Frame::Kind::body;
    frame.env = env;
    frame.place = place;
    frame.rest = at.cdr;
    if (!push(frame)) return;
  }
  evaluate(at.car, env, at.car_place);
}

void Machine::call(std::uint32_t base, Place place) {
  const Argument function = values_[base];
  switch (function.value.kind) {
    case Kind::procedure: return call_procedure(base, place);
    case Kind::builtin: return call_builtin(base, place);
    case Kind::filter_maker: {
      const Arguments arguments{values_.data() + base + 1, values_.size() - base - 1};
      const Value made =
          make_filter(context_, static_cast<Filter>(function.value.index), arguments, place);
      values_.resize(base);
      return deliver(made);
    }
    default:
      context_.fail(
          Code::ND6024, function.place != kNowhere ? function.place : place,
          fmt::format("a call of {}, which is no function", describe(function.value.kind)));
  }
}

void Machine::call_builtin(std::uint32_t base, Place place) {
  const std::uint32_t index = values_[base].value.index;
  const Builtin& builtin = builtins()[index];
  const std::size_t count = values_.size() - base - 1;
  if (count < builtin.least || (builtin.most != kAnyNumber && count > builtin.most)) {
    context_.fail(
        Code::ND6014, place,
        fmt::format("`{}` with {} argument{}", builtin.name, count, count == 1 ? "" : "s"));
    return;
  }
  if (index < kMachineBuiltins) {
    switch (static_cast<MachineBuiltin>(index)) {
      case MachineBuiltin::apply: return spread(base, place);
      case MachineBuiltin::map: return start_map(true, base, place);
      case MachineBuiltin::for_each: return start_map(false, base, place);
      case MachineBuiltin::defined: {
        const Argument name = values_.back();
        if (!name.value.is(Kind::symbol)) {
          return fail_argument(context_, name, builtin.name, "a quoted symbol");
        }
        values_.resize(base);
        return deliver(Value::boolean(lookup(name.value.index, kGlobal).has_value()));
      }
    }
  }
  const Arguments arguments{values_.data() + base + 1, count};
  const Value result = builtin.function(context_, arguments, place);
  values_.resize(base);
  deliver(result);
}

void Machine::call_procedure(std::uint32_t base, Place place) {
  const Procedure procedure = context_.heap.procedures[values_[base].value.index];
  const EnvId env = new_environment(procedure.env);
  std::size_t next = base + 1;
  Value parameters = procedure.parameters;
  for (; parameters.is(Kind::pair) && next < values_.size(); ++next) {
    const Pair at = pair(parameters);
    bind(env, at.car.index, values_[next].value);
    parameters = at.cdr;
  }
  if (parameters.is(Kind::symbol)) {
    Value rest = Value::nil();
    for (std::size_t i = values_.size(); i > next; --i) {
      rest = context_.heap.cons(values_[i - 1].value, rest, values_[i - 1].place);
    }
    bind(env, parameters.index, rest);
  } else if (parameters.is(Kind::pair) || next < values_.size()) {
    context_.fail(Code::ND6014, place,
                  fmt::format("a function called with too {} arguments",
                              parameters.is(Kind::pair) ? "few" : "many"));
    return;
  }
  values_.resize(base);
  body(procedure.body, env, place);
}

// (apply f a b '(c d)): drops `apply`, spreads the list.
void Machine::spread(std::uint32_t base, Place place) {
  const Argument last = values_.back();
  values_.pop_back();
  values_.erase(values_.begin() + base);
  Value list = last.value;
  while (list.is(Kind::pair)) {
    if (!context_.step(place, values_.size())) return;
    const Pair at = pair(list);
    values_.push_back({at.car, at.car_place});
    list = at.cdr;
  }
  if (!list.is(Kind::nil)) return fail_argument(context_, last, "apply", "a list at the end");
  call(base, place);
}

void Machine::start_map(bool keep, std::uint32_t base, Place place) {
  values_.erase(values_.begin() + base);
  for (std::size_t i = base + 1; i < values_.size(); ++i) {
    const Argument list = values_[i];
    if (!list.value.is(Kind::pair) && !list.value.is(Kind::nil)) {
      return fail_argument(context_, list, keep ? "map" : "for-each", "a list");
    }
  }
  Frame frame;
  frame.kind = Frame::Kind::map;
  frame.flag = keep;
  frame.base = base;
  frame.place = place;
  frame.other = Value::integer(static_cast<std::int64_t>(values_.size() - base - 1));  // lists
  frame.rest = Value::nil();
  if (push(frame)) resume_map({}, true);
}

void Machine::resume_map(const Value& value, bool first) {
  Frame& frame = frames_.back();
  Heap& heap = context_.heap;
  if (!context_.step(frame.place, values_.size())) return;
  if (!first && frame.flag) frame.rest = heap.cons(value, frame.rest);
  const auto lists = static_cast<std::size_t>(frame.other.number);
  const std::size_t begin = frame.base + 1;
  const bool more = std::all_of(values_.begin() + static_cast<std::ptrdiff_t>(begin),
                                values_.begin() + static_cast<std::ptrdiff_t>(begin + lists),
                                [](const Argument& list) { return list.value.is(Kind::pair); });
  if (!more) {
    Value result = Value::nil();
    for (Value at = frame.rest; at.is(Kind::pair); at = pair(at).cdr) {
      result = heap.cons(pair(at).car, result);
    }
    values_.resize(frame.base);
    frames_.pop_back();
    return deliver(result);
  }
  const auto base = static_cast<std::uint32_t>(values_.size());
  values_.push_back(values_[frame.base]);
  for (std::size_t i = begin; i < begin + lists; ++i) {
    const Pair at = pair(values_[i].value);
    values_.push_back({at.car, at.car_place});
    values_[i].value = at.cdr;
  }
  call(base, frame.place);
}

}  // namespace nd7::seatbelt::read
