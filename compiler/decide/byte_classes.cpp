#include "compiler/decide/byte_classes.hpp"

#include <limits>

namespace nd7::decide {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// Numbers the values of `key(byte)`, all below `bound`, by first appearance.
template <typename Key>
std::uint32_t renumber(std::array<std::uint8_t, 256>& of, std::uint32_t bound, Key key) {
  std::vector<std::uint32_t> number(bound, kNone);
  std::array<std::uint8_t, 256> fresh{};
  std::uint32_t count = 0;
  for (unsigned byte = 0; byte < 256; ++byte) {
    std::uint32_t& n = number[key(byte)];
    if (n == kNone) n = count++;
    fresh[byte] = static_cast<std::uint8_t>(n);
  }
  of = fresh;
  return count;
}

}  // namespace

void ByteClasses::refine(const std::bitset<256>& set) {
  count_ = renumber(of_, 2 * count_, [&](unsigned byte) {
    return 2U * of_[byte] + static_cast<std::uint32_t>(set[byte]);
  });
}

void ByteClasses::refine(const ByteClasses& other) {
  count_ = renumber(of_, count_ * other.count_,
                    [&](unsigned byte) { return of_[byte] * other.count_ + other.of_[byte]; });
}

ByteClasses ByteClasses::merged(std::span<const std::uint32_t> group) const {
  ByteClasses result;
  result.count_ = renumber(result.of_, count_, [&](unsigned byte) { return group[of_[byte]]; });
  return result;
}

std::vector<unsigned char> ByteClasses::readable_bytes() const {
  std::vector<unsigned char> best(count_, 0);
  std::vector<std::uint32_t> cost(count_, kNone);
  for (unsigned i = 0; i < 256; ++i) {
    const auto byte = static_cast<unsigned char>(i);
    const std::uint32_t its_cost = reading_cost(byte);
    if (its_cost >= cost[of(byte)]) continue;
    cost[of(byte)] = its_cost;
    best[of(byte)] = byte;
  }
  return best;
}

std::vector<std::vector<std::uint32_t>> ByteClasses::within(const ByteClasses& coarse) const {
  std::vector<std::vector<std::uint32_t>> result(coarse.count_);
  std::vector<bool> seen(count_, false);
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (seen[of_[byte]]) continue;
    seen[of_[byte]] = true;
    result[coarse.of_[byte]].push_back(of_[byte]);
  }
  return result;
}

std::uint32_t reading_cost(unsigned char byte) {
  if (byte >= 'a' && byte <= 'z') return 0;
  if ((byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9')) return 1;
  if (byte == '/' || byte == '.' || byte == '-' || byte == '_') return 1;
  if (byte == ' ') return 6;
  if (byte > ' ' && byte < 0x7F) return 4;
  return byte >= 0x80 ? 8U : 16U;
}

}  // namespace nd7::decide
