// Products of two automata.
#include <array>
#include <utility>
#include <vector>

#include "compiler/decide/automaton.hpp"
#include "compiler/decide/sequence_table.hpp"

namespace nd7::decide {
namespace {

/// A Boolean function of membership in a and in b.
using Combine = bool (*)(bool, bool);

class Product {
 public:
  Product(const Automaton& a, const Automaton& b, Combine combine, const Budget& budget)
      : a_(a.table()), b_(b.table()), combine_(combine), meter_(budget) {
    table_.classes = a_.classes;
    table_.classes.refine(b_.classes);
    within_a_ = table_.classes.within(a_.classes);
    within_b_ = table_.classes.within(b_.classes);
    row_.resize(table_.classes.count());
  }

  std::optional<Automaton> run() {
    (void)state_of(0, 0);
    for (std::uint32_t id = 0; id < pairs_.size(); ++id) {
      if (!meter_.take_states()) return std::nullopt;
      const std::array<std::uint32_t, 2> pair{pairs_[id][0], pairs_[id][1]};
      if (!expand(pair[0], pair[1])) return std::nullopt;
    }
    return Automaton::from_table(table_, 0);
  }

 private:
  /// Where a sink decides the outcome, one pair stands for all.
  std::uint32_t state_of(std::uint32_t p, std::uint32_t q) {
    if (a_.is_sink(p) && constant_in_b(a_.accepting[p] != 0))
      q = kAnything;
    else if (b_.is_sink(q) && constant_in_a(b_.accepting[q] != 0))
      p = kAnything;
    return pairs_.intern(std::array<std::uint32_t, 2>{p, q});
  }
  [[nodiscard]] bool constant_in_b(bool in_a) const {
    return combine_(in_a, false) == combine_(in_a, true);
  }
  [[nodiscard]] bool constant_in_a(bool in_b) const {
    return combine_(false, in_b) == combine_(true, in_b);
  }

  bool expand(std::uint32_t p, std::uint32_t q) {
    const auto self = static_cast<std::uint32_t>(table_.size());
    if (p == kAnything || q == kAnything) {
      const bool in_a = p != kAnything && a_.accepting[p] != 0;
      const bool in_b = q != kAnything && b_.accepting[q] != 0;
      table_.add_state(self, {}, combine_(in_a, in_b));
      return true;
    }
    const std::pair<std::uint32_t, std::uint32_t> base{a_.base[p], b_.base[q]};
    changed_.assign(row_.size(), false);
    std::size_t work = 1;
    const auto touch = [&](std::uint32_t c) {
      ++work;
      if (!changed_[c]) row_[c] = base;
      changed_[c] = true;
    };
    for (const Edge& edge : a_.edges_of(p)) {
      for (const std::uint32_t c : within_a_[edge.byte_class])
        touch(c), row_[c].first = edge.target;
    }
    for (const Edge& edge : b_.edges_of(q)) {
      for (const std::uint32_t c : within_b_[edge.byte_class]) {
        touch(c);
        row_[c].second = edge.target;
      }
    }
    if (!meter_.take_steps(work)) return false;
    const std::uint32_t base_id = state_of(base.first, base.second);
    edges_.clear();
    for (std::uint32_t c = 0; c < row_.size(); ++c) {
      if (changed_[c]) edges_.push_back({c, state_of(row_[c].first, row_[c].second)});
    }
    table_.add_state(base_id, edges_, combine_(a_.accepting[p] != 0, b_.accepting[q] != 0));
    return true;
  }

  static constexpr std::uint32_t kAnything = 0xFFFFFFFF;

  const TransitionTable& a_;
  const TransitionTable& b_;
  Combine combine_;
  Meter meter_;
  TransitionTable table_;
  SequenceTable pairs_;
  std::vector<std::vector<std::uint32_t>> within_a_;
  std::vector<std::vector<std::uint32_t>> within_b_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> row_;
  std::vector<bool> changed_;
  std::vector<Edge> edges_;
};

using BinaryOperation = std::optional<Automaton> (*)(const Automaton&, const Automaton&,
                                                     const Budget&);

std::optional<Automaton> fold(std::span<const Automaton> parts, Automaton neutral,
                              BinaryOperation operation, const Budget& budget) {
  std::vector<Automaton> layer(parts.begin(), parts.end());
  if (layer.empty()) return neutral;
  while (layer.size() > 1) {
    std::vector<Automaton> next;
    for (std::size_t i = 0; i + 1 < layer.size(); i += 2) {
      auto both = operation(layer[i], layer[i + 1], budget);
      if (!both) return std::nullopt;
      next.push_back(*std::move(both));
    }
    if (layer.size() % 2 == 1) next.push_back(layer.back());
    layer = std::move(next);
  }
  return layer.front();
}

}  // namespace

std::optional<Automaton> unite(const Automaton& a, const Automaton& b, const Budget& budget) {
  if (a.empty() || b.universal()) return b;
  if (b.empty() || a.universal()) return a;
  return Product(
             a, b, [](bool x, bool y) { return x || y; }, budget)
      .run();
}

std::optional<Automaton> intersect(const Automaton& a, const Automaton& b, const Budget& budget) {
  if (a.empty() || b.universal()) return a;
  if (b.empty() || a.universal()) return b;
  return Product(
             a, b, [](bool x, bool y) { return x && y; }, budget)
      .run();
}

std::optional<Automaton> subtract(const Automaton& a, const Automaton& b, const Budget& budget) {
  if (a.empty() || b.empty()) return a;
  return Product(
             a, b, [](bool x, bool y) { return x && !y; }, budget)
      .run();
}

std::optional<Automaton> unite_all(std::span<const Automaton> parts, const Budget& budget) {
  return fold(parts, Automaton::none(), unite, budget);
}

std::optional<Automaton> intersect_all(std::span<const Automaton> parts, const Budget& budget) {
  return fold(parts, Automaton::any(), intersect, budget);
}

}  // namespace nd7::decide
