// What all parts of one evaluation share: the texts, the heap, the rules made so far, and the first
// error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/seatbelt/read/datum.hpp"
#include "compiler/seatbelt/read/profile.hpp"
#include "compiler/seatbelt/read/rule_base.hpp"
#include "compiler/seatbelt/read/value.hpp"

namespace nd7::seatbelt::read {

/// A value on its way into a call, and where it was written.
struct Argument {
  Value value;
  Place place = kNowhere;
};

using Arguments = std::span<const Argument>;

/// What `with-filter`, `with-modifier` and `with-operations` add to the rules inside them.
struct Scopes {
  std::vector<FilterId> filters;
  std::vector<std::uint32_t> modifiers;  ///< Heap::modifiers
  std::vector<std::vector<Op>> operations;
};

class Context {
 public:
  Context(const ReadOptions& options, Diagnostics& diagnostics)
      : options_(options), diagnostics_(diagnostics) {}

  DatumTree tree;
  Heap heap;
  RuleBase rules;
  Scopes scopes;
  std::unordered_map<Text, std::uint32_t> regex_ids;  ///< of RuleBase::regexes
  bool versioned = false;
  bool system_imported = false;  ///< system.sb's functions exist

  [[nodiscard]] const ReadOptions& options() const { return options_; }
  [[nodiscard]] const Limits& limits() const { return options_.limits; }

  /// Ends the evaluation. Only the first failure is kept; details may be added to what it returns.
  Diagnostic& fail(Code code, Place place, std::string message);
  [[nodiscard]] bool failed() const { return failed_; }
  /// ND6019: `what` would look into an unknown value.
  void fail_opaque(Place place, std::string_view what);
  /// A note or warning; those after the hundredth are dropped.
  Diagnostic& warn(Code code, Place place, std::string message);

  [[nodiscard]] Span span(Place place) const;
  /// Name of a symbol value.
  [[nodiscard]] const std::string& symbol(const Value& value) const {
    return tree.symbols.name(value.index);
  }
  [[nodiscard]] const Text& text(const Value& value) const { return heap.texts[value.index]; }

  /// One step more; false once a limit is reached. `stack` is the number of values in flight.
  bool step(Place place, std::size_t stack);
  /// Counts work that is done in passing: `visits` bindings or bytes that are looked at.
  void count(std::size_t visits) { steps_ += visits / 8; }
  /// Room for `cells` more cells, or for a text of `bytes`; false after ND6018.
  bool charge(std::size_t cells, Place place);
  bool room_for_text(std::size_t bytes, Place place);

 private:
  Diagnostic& add(Code code, Place place, std::string message);

  const ReadOptions& options_;
  Diagnostics& diagnostics_;
  Diagnostic spare_{};
  std::uint64_t steps_ = 0;
  std::size_t warnings_ = 0;
  std::size_t charged_ = 0;
  bool failed_ = false;
};

}  // namespace nd7::seatbelt::read
