#include "compiler/decide/text_index.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace nd7::decide {
namespace {

/// A text with a pattern that matches it, or (`open`) it and all that begins with it.
struct Key {
  std::string text;
  bool open = false;
  std::uint32_t id = 0;
};

std::vector<Key> sorted_keys(std::span<const TextIndex::Entry> entries) {
  std::vector<Key> keys;
  keys.reserve(2 * entries.size());
  for (const auto& [pattern, id] : entries) {
    const std::string& text = pattern->text;
    switch (pattern->kind) {
      case TextPattern::Kind::literal: keys.push_back({text, false, id}); break;
      case TextPattern::Kind::prefix: keys.push_back({text, true, id}); break;
      case TextPattern::Kind::subpath:
        if (text != "/") keys.push_back({text, false, id});
        keys.push_back({text == "/" ? text : text + '/', true, id});
        break;
      case TextPattern::Kind::ancestors:
        if (!text.starts_with('/')) break;
        if (text != "/") keys.push_back({"/", false, id});
        for (std::size_t i = 1; i < text.size(); ++i) {
          if (text[i] == '/') keys.push_back({text.substr(0, i), false, id});
        }
        break;
    }
  }
  std::ranges::sort(keys, {}, [](const Key& key) {
    return std::pair<std::string_view, std::uint32_t>{key.text, key.id};
  });
  return keys;
}

}  // namespace

PatternSets::PatternSets() {
  // No set extends itself, so this entry is set 0 alone.
  (void)links_.intern(std::array<std::uint32_t, 2>{0xFFFFFFFF, 0xFFFFFFFF});
}

std::uint32_t PatternSets::extend(std::uint32_t set, std::uint32_t pattern) {
  if (set != 0 && links_[set][1] == pattern) return set;
  return links_.intern(std::array<std::uint32_t, 2>{set, pattern});
}

void PatternSets::members(std::uint32_t set, std::vector<std::uint32_t>& out) const {
  for (; set != 0; set = links_[set][0]) out.push_back(links_[set][1]);
}

TextIndex::TextIndex(std::span<const Entry> entries) {
  const std::vector<Key> keys = sorted_keys(entries);
  /// The keys [begin, end) share their first `depth` bytes, which lead to a node.
  struct Range {
    std::size_t begin;
    std::size_t end;
    std::size_t depth;
  };
  std::vector<Range> ranges{{0, keys.size(), 0}};
  nodes_.emplace_back();
  for (std::size_t n = 0; n < ranges.size(); ++n) {  // breadth first: children become neighbours
    Range range = ranges[n];
    Node node = nodes_[n];
    const std::size_t own = range.begin;
    for (; range.begin < range.end && keys[range.begin].text.size() == range.depth; ++range.begin) {
      const Key& key = keys[range.begin];
      if (key.open) node.below = sets_.extend(node.below, key.id);
    }
    node.here = node.below;
    for (std::size_t i = own; i < range.begin; ++i) {
      if (!keys[i].open) node.here = sets_.extend(node.here, keys[i].id);
    }
    node.first_child = static_cast<std::uint32_t>(nodes_.size());
    std::uint16_t children = 0;
    if (range.begin < range.end) {
      const auto byte_of = [&](const Key& key) {
        return static_cast<std::uint16_t>(static_cast<unsigned char>(key.text[range.depth]));
      };
      node.low = byte_of(keys[range.begin]);
      node.span = static_cast<std::uint16_t>(byte_of(keys[range.end - 1]) - node.low + 1);
      node.jumps = static_cast<std::uint32_t>(jumps_.size());
      jumps_.resize(jumps_.size() + node.span, 0);
    }
    while (range.begin < range.end) {
      const std::string& first = keys[range.begin].text;
      const auto byte = static_cast<unsigned char>(first[range.depth]);
      const auto group_end =
          std::upper_bound(keys.begin() + static_cast<std::ptrdiff_t>(range.begin),
                           keys.begin() + static_cast<std::ptrdiff_t>(range.end), byte,
                           [&](unsigned char value, const Key& key) {
                             return value < static_cast<unsigned char>(key.text[range.depth]);
                           });
      const auto end = static_cast<std::size_t>(group_end - keys.begin());
      const std::string& last = keys[end - 1].text;
      const auto depth = static_cast<std::size_t>(
          std::mismatch(first.begin() + static_cast<std::ptrdiff_t>(range.depth), first.end(),
                        last.begin() + static_cast<std::ptrdiff_t>(range.depth), last.end())
              .first -
          first.begin());
      Node child;
      child.label = static_cast<std::uint32_t>(labels_.size());
      child.label_size = static_cast<std::uint32_t>(depth - range.depth - 1);
      child.below = node.below;
      labels_.append(first, range.depth + 1, child.label_size);
      std::copy_n(labels_.begin() + child.label, std::min(child.label_size, Node::kInline),
                  child.start.begin());
      nodes_.push_back(child);
      ranges.push_back({range.begin, end, depth});
      range.begin = end;
      jumps_[node.jumps + byte - node.low] = ++children;
    }
    nodes_[n] = node;
  }
}

bool TextIndex::follows(const Node& node, const char* at, std::size_t left) const {
  if (node.label_size > left) return false;
  if (node.label_size <= Node::kInline && left >= Node::kInline) {
    // One comparison of words instead of a call: keep the label's bytes, compare all.
    static constexpr auto kMasks = [] {
      std::array<std::array<unsigned char, Node::kInline>, Node::kInline + 1> masks{};
      for (std::size_t size = 0; size < masks.size(); ++size) {
        for (std::size_t i = 0; i < size; ++i) masks[size][i] = 0xFF;
      }
      return masks;
    }();
    std::uint64_t subject = 0;
    std::uint64_t label = 0;
    std::uint64_t mask = 0;
    std::memcpy(&subject, at, sizeof subject);
    std::memcpy(&label, node.start.data(), sizeof label);
    std::memcpy(&mask, kMasks[node.label_size].data(), sizeof mask);
    return ((subject ^ label) & mask) == 0;
  }
  return std::memcmp(labels_.data() + node.label, at, node.label_size) == 0;
}

std::uint32_t TextIndex::find(std::string_view subject) const {
  const Node* node = nodes_.data();
  const char* at = subject.data();
  std::size_t left = subject.size();
  while (left != 0) {
    const unsigned place = static_cast<unsigned char>(*at) - unsigned{node->low};
    if (place >= node->span) return node->below;
    const std::uint16_t child = jumps_[node->jumps + place];
    if (child == 0) return node->below;
    const Node& next = nodes_[node->first_child + child - 1];
    if (!follows(next, at + 1, left - 1)) return node->below;
    at += next.label_size + 1;
    left -= next.label_size + 1;
    node = &next;
  }
  return node->here;
}

std::size_t TextIndex::memory() const {
  return nodes_.capacity() * sizeof(Node) + jumps_.capacity() * sizeof(jumps_[0]) +
         labels_.capacity() + sets_.memory();
}

}  // namespace nd7::decide
