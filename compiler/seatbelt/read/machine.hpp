// The evaluator: a machine with a stack of its own, so that a profile cannot use up the host's.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "compiler/seatbelt/read/context.hpp"

namespace nd7::seatbelt::read {

/// Forms whose arguments are not simply evaluated.
enum class Form : std::uint8_t {
  quote,
  quasiquote,
  if_,
  cond,
  case_,
  when,
  unless,
  and_,
  or_,
  begin,
  let,
  let_star,
  letrec,
  define,
  set,
  lambda,
  macro,
  with,
  with_filter,
  with_modifier,
  with_operations,
  debug,
};

class Machine {
 public:
  explicit Machine(Context& context);

  /// Evaluates every datum of the tree in order; false once the context has failed.
  bool run();

 private:
  struct Frame {
    enum class Kind : std::uint8_t {
      call,
      body,
      branch,
      define,
      assign,
      let,
      let_star,
      letrec,
      cond,
      case_,
      when,
      unless,
      and_,
      or_,
      map,
      macro,
      with_filter,
      with_modifier,
      with_operations,
      leave_filter,
      leave_modifier,
      leave_operations,
    };
    Kind kind = Kind::call;
    bool flag = false;  ///< call: unknown names are symbols; map: keeps the results
    EnvId env = kGlobal;
    std::uint32_t base = 0;  ///< where the frame's values begin
    SymbolId symbol = 0;     ///< define, assign: the name
    Place place = kNowhere;  ///< the form
    Place part = kNowhere;   ///< the part that is being evaluated
    Value rest;              ///< parts still to come
    Value other;             ///< let: the form's arguments; let*, letrec: the body
  };

  // machine.cpp: the cycle, calls, names
  void evaluate(Value expression, EnvId env, Place place);
  void deliver(Value value);
  void step();
  void evaluate_pair(const Value& expression);
  void resume();
  void next_argument();
  void call(std::uint32_t base, Place place);
  void call_procedure(std::uint32_t base, Place place);
  void call_builtin(std::uint32_t base, Place place);
  void spread(std::uint32_t base, Place place);
  void start_map(bool keep, std::uint32_t base, Place place);
  void resume_map(const Value& value, bool first);
  void body(const Value& forms, EnvId env, Place place);
  bool push(Frame frame);
  void convert_datums();

  // names.cpp
  [[nodiscard]] std::optional<Value> lookup(SymbolId name, EnvId env);
  [[nodiscard]] std::optional<Value> global(SymbolId name);
  void unknown_name(SymbolId name, Place place);
  void bind(EnvId env, SymbolId name, const Value& value);
  bool assign(EnvId env, SymbolId name, const Value& value);
  EnvId new_environment(EnvId parent);
  void define_builtins();

  // forms.cpp, binding_forms.cpp
  void start(Form form, const Value& arguments, Place place);
  void resume_form(const Frame& frame, const Value& value);
  void condition(const Value& clauses, EnvId env, Place place);
  void choose(const Frame& frame, const Value& key);
  void quasiquote(const Value& arguments, Place place);
  Value expand_template(const Value& pattern, std::size_t depth, Place place);
  void start_with(const Value& arguments, Place place);
  void start_with_modifier(const Value& arguments, Place place);
  void enter_operations(const Frame& frame, const Value& value);
  void start_let(const Value& arguments, Place place);
  void next_let();
  void finish_let(const Frame& frame);
  void start_let_star(const Value& arguments, Place place, bool recursive);
  void next_let_star(Frame frame);
  void start_define(const Value& arguments, Place place);
  void start_macro(const Value& arguments, Place place);
  Value make_procedure(Value::Kind kind, const Value& parameters, const Value& forms, EnvId env);

  [[nodiscard]] const Pair& pair(const Value& value) const {
    return context_.heap.pairs[value.index];
  }
  /// The elements of a proper list of `least` to `most` parts; nullopt after ND6015.
  [[nodiscard]] std::optional<std::vector<Argument>> parts(const Value& list, Place place,
                                                           std::size_t least, std::size_t most,
                                                           std::string_view form);
  void malformed(Place place, std::string_view form);

  Context& context_;
  std::vector<Frame> frames_;
  std::vector<Argument> values_;
  std::vector<std::optional<Value>> globals_;
  std::vector<Value> written_;  ///< the value of every datum

  bool delivering_ = false;
  Value value_;       ///< delivering: the result
  Value expression_;  ///< otherwise: what to evaluate, where, and its place
  EnvId env_ = kGlobal;
  Place place_ = kNowhere;

  SymbolId else_ = 0;
  SymbolId unquote_ = 0;
  SymbolId splice_ = 0;
  SymbolId with_ = 0;
};

}  // namespace nd7::seatbelt::read
