// Many plain patterns at once: a radix tree whose nodes know which patterns match there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/decide/automaton.hpp"
#include "compiler/decide/sequence_table.hpp"

namespace nd7::decide {

/// Sets of patterns, each an earlier set and one pattern more. Set 0 is empty.
class PatternSets {
 public:
  PatternSets();
  std::uint32_t extend(std::uint32_t set, std::uint32_t pattern);
  /// Appends the patterns of `set`; some may come twice.
  void members(std::uint32_t set, std::vector<std::uint32_t>& out) const;
  [[nodiscard]] std::size_t size() const { return links_.size(); }
  [[nodiscard]] std::size_t memory() const { return links_.memory(); }

 private:
  SequenceTable links_;  // the earlier set, the pattern
};

class TextIndex {
 public:
  struct Entry {
    const TextPattern* pattern;
    std::uint32_t id;
  };

  /// Near linear in the total length of the texts. Nothing of `entries` is kept.
  explicit TextIndex(std::span<const Entry> entries);

  /// The set of all patterns that match `subject`.
  [[nodiscard]] std::uint32_t find(std::string_view subject) const;
  [[nodiscard]] const PatternSets& sets() const { return sets_; }
  [[nodiscard]] std::size_t nodes() const { return nodes_.size(); }
  [[nodiscard]] std::size_t memory() const;

 private:
  /// A node's children are neighbours. A child is found by its first byte in a row of jumps_, which
  /// holds its place among them, counted from 1; the rest of its label follows, short ones inline.
  struct Node {
    static constexpr std::uint32_t kInline = 8;

    std::array<char, kInline> start{};  ///< of the label from its second byte, zeros behind it
    std::uint32_t label_size = 0;       ///< without the first byte
    std::uint32_t label = 0;            ///< in labels_
    std::uint32_t first_child = 0;
    std::uint32_t jumps = 0;  ///< in jumps_, for the bytes [low, low + span)
    std::uint16_t low = 0;
    std::uint16_t span = 0;
    std::uint32_t here = 0;   ///< set for the subject that ends here
    std::uint32_t below = 0;  ///< set for subjects that leave the tree behind this node
  };

  [[nodiscard]] bool follows(const Node& node, const char* at, std::size_t left) const;

  std::vector<Node> nodes_;
  std::vector<std::uint16_t> jumps_;
  std::string labels_;
  PatternSets sets_;
};

}  // namespace nd7::decide
