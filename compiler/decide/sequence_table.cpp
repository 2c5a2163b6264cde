#include "compiler/decide/sequence_table.hpp"

#include <algorithm>

namespace nd7::decide {
namespace {

std::uint64_t hash_of(std::span<const std::uint32_t> sequence) {
  std::uint64_t hash = 0x9E3779B97F4A7C15U ^ sequence.size();
  for (const std::uint32_t value : sequence) {
    hash = (hash ^ value) * 0xD6E8FEB86659FD93U;
    hash ^= hash >> 32U;
  }
  return hash;
}

}  // namespace

SequenceTable::SequenceTable() : offsets_(1, 0), slots_(64, 0) {}

std::uint32_t SequenceTable::intern(std::span<const std::uint32_t> sequence) {
  const std::uint64_t hash = hash_of(sequence);
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = static_cast<std::size_t>(hash) & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const std::uint32_t id = slots_[slot] - 1;
    if (hashes_[id] == hash && std::ranges::equal((*this)[id], sequence)) return id;
  }
  const auto id = static_cast<std::uint32_t>(size());
  values_.insert(values_.end(), sequence.begin(), sequence.end());
  offsets_.push_back(values_.size());
  hashes_.push_back(hash);
  slots_[slot] = id + 1;
  if (2 * size() >= slots_.size()) grow();
  return id;
}

void SequenceTable::grow() {
  slots_.assign(slots_.size() * 4, 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t id = 0; id < hashes_.size(); ++id) {
    std::size_t slot = static_cast<std::size_t>(hashes_[id]) & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = id + 1;
  }
}

std::size_t SequenceTable::memory() const {
  return values_.capacity() * sizeof(std::uint32_t) + offsets_.capacity() * sizeof(std::size_t) +
         hashes_.capacity() * sizeof(std::uint64_t) + slots_.capacity() * sizeof(std::uint32_t);
}

}  // namespace nd7::decide
