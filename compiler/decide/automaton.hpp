// Regular languages over bytes as minimal deterministic automata.
//
// An Automaton is an immutable value, cheap to copy, always minimal and in canonical form, so that
// `==` decides equality of languages exactly. Operations that can grow beyond their input take a
// Budget and give nothing (undecided) beyond it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "compiler/decide/budget.hpp"
#include "compiler/decide/transition_table.hpp"

namespace nd7::decide {

/// A pattern that is plain text, bytes taken literally.
struct TextPattern {
  enum class Kind : std::uint8_t {
    literal,    ///< `text` itself
    prefix,     ///< everything that begins with the bytes of `text`
    subpath,    ///< `text`, and everything below it: `text/...`; `/` is everything absolute
    ancestors,  ///< every proper ancestor of the absolute path `text`, `/` included
  };
  Kind kind = Kind::literal;
  std::string text;
};

class Automaton {
 public:
  [[nodiscard]] static Automaton none();
  [[nodiscard]] static Automaton any();
  /// The union of plain patterns, as a minimal trie: near linear in the total length of the texts.
  [[nodiscard]] static Automaton from_texts(std::span<const TextPattern> patterns);
  [[nodiscard]] static Automaton literal(std::string_view text);
  [[nodiscard]] static Automaton prefix(std::string_view text);
  [[nodiscard]] static Automaton subpath(std::string_view text);
  [[nodiscard]] static Automaton ancestors(std::string_view text);
  /// What a kernel hands to a filter: absolute, `/` between components, no empty, `.` or `..`
  /// component, no NUL, no slash at the end but for `/` itself.
  [[nodiscard]] static Automaton well_formed_paths();
  /// Minimises. `start` is a state of `table`.
  [[nodiscard]] static Automaton from_table(const TransitionTable& table, std::uint32_t start);
  /// For a table known to hold no two equivalent states that are reachable.
  [[nodiscard]] static Automaton from_minimal_table(const TransitionTable& table,
                                                    std::uint32_t start);

  [[nodiscard]] bool accepts(std::string_view word) const;
  [[nodiscard]] bool empty() const { return table_->size() == 1 && table_->accepting[0] == 0; }
  [[nodiscard]] bool universal() const { return table_->size() == 1 && table_->accepting[0] != 0; }
  [[nodiscard]] Automaton complement() const;

  /// Number of Myhill-Nerode classes, a dead state included.
  [[nodiscard]] std::size_t states() const { return table_->size(); }
  [[nodiscard]] std::size_t classes() const { return table_->classes.count(); }
  /// Bytes held by the automaton's table.
  [[nodiscard]] std::size_t memory() const;
  /// State 0 is the start.
  [[nodiscard]] const TransitionTable& table() const { return *table_; }

  /// Equality of languages.
  friend bool operator==(const Automaton& a, const Automaton& b) {
    return a.table_ == b.table_ || *a.table_ == *b.table_;
  }

 private:
  explicit Automaton(TransitionTable canonical_table);
  std::shared_ptr<const TransitionTable> table_;
};

[[nodiscard]] std::optional<Automaton> unite(const Automaton& a, const Automaton& b,
                                             const Budget& budget = {});
[[nodiscard]] std::optional<Automaton> intersect(const Automaton& a, const Automaton& b,
                                                 const Budget& budget = {});
/// What is in `a` and not in `b`.
[[nodiscard]] std::optional<Automaton> subtract(const Automaton& a, const Automaton& b,
                                                const Budget& budget = {});
/// Unions and intersections of many, in balanced order. The budget is for each product. None: the
/// empty, the universal language.
[[nodiscard]] std::optional<Automaton> unite_all(std::span<const Automaton> parts,
                                                 const Budget& budget = {});
[[nodiscard]] std::optional<Automaton> intersect_all(std::span<const Automaton> parts,
                                                     const Budget& budget = {});

/// Whether every word of `a` is in `b`. Builds no product.
[[nodiscard]] Answer included(const Automaton& a, const Automaton& b, const Budget& budget = {});
/// Whether no word is in both. Builds no product.
[[nodiscard]] Answer disjoint(const Automaton& a, const Automaton& b, const Budget& budget = {});

}  // namespace nd7::decide
