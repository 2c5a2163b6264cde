// Questions about Boolean combinations of several languages, explored on the fly: no product is
// built, and an expression too large to be made deterministic is followed only where the search
// goes.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "compiler/decide/automaton.hpp"
#include "compiler/decide/budget.hpp"
#include "compiler/decide/nfa.hpp"

namespace nd7::decide {

/// An automaton, or a pattern that is made deterministic on demand. Cheap to copy.
class Language {
 public:
  Language(Automaton automaton) : form_(std::move(automaton)) {}  // NOLINT: a plain conversion
  /// Nothing when a hole has no text or the expression is too large.
  [[nodiscard]] static std::optional<Language> regex(const pattern::Regex& regex,
                                                     std::span<const std::string> holes = {});
  /// The union of expressions without holes, followed as one. Nothing when one has a hole, or all
  /// together are too large.
  [[nodiscard]] static std::optional<Language> any_of(
      std::span<const pattern::Regex* const> expressions);

  [[nodiscard]] const Automaton* automaton() const { return std::get_if<Automaton>(&form_); }
  /// Set if and only if automaton() is not.
  [[nodiscard]] const Nfa* nfa() const;

 private:
  explicit Language(std::shared_ptr<const Nfa> nfa) : form_(std::move(nfa)) {}
  std::variant<Automaton, std::shared_ptr<const Nfa>> form_;
};

/// A Boolean function of numbered leaves. Nodes are added children first; the node added last is
/// the formula.
class Formula {
 public:
  using Node = std::uint32_t;

  Node leaf(std::uint32_t index);
  Node constant(bool value);
  Node negate(Node operand);
  Node all_of(std::span<const Node> operands);
  Node any_of(std::span<const Node> operands);
  Node all_of(std::initializer_list<Node> operands) {
    return all_of({operands.begin(), operands.size()});
  }
  Node any_of(std::initializer_list<Node> operands) {
    return any_of({operands.begin(), operands.size()});
  }

  /// The value for `leaves`, where `undecided` stands for "either". A leaf beyond them is
  /// undecided; so is an empty formula. `scratch` is the caller's, to save allocations.
  [[nodiscard]] Answer evaluate(std::span<const Answer> leaves, std::vector<Answer>& scratch) const;
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

 private:
  enum class Kind : std::uint8_t { leaf, constant, negation, conjunction, disjunction };
  struct Entry {
    Kind kind;
    std::uint32_t first;  ///< leaf index, constant, or first operand in operands_
    std::uint32_t count;
  };
  Node add(Kind kind, std::span<const Node> operands);

  std::vector<Entry> nodes_;
  std::vector<Node> operands_;
};

struct SearchResult {
  Answer found = Answer::undecided;  ///< no: no word satisfies the formula
  std::string witness;  ///< when found: a shortest such word, the most readable of these
};

/// A word for which `formula` holds when leaf i says whether the word is in languages[i].
[[nodiscard]] SearchResult find_witness(std::span<const Language> languages, const Formula& formula,
                                        const Budget& budget = {});

}  // namespace nd7::decide
