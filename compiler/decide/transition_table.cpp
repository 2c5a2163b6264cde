#include "compiler/decide/transition_table.hpp"

#include <algorithm>
#include <limits>

namespace nd7::decide {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// The part of `table` reachable from `start`, numbered breadth first.
TransitionTable breadth_first(const TransitionTable& table, std::uint32_t start) {
  std::vector<std::uint32_t> number(table.size(), kNone);
  std::vector<std::uint32_t> order{start};
  number[start] = 0;
  const auto visit = [&](std::uint32_t state) {
    if (number[state] != kNone) return;
    number[state] = static_cast<std::uint32_t>(order.size());
    order.push_back(state);
  };
  for (std::size_t i = 0; i < order.size(); ++i) {
    visit(table.base[order[i]]);
    for (const Edge& edge : table.edges_of(order[i])) visit(edge.target);
  }
  TransitionTable result;
  result.classes = table.classes;
  std::vector<Edge> row;
  for (const std::uint32_t state : order) {
    row.clear();
    for (const Edge& edge : table.edges_of(state)) {
      row.push_back({edge.byte_class, number[edge.target]});
    }
    result.add_state(number[table.base[state]], row, table.accepting[state] != 0);
  }
  return result;
}

/// One state for each block of equivalent states.
TransitionTable quotient(const TransitionTable& table, std::span<const std::uint32_t> block) {
  std::vector<std::uint32_t> member;
  for (std::uint32_t state = 0; state < table.size(); ++state) {
    if (block[state] >= member.size()) member.resize(block[state] + 1, kNone);
    if (member[block[state]] == kNone) member[block[state]] = state;
  }
  TransitionTable result;
  result.classes = table.classes;
  std::vector<Edge> row;
  for (const std::uint32_t state : member) {
    row.clear();
    for (const Edge& edge : table.edges_of(state)) {
      row.push_back({edge.byte_class, block[edge.target]});
    }
    result.add_state(block[table.base[state]], row, table.accepting[state] != 0);
  }
  return result;
}

/// Merges byte classes on which every state agrees.
TransitionTable with_coarsest_classes(const TransitionTable& table) {
  struct Column {
    std::uint32_t state;
    std::uint32_t target;
    bool operator==(const Column&) const = default;
  };
  const std::uint32_t count = table.classes.count();
  std::vector<std::vector<Column>> columns(count);
  for (std::uint32_t state = 0; state < table.size(); ++state) {
    for (const Edge& edge : table.edges_of(state)) {
      columns[edge.byte_class].push_back({state, edge.target});
    }
  }
  std::vector<std::uint32_t> group(count);
  for (std::uint32_t c = 0; c < count; ++c) {
    group[c] = c;
    for (std::uint32_t earlier = 0; earlier < c; ++earlier) {
      if (group[earlier] == earlier && columns[earlier] == columns[c]) {
        group[c] = earlier;
        break;
      }
    }
  }
  TransitionTable result;
  result.classes = table.classes.merged(group);
  // Classes are numbered by smallest byte on both sides, so this map keeps their order.
  std::vector<std::uint32_t> number(count, kNone);
  for (unsigned byte = 0; byte < 256; ++byte) {
    const auto b = static_cast<unsigned char>(byte);
    number[table.classes.of(b)] = result.classes.of(b);
  }
  std::vector<Edge> row;
  for (std::uint32_t state = 0; state < table.size(); ++state) {
    row.clear();
    for (const Edge& edge : table.edges_of(state)) {
      if (group[edge.byte_class] != edge.byte_class) continue;
      row.push_back({number[edge.byte_class], edge.target});
    }
    result.add_state(table.base[state], row, table.accepting[state] != 0);
  }
  return result;
}

}  // namespace

std::uint32_t TransitionTable::next(std::uint32_t state, std::uint32_t byte_class) const {
  const auto row = edges_of(state);
  const auto it = std::ranges::lower_bound(row, byte_class, {}, &Edge::byte_class);
  return it != row.end() && it->byte_class == byte_class ? it->target : base[state];
}

void TransitionTable::add_state(std::uint32_t its_base, std::span<const Edge> row, bool accepts) {
  base.push_back(its_base);
  for (const Edge& edge : row) {
    if (edge.target != its_base) edges.push_back(edge);
  }
  first_edge.push_back(edges.size());
  accepting.push_back(accepts ? 1 : 0);
}

TransitionTable canonical(const TransitionTable& table, std::uint32_t start, bool minimal) {
  TransitionTable reachable = breadth_first(table, start);
  // Merging classes drops only edges to states that an earlier edge reached: the order stays.
  if (minimal) return with_coarsest_classes(reachable);
  const std::vector<std::uint32_t> block = equivalence_classes(reachable);
  return breadth_first(with_coarsest_classes(quotient(reachable, block)), block[0]);
}

}  // namespace nd7::decide
