// Interning of short sequences of numbers: sets of states, tuples of states, rows of edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nd7::decide {

/// Gives equal sequences equal ids, counted from 0 in order of first appearance.
class SequenceTable {
 public:
  SequenceTable();

  /// The id of `sequence`, which is copied when new. Must not point into this table.
  std::uint32_t intern(std::span<const std::uint32_t> sequence);
  /// Valid until the next intern().
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::uint32_t id) const {
    return {values_.data() + offsets_[id], offsets_[id + 1] - offsets_[id]};
  }
  [[nodiscard]] std::size_t size() const { return offsets_.size() - 1; }
  /// Bytes held.
  [[nodiscard]] std::size_t memory() const;

 private:
  void grow();

  std::vector<std::uint32_t> values_;
  std::vector<std::size_t> offsets_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> slots_;  // id + 1, 0 = free; a power of two many
};

}  // namespace nd7::decide
