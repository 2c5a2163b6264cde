// The data of a complete deterministic automaton, and its canonical form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "compiler/decide/byte_classes.hpp"

namespace nd7::decide {

struct Edge {
  std::uint32_t byte_class = 0;
  std::uint32_t target = 0;
  friend bool operator==(const Edge&, const Edge&) = default;
};

/// Each state has a base target, taken on byte class 0 and on every class without an edge of its
/// own. Trie states thus hold only the bytes that patterns mention, and complement is free. Since
/// the base is always the target on class 0, the form of a state is unique.
struct TransitionTable {
  ByteClasses classes;
  std::vector<std::uint32_t> base;
  std::vector<std::size_t> first_edge{0};  ///< edges of state s: [first_edge[s], first_edge[s + 1])
  std::vector<Edge> edges;                 ///< by class; targets differ from the state's base
  std::vector<std::uint8_t> accepting;

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(base.size()); }
  [[nodiscard]] std::span<const Edge> edges_of(std::uint32_t state) const {
    return {edges.data() + first_edge[state], first_edge[state + 1] - first_edge[state]};
  }
  [[nodiscard]] std::uint32_t next(std::uint32_t state, std::uint32_t byte_class) const;
  /// No way out.
  [[nodiscard]] bool is_sink(std::uint32_t state) const {
    return base[state] == state && first_edge[state] == first_edge[state + 1];
  }

  /// Appends a state; edges to its base are left out. `row` holds edges by class.
  void add_state(std::uint32_t its_base, std::span<const Edge> row, bool accepts);

  friend bool operator==(const TransitionTable&, const TransitionTable&) = default;
};

/// The canonical form: reachable states only, no two equivalent, coarsest byte classes, states
/// numbered breadth first from the start, which becomes 0. Equal languages have equal canonical
/// forms. O((states + edges) log states). `minimal` skips the search for equivalent states.
[[nodiscard]] TransitionTable canonical(const TransitionTable& table, std::uint32_t start,
                                        bool minimal = false);

/// For each state the number of its class of equivalent states.
[[nodiscard]] std::vector<std::uint32_t> equivalence_classes(const TransitionTable& table);

}  // namespace nd7::decide
