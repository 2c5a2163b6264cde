// Unions of plain texts. The minimal automaton is built directly from the sorted texts: a node is
// looked up among its equals as soon as no later text can pass through it.
#include <algorithm>
#include <bitset>
#include <limits>
#include <utility>

#include "compiler/decide/automaton.hpp"
#include "compiler/decide/sequence_table.hpp"

namespace nd7::decide {
namespace {

/// A text that is accepted, or with everything that begins with it.
struct Key {
  std::string text;
  bool open = false;
  auto operator<=>(const Key&) const = default;
};

std::vector<Key> sorted_keys(std::span<const TextPattern> patterns) {
  std::vector<Key> keys;
  keys.reserve(2 * patterns.size());
  for (const TextPattern& pattern : patterns) {
    switch (pattern.kind) {
      case TextPattern::Kind::literal: keys.push_back({pattern.text, false}); break;
      case TextPattern::Kind::prefix: keys.push_back({pattern.text, true}); break;
      case TextPattern::Kind::subpath:
        if (pattern.text == "/") {
          keys.push_back({pattern.text, true});
        } else {
          keys.push_back({pattern.text, false});
          keys.push_back({pattern.text + '/', true});
        }
        break;
      case TextPattern::Kind::ancestors:
        if (!pattern.text.starts_with('/')) break;
        if (pattern.text != "/") keys.push_back({"/", false});
        for (std::size_t i = 1; i < pattern.text.size(); ++i) {
          if (pattern.text[i] == '/') keys.push_back({pattern.text.substr(0, i), false});
        }
        break;
    }
  }
  std::ranges::sort(keys);
  return keys;
}

class TrieBuilder {
 public:
  TrieBuilder() : path_(1) {}

  /// In sorted order.
  void add(const Key& key) {
    if (last_open_ != nullptr && key.text.starts_with(last_open_->text)) return;
    const auto common =
        static_cast<std::size_t>(std::ranges::mismatch(key.text, text_).in1 - key.text.begin());
    close_down_to(common);
    text_ = key.text;
    if (path_.size() < text_.size() + 1) path_.resize(text_.size() + 1);
    path_[text_.size()].accepting = true;
    if (!key.open) return;
    path_[text_.size()].open = true;
    last_open_ = &key;
  }

  Automaton finish() {
    close_down_to(0);
    const std::uint32_t root = close(path_[0]);
    TransitionTable table;
    for (unsigned byte = 0; byte < 256; ++byte) {
      if (!mentioned_[byte]) continue;
      std::bitset<256> set;
      set.set(byte);
      table.classes.refine(set);
    }
    table.add_state(kDead, {}, false);
    table.add_state(kAll, {}, true);
    std::vector<std::uint32_t> by_class;
    std::vector<Edge> row;
    for (std::uint32_t id = 0; id < nodes_.size(); ++id) {
      const auto node = nodes_[id];
      row.clear();
      std::uint32_t base = kDead;
      for (std::size_t i = 1; i < node.size(); i += 2) {
        const std::uint32_t byte_class = table.classes.of(static_cast<unsigned char>(node[i]));
        if (byte_class == 0)
          base = node[i + 1];
        else
          row.push_back({byte_class, node[i + 1]});
      }
      // A text with a NUL: everything else must lead to the dead state by edges of its own.
      if (base != kDead) row = filled(row, table.classes.count());
      std::ranges::sort(row, {}, &Edge::byte_class);
      table.add_state(base, row, node[0] != 0);
    }
    return Automaton::from_minimal_table(table, root);
  }

 private:
  static constexpr std::uint32_t kDead = 0;
  static constexpr std::uint32_t kAll = 1;
  static constexpr std::uint32_t kFirstNode = 2;

  struct Open {
    bool accepting = false;
    bool open = false;
    std::vector<std::uint32_t> edges;  // byte, target, byte, target...
  };

  static std::vector<Edge> filled(const std::vector<Edge>& row, std::uint32_t classes) {
    std::vector<Edge> full;
    for (std::uint32_t c = 1; c < classes; ++c) full.push_back({c, kDead});
    for (const Edge& edge : row) full[edge.byte_class - 1] = edge;
    return full;
  }

  void close_down_to(std::size_t depth) {
    while (text_.size() > depth) {
      const auto byte = static_cast<unsigned char>(text_.back());
      const std::uint32_t child = close(path_[text_.size()]);
      text_.pop_back();
      path_[text_.size()].edges.insert(path_[text_.size()].edges.end(), {byte, child});
      mentioned_.set(byte);
    }
  }

  std::uint32_t close(Open& node) {
    scratch_.assign(1, node.accepting ? 1 : 0);
    scratch_.insert(scratch_.end(), node.edges.begin(), node.edges.end());
    const bool open = node.open || leads_to_all_by_every_byte(node);
    node.accepting = node.open = false;
    node.edges.clear();
    if (open) return kAll;
    if (scratch_.size() == 1 && scratch_[0] == 0) return kDead;
    return nodes_.intern(scratch_) + kFirstNode;
  }

  static bool leads_to_all_by_every_byte(const Open& node) {
    if (!node.accepting || node.edges.size() != 512) return false;
    for (std::size_t i = 1; i < node.edges.size(); i += 2) {
      if (node.edges[i] != kAll) return false;
    }
    return true;
  }

  std::string text_;        // the text added last, cut as its nodes are closed
  std::vector<Open> path_;  // node of each prefix of text_
  const Key* last_open_ = nullptr;
  SequenceTable nodes_;
  std::vector<std::uint32_t> scratch_;
  std::bitset<256> mentioned_;
};

}  // namespace

Automaton Automaton::from_texts(std::span<const TextPattern> patterns) {
  const std::vector<Key> keys = sorted_keys(patterns);
  TrieBuilder builder;
  for (const Key& key : keys) builder.add(key);
  return builder.finish();
}

}  // namespace nd7::decide
