// Values of the Scheme subset, and the heap that holds them while one profile is evaluated.
//
// Nothing is ever freed before the end: programs are bounded (Limits), and indices into flat
// vectors leave nothing to destroy recursively.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/seatbelt/read/datum.hpp"
#include "compiler/seatbelt/read/modifier.hpp"
#include "compiler/seatbelt/read/text.hpp"

namespace nd7::seatbelt::read {

/// Index into the places of a profile (DatumTree::datums); none: made while evaluating.
using Place = std::uint32_t;
inline constexpr Place kNowhere = UINT32_MAX;

struct Value {
  enum class Kind : std::uint8_t {
    unspecified,
    nil,
    boolean,
    integer,
    string,        ///< Heap::texts
    symbol,        ///< SymbolId
    pair,          ///< Heap::pairs
    procedure,     ///< Heap::procedures
    macro,         ///< Heap::procedures
    builtin,       ///< index into the table of builtins
    form,          ///< enum class Form
    operation,     ///< enum class Op
    no_operation,  ///< a name that libsandbox accepts and ignores
    filter_maker,  ///< enum class Filter
    filter,        ///< RuleBase::filters
    modifier,      ///< Heap::modifiers
  };
  Kind kind = Kind::unspecified;
  std::uint32_t index = 0;
  std::int64_t number = 0;  ///< integer; boolean: 0 or 1

  [[nodiscard]] static Value nil() { return {Kind::nil, 0, 0}; }
  [[nodiscard]] static Value boolean(bool value) { return {Kind::boolean, 0, value ? 1 : 0}; }
  [[nodiscard]] static Value integer(std::int64_t value) { return {Kind::integer, 0, value}; }
  [[nodiscard]] static Value at(Kind kind, std::uint32_t index) { return {kind, index, 0}; }

  [[nodiscard]] bool is(Kind other) const { return kind == other; }
  /// Everything but `#f` is true.
  [[nodiscard]] bool truthy() const { return kind != Kind::boolean || number != 0; }
  friend bool operator==(const Value&, const Value&) = default;
};

/// "a string", "a filter", …
[[nodiscard]] std::string_view describe(Value::Kind kind);

struct Pair {
  Value car;
  Value cdr;
  Place car_place = kNowhere;   ///< where the car was written
  Place list_place = kNowhere;  ///< first pair of a written list: the list
};

using EnvId = std::uint32_t;
inline constexpr EnvId kGlobal = 0;
inline constexpr std::uint32_t kNone = UINT32_MAX;

struct Binding {
  SymbolId symbol = 0;
  Value value;
  std::uint32_t next = kNone;
};

struct Environment {
  EnvId parent = kGlobal;
  std::uint32_t bindings = kNone;
};

struct Procedure {
  Value parameters;
  Value body;
  EnvId env = kGlobal;
};

struct Heap {
  std::vector<Text> texts;
  std::vector<Pair> pairs;
  std::vector<Procedure> procedures;
  std::vector<Modifier> modifiers;
  std::vector<Environment> environments{Environment{}};
  std::vector<Binding> bindings;
  std::size_t text_bytes = 0;

  Value text(Text value) {
    text_bytes += value.size() + sizeof(Text);
    texts.push_back(std::move(value));
    return Value::at(Value::Kind::string, static_cast<std::uint32_t>(texts.size() - 1));
  }
  Value cons(Value car, Value cdr, Place car_place = kNowhere, Place list_place = kNowhere) {
    pairs.push_back({car, cdr, car_place, list_place});
    return Value::at(Value::Kind::pair, static_cast<std::uint32_t>(pairs.size() - 1));
  }
  [[nodiscard]] std::size_t cells() const {
    return pairs.size() + procedures.size() + environments.size() + bindings.size();
  }
};

}  // namespace nd7::seatbelt::read
