// Reduced ordered binary decision diagrams: Boolean functions of numbered atoms, compared exactly.
//
// Smaller variables are nearer the root. No operation recurses, so the number of variables is
// limited by the budget alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/decide/budget.hpp"

namespace nd7::decide {

class Bdd {
 public:
  /// A function owned by one Bdd, or undecided. Not comparable by itself: see equal().
  class Function {
   public:
    [[nodiscard]] bool undecided() const { return index_ == kUndecided; }

   private:
    friend class Bdd;
    explicit Function(std::uint32_t index) : index_(index) {}
    std::uint32_t index_;
  };

  /// `then` where `when` holds and no earlier case's did.
  struct Case {
    Function when;
    Function then;
  };

  static constexpr Budget kDefaultBudget{4'000'000, 200'000'000};

  /// The budget is for the whole life of the diagram: nodes, and steps of operations. Once it is
  /// exhausted every operation that is not trivial gives an undecided function.
  explicit Bdd(const Budget& budget = kDefaultBudget);

  [[nodiscard]] static Function constant(bool value) { return Function(value ? kTrue : kFalse); }
  [[nodiscard]] Function variable(std::uint32_t id);
  [[nodiscard]] Function negate(Function f);
  [[nodiscard]] Function conjunction(Function f, Function g);
  [[nodiscard]] Function disjunction(Function f, Function g);
  [[nodiscard]] Function if_then_else(Function f, Function g, Function h);
  /// Of many, in balanced order: n log n for n atoms in whatever order.
  [[nodiscard]] Function all_of(std::span<const Function> parts);
  [[nodiscard]] Function any_of(std::span<const Function> parts);
  [[nodiscard]] Function first_match(std::span<const Case> cases, Function otherwise);

  [[nodiscard]] Answer equal(Function f, Function g) const;
  /// Whether f holds whatever the atoms are.
  [[nodiscard]] Answer valid(Function f) const { return equal(f, constant(true)); }
  [[nodiscard]] Answer satisfiable(Function f) const;
  /// An assignment that makes f true, atoms that do not matter left out; false atoms preferred.
  /// Nothing when there is none, or f is undecided.
  [[nodiscard]] std::optional<std::vector<std::pair<std::uint32_t, bool>>> sat_one(
      Function f) const;
  /// The value of f; atoms beyond `atoms` are false.
  [[nodiscard]] Answer evaluate(Function f, const std::vector<bool>& atoms) const;

  /// Nodes made so far, the two constants included.
  [[nodiscard]] std::size_t nodes() const { return nodes_.size(); }
  /// Nodes of f, constants included.
  [[nodiscard]] std::size_t nodes_of(Function f) const;
  [[nodiscard]] std::size_t memory() const;

 private:
  static constexpr std::uint32_t kFalse = 0;
  static constexpr std::uint32_t kTrue = 1;
  static constexpr std::uint32_t kUndecided = 0xFFFFFFFF;
  static constexpr std::uint32_t kNoVariable = 0xFFFFFFFF;  // of the constants: below all others

  struct Node {
    std::uint32_t variable;
    std::uint32_t low;
    std::uint32_t high;
  };
  struct Triple {
    std::uint32_t f;
    std::uint32_t g;
    std::uint32_t h;
    friend bool operator==(const Triple&, const Triple&) = default;
  };
  struct CacheEntry {
    Triple key{kUndecided, kUndecided, kUndecided};
    std::uint32_t result = kUndecided;
  };
  struct Frame {
    Triple operands;
    std::uint32_t variable = 0;
    std::uint32_t low = 0;
    std::uint8_t stage = 0;
  };

  struct ListHash {
    std::size_t operator()(const std::vector<std::uint32_t>& list) const;
  };

  static std::size_t hash(const Triple& triple);
  /// The result where it needs no descent; brings `triple` into a normal form otherwise.
  static std::optional<std::uint32_t> simplify(Triple& triple);
  [[nodiscard]] Triple cofactor(const Triple& triple, std::uint32_t variable, bool high) const;
  std::uint32_t make(std::uint32_t variable, std::uint32_t low, std::uint32_t high);
  std::uint32_t apply(Triple triple);
  void grow();
  template <typename Combine>
  Function fold(std::span<const Function> parts, bool neutral, Combine combine);
  template <typename Combine>
  Function fold_once(std::span<const Function> parts, bool neutral, Combine combine);

  Meter meter_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> unique_;  // node index, 0 = free
  std::vector<CacheEntry> cache_;      // lossy: one entry a slot
  std::vector<Frame> stack_;
  /// Results of long lists by their parts, the neutral element in front: callers that ask about
  /// many operations combine the same lists again and again.
  std::unordered_map<std::vector<std::uint32_t>, std::uint32_t, ListHash> lists_;
};

}  // namespace nd7::decide
