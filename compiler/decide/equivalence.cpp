// Equivalent states by partition refinement, as Hopcroft's but for tables with base targets: the
// smaller half of each split is processed once for the base targets, then once for each byte class
// on which a state's own edge and its base disagree about leading into it. Each time costs the
// edges into the half and the edges of states whose base is in it, hence O((states + edges) log
// states).
#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

#include "compiler/decide/transition_table.hpp"

namespace nd7::decide {
namespace {

/// Blocks of states, with marking of members and splitting of marked from unmarked ones.
class Partition {
 public:
  explicit Partition(std::uint32_t size) : members_(size), place_(size), block_(size, 0) {
    std::iota(members_.begin(), members_.end(), 0U);
    std::iota(place_.begin(), place_.end(), 0U);
    blocks_.push_back({0, size, 0});
  }

  void mark(std::uint32_t state) {
    Block& block = blocks_[block_[state]];
    const std::uint32_t to = block.begin + block.marked;
    if (place_[state] < to) return;
    if (block.marked++ == 0) touched_.push_back(block_[state]);
    const std::uint32_t other = members_[to];
    std::swap(members_[to], members_[place_[state]]);
    place_[other] = place_[state];
    place_[state] = to;
  }

  /// Splits every block that is marked in part; `on_split(old, new)` for each.
  template <typename OnSplit>
  void split_marked(OnSplit on_split) {
    for (const std::uint32_t old : touched_) {
      const std::uint32_t marked = blocks_[old].marked;
      blocks_[old].marked = 0;
      if (marked == size(old)) continue;
      const auto fresh = static_cast<std::uint32_t>(blocks_.size());
      const std::uint32_t begin = blocks_[old].begin;
      blocks_[old].begin = begin + marked;
      blocks_.push_back({begin, begin + marked, 0});
      for (std::uint32_t i = begin; i < begin + marked; ++i) block_[members_[i]] = fresh;
      on_split(old, fresh);
    }
    touched_.clear();
  }

  [[nodiscard]] std::uint32_t size(std::uint32_t block) const {
    return blocks_[block].end - blocks_[block].begin;
  }
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(blocks_.size()); }
  [[nodiscard]] std::span<const std::uint32_t> members(std::uint32_t block) const {
    return {members_.data() + blocks_[block].begin, size(block)};
  }
  [[nodiscard]] std::vector<std::uint32_t> take_blocks() { return std::move(block_); }

 private:
  struct Block {
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t marked;
  };
  std::vector<std::uint32_t> members_;
  std::vector<std::uint32_t> place_;
  std::vector<std::uint32_t> block_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> touched_;
};

/// Sources by target, in compressed rows.
struct Inverse {
  std::vector<std::size_t> first;
  std::vector<Edge> sources;  ///< `target` holds the source state

  [[nodiscard]] std::span<const Edge> of(std::uint32_t state) const {
    return {sources.data() + first[state], first[state + 1] - first[state]};
  }
};

template <typename ForEach>
Inverse invert(std::uint32_t size, ForEach for_each) {
  Inverse inverse;
  inverse.first.assign(size + 1, 0);
  for_each(
      [&](std::uint32_t, std::uint32_t target, std::uint32_t) { ++inverse.first[target + 1]; });
  std::partial_sum(inverse.first.begin(), inverse.first.end(), inverse.first.begin());
  inverse.sources.resize(inverse.first.back());
  std::vector<std::size_t> fill(inverse.first.begin(), inverse.first.end() - 1);
  for_each([&](std::uint32_t source, std::uint32_t target, std::uint32_t byte_class) {
    inverse.sources[fill[target]++] = {byte_class, source};
  });
  return inverse;
}

class Refinement {
 public:
  explicit Refinement(const TransitionTable& table)
      : table_(table), partition_(table.size()), inside_(table.size(), 0) {
    base_sources_ = invert(table.size(), [&](auto emit) {
      for (std::uint32_t s = 0; s < table.size(); ++s) emit(s, table.base[s], 0);
    });
    edge_sources_ = invert(table.size(), [&](auto emit) {
      for (std::uint32_t s = 0; s < table.size(); ++s) {
        for (const Edge& edge : table.edges_of(s)) emit(s, edge.target, edge.byte_class);
      }
    });
  }

  std::vector<std::uint32_t> run() {
    waiting_.assign(1, false);
    for (std::uint32_t s = 0; s < table_.size(); ++s) {
      if (table_.accepting[s] != 0) partition_.mark(s);
    }
    split();
    while (!queue_.empty()) {
      const std::uint32_t block = queue_.back();
      queue_.pop_back();
      waiting_[block] = false;
      refine_by(block);
    }
    return partition_.take_blocks();
  }

 private:
  void split() {
    partition_.split_marked([&](std::uint32_t old, std::uint32_t fresh) {
      waiting_.push_back(false);
      // When the old block waits, both halves must; otherwise either half does.
      const bool take_fresh = waiting_[old] || partition_.size(fresh) <= partition_.size(old);
      const std::uint32_t chosen = take_fresh ? fresh : old;
      waiting_[chosen] = true;
      queue_.push_back(chosen);
    });
  }

  void refine_by(std::uint32_t block) {
    const auto members = partition_.members(block);
    splitter_.assign(members.begin(), members.end());
    ++epoch_;
    for (const std::uint32_t target : splitter_) inside_[target] = epoch_;

    for (const std::uint32_t target : splitter_) {
      for (const Edge& source : base_sources_.of(target)) partition_.mark(source.target);
    }
    split();
    // Now the members of any one block agree on whether their base is inside.
    for (const std::uint32_t target : splitter_) {
      for (const Edge& source : edge_sources_.of(target)) {
        if (!inside(table_.base[source.target])) note(source.byte_class, source.target);
      }
      for (const Edge& source : base_sources_.of(target)) {
        for (const Edge& edge : table_.edges_of(source.target)) {
          if (!inside(edge.target)) note(edge.byte_class, source.target);
        }
      }
    }
    for (const std::uint32_t byte_class : noted_) {
      for (const std::uint32_t state : by_class_[byte_class]) partition_.mark(state);
      by_class_[byte_class].clear();
      split();
    }
    noted_.clear();
  }

  [[nodiscard]] bool inside(std::uint32_t state) const { return inside_[state] == epoch_; }
  void note(std::uint32_t byte_class, std::uint32_t state) {
    if (by_class_[byte_class].empty()) noted_.push_back(byte_class);
    by_class_[byte_class].push_back(state);
  }

  const TransitionTable& table_;
  Partition partition_;
  Inverse base_sources_;
  Inverse edge_sources_;
  std::vector<std::uint32_t> inside_;  // epoch of the splitter that a state was last in
  std::uint32_t epoch_ = 0;
  std::vector<std::uint32_t> splitter_;
  std::array<std::vector<std::uint32_t>, 256> by_class_;
  std::vector<std::uint32_t> noted_;
  std::vector<std::uint32_t> queue_;
  std::vector<bool> waiting_;
};

}  // namespace

std::vector<std::uint32_t> equivalence_classes(const TransitionTable& table) {
  return Refinement(table).run();
}

}  // namespace nd7::decide
