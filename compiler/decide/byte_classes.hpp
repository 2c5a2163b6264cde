// Compressed alphabets: bytes that no part of an automaton tells apart share a class.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <vector>

namespace nd7::decide {

/// A partition of the 256 bytes. Classes are numbered by their smallest byte, so class 0 is the
/// class of NUL: in practice "every byte that no pattern mentions".
class ByteClasses {
 public:
  ByteClasses() { of_.fill(0); }

  /// Splits every class into its bytes inside and outside `set`.
  void refine(const std::bitset<256>& set);
  /// Splits every class by the classes of `other`.
  void refine(const ByteClasses& other);
  /// Merges classes: `group[c]` names the group of class c.
  [[nodiscard]] ByteClasses merged(std::span<const std::uint32_t> group) const;

  [[nodiscard]] std::uint32_t of(unsigned char byte) const { return of_[byte]; }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  /// The byte of each class that reads best.
  [[nodiscard]] std::vector<unsigned char> readable_bytes() const;
  /// For each class of `coarse`, of which this is a refinement: the classes of this within it.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> within(const ByteClasses& coarse) const;

  friend bool operator==(const ByteClasses&, const ByteClasses&) = default;

 private:
  std::array<std::uint8_t, 256> of_;
  std::uint32_t count_ = 1;
};

/// How badly a byte reads in a witness: 0 for lower-case letters, more for all others, most for
/// control characters.
[[nodiscard]] std::uint32_t reading_cost(unsigned char byte);

}  // namespace nd7::decide
