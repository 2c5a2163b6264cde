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
  first_bytes_.push_back('\0');
  for (std::size_t n = 0; n < ranges.size(); ++n) {  // breadth first: children become neighbours
    Range range = ranges[n];
    Node node = nodes_[n];
    node.here = node.below;
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
      nodes_.push_back(child);
      first_bytes_.push_back(static_cast<char>(byte));
      ranges.push_back({range.begin, end, depth});
      range.begin = end;
      ++node.children;
    }
    nodes_[n] = node;
  }
}

std::uint32_t TextIndex::find(std::string_view subject) const {
  const Node* node = nodes_.data();
  const char* at = subject.data();
  std::size_t left = subject.size();
  while (left != 0) {
    const char* bytes = first_bytes_.data() + node->first_child;
    std::uint32_t child = 0;
    while (child < node->children && bytes[child] != *at) ++child;
    if (child == node->children) return node->below;
    const Node& next = nodes_[node->first_child + child];
    if (next.label_size >= left ||
        std::memcmp(labels_.data() + next.label, at + 1, next.label_size) != 0) {
      return node->below;
    }
    at += next.label_size + 1;
    left -= next.label_size + 1;
    node = &next;
  }
  return node->here;
}

std::size_t TextIndex::memory() const {
  return nodes_.capacity() * sizeof(Node) + first_bytes_.capacity() + labels_.capacity() +
         sets_.memory();
}

}  // namespace nd7::decide
