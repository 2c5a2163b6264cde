#include "compiler/decide/bdd.hpp"

#include <algorithm>
#include <functional>

namespace nd7::decide {

Bdd::Bdd(const Budget& budget) : meter_(budget), unique_(1024, 0), cache_(1024) {
  nodes_.push_back({kNoVariable, kFalse, kFalse});
  nodes_.push_back({kNoVariable, kTrue, kTrue});
}

std::size_t Bdd::hash(const Triple& triple) {
  std::uint64_t value = triple.f * 0x9E3779B97F4A7C15U;
  value = (value ^ (value >> 29U) ^ triple.g) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 32U) ^ triple.h) * 0x94D049BB133111EBU;
  return static_cast<std::size_t>(value ^ (value >> 31U));
}

std::uint32_t Bdd::make(std::uint32_t variable, std::uint32_t low, std::uint32_t high) {
  if (low == high) return low;
  const std::size_t mask = unique_.size() - 1;
  std::size_t slot = hash({variable, low, high}) & mask;
  for (; unique_[slot] != 0; slot = (slot + 1) & mask) {
    const Node& node = nodes_[unique_[slot]];
    if (node.variable == variable && node.low == low && node.high == high) return unique_[slot];
  }
  if (!meter_.take_states()) return kUndecided;
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({variable, low, high});
  unique_[slot] = index;
  if (2 * nodes_.size() >= unique_.size()) grow();
  return index;
}

void Bdd::grow() {
  unique_.assign(unique_.size() * 2, 0);
  const std::size_t mask = unique_.size() - 1;
  for (std::uint32_t index = kTrue + 1; index < nodes_.size(); ++index) {
    const Node& node = nodes_[index];
    std::size_t slot = hash({node.variable, node.low, node.high}) & mask;
    while (unique_[slot] != 0) slot = (slot + 1) & mask;
    unique_[slot] = index;
  }
  const std::vector<CacheEntry> old = std::move(cache_);
  cache_.assign(unique_.size(), {});
  for (const CacheEntry& entry : old) {
    if (entry.result != kUndecided) cache_[hash(entry.key) & (cache_.size() - 1)] = entry;
  }
}

std::optional<std::uint32_t> Bdd::simplify(Triple& triple) {
  auto& [f, g, h] = triple;
  if (f == kTrue) return g;
  if (f == kFalse) return h;
  if (f == g) g = kTrue;
  if (f == h) h = kFalse;
  if (g == h) return g;
  if (g == kTrue && h == kFalse) return f;
  // Conjunction and disjunction commute.
  if (h == kFalse && g < f) std::swap(f, g);
  if (g == kTrue && h < f) std::swap(f, h);
  return std::nullopt;
}

Bdd::Triple Bdd::cofactor(const Triple& triple, std::uint32_t variable, bool high) const {
  const auto follow = [&](std::uint32_t index) {
    const Node& node = nodes_[index];
    if (node.variable != variable) return index;
    return high ? node.high : node.low;
  };
  return {follow(triple.f), follow(triple.g), follow(triple.h)};
}

std::uint32_t Bdd::apply(Triple triple) {
  for (const std::uint32_t index : {triple.f, triple.g, triple.h}) {
    if (index == kUndecided) return kUndecided;
  }
  std::uint32_t result = kUndecided;
  stack_.clear();
  stack_.push_back({triple});
  while (!stack_.empty()) {
    Frame& frame = stack_.back();
    if (frame.stage == 0) {
      if (const auto known = simplify(frame.operands)) {
        result = *known;
        stack_.pop_back();
        continue;
      }
      const CacheEntry& entry = cache_[hash(frame.operands) & (cache_.size() - 1)];
      if (entry.result != kUndecided && entry.key == frame.operands) {
        result = entry.result;
        stack_.pop_back();
        continue;
      }
      if (!meter_.take_steps()) return kUndecided;
      const auto [f, g, h] = frame.operands;
      frame.variable = std::min({nodes_[f].variable, nodes_[g].variable, nodes_[h].variable});
      frame.stage = 1;
      const Triple low = cofactor(frame.operands, frame.variable, false);
      stack_.push_back({low});
    } else if (frame.stage == 1) {
      frame.low = result;
      frame.stage = 2;
      const Triple high = cofactor(frame.operands, frame.variable, true);
      stack_.push_back({high});
    } else {
      result = make(frame.variable, frame.low, result);
      if (result == kUndecided) return kUndecided;
      cache_[hash(frame.operands) & (cache_.size() - 1)] = {frame.operands, result};
      stack_.pop_back();
    }
  }
  return result;
}

Bdd::Function Bdd::variable(std::uint32_t id) {
  if (id == kNoVariable) return Function(kUndecided);
  return Function(make(id, kFalse, kTrue));
}

Bdd::Function Bdd::if_then_else(Function f, Function g, Function h) {
  return Function(apply({f.index_, g.index_, h.index_}));
}
Bdd::Function Bdd::negate(Function f) { return if_then_else(f, constant(false), constant(true)); }
Bdd::Function Bdd::conjunction(Function f, Function g) {
  return if_then_else(f, g, constant(false));
}
Bdd::Function Bdd::disjunction(Function f, Function g) {
  return if_then_else(f, constant(true), g);
}

std::size_t Bdd::ListHash::operator()(const std::vector<std::uint32_t>& list) const {
  std::uint64_t value = list.size();
  for (const std::uint32_t part : list) {
    value = (value ^ part) * 0x9E3779B97F4A7C15U;
    value ^= value >> 32U;
  }
  return static_cast<std::size_t>(value);
}

template <typename Combine>
Bdd::Function Bdd::fold(std::span<const Function> parts, bool neutral, Combine combine) {
  constexpr std::size_t kLong = 64;
  if (parts.size() < kLong) return fold_once(parts, neutral, combine);
  std::vector<std::uint32_t> list;
  list.reserve(parts.size() + 1);
  list.push_back(neutral ? kTrue : kFalse);
  for (const Function part : parts) list.push_back(part.index_);
  if (const auto at = lists_.find(list); at != lists_.end()) return Function(at->second);
  const Function result = fold_once(parts, neutral, combine);
  if (!result.undecided()) lists_.emplace(std::move(list), result.index_);
  return result;
}

template <typename Combine>
Bdd::Function Bdd::fold_once(std::span<const Function> parts, bool neutral, Combine combine) {
  // Atoms alone need no combining: in order they are the diagram.
  std::vector<std::uint32_t> atoms;
  std::vector<Function> layer;
  for (const Function part : parts) {
    const bool atom =
        !part.undecided() && nodes_[part.index_].low == kFalse && nodes_[part.index_].high == kTrue;
    if (atom) {
      atoms.push_back(nodes_[part.index_].variable);
    } else {
      layer.push_back(part);
    }
  }
  std::ranges::sort(atoms, std::greater<>{});
  atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
  std::uint32_t chain = neutral ? kTrue : kFalse;
  for (const std::uint32_t atom : atoms) {
    chain = neutral ? make(atom, kFalse, chain) : make(atom, chain, kTrue);
    if (chain == kUndecided) return Function(kUndecided);
  }
  if (layer.empty()) return Function(chain);
  if (!atoms.empty()) layer.push_back(Function(chain));
  // Neighbours in variable order share most, so lists in any order become equally cheap.
  std::ranges::stable_sort(layer, {}, [&](Function f) {
    return f.undecided() ? kNoVariable : nodes_[f.index_].variable;
  });
  while (layer.size() > 1) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < layer.size(); i += 2) {
      layer[kept++] = i + 1 < layer.size() ? combine(layer[i], layer[i + 1]) : layer[i];
    }
    layer.erase(layer.begin() + static_cast<std::ptrdiff_t>(kept), layer.end());
  }
  return layer.front();
}

Bdd::Function Bdd::all_of(std::span<const Function> parts) {
  return fold(parts, true, [&](Function f, Function g) { return conjunction(f, g); });
}

Bdd::Function Bdd::any_of(std::span<const Function> parts) {
  return fold(parts, false, [&](Function f, Function g) { return disjunction(f, g); });
}

Bdd::Function Bdd::first_match(std::span<const Case> cases, Function otherwise) {
  if (cases.empty()) return otherwise;
  // Each entry stands for a run of cases: whether any applies, and what it says.
  std::vector<Case> layer(cases.begin(), cases.end());
  while (layer.size() > 1) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < layer.size(); i += 2) {
      if (i + 1 == layer.size()) {
        layer[kept++] = layer[i];
        break;
      }
      const Case& first = layer[i];
      const Case& second = layer[i + 1];
      const Case both{disjunction(first.when, second.when),
                      if_then_else(first.when, first.then, second.then)};
      layer[kept++] = both;
    }
    layer.erase(layer.begin() + static_cast<std::ptrdiff_t>(kept), layer.end());
  }
  return if_then_else(layer.front().when, layer.front().then, otherwise);
}

Answer Bdd::equal(Function f, Function g) const {
  if (f.undecided() || g.undecided()) return Answer::undecided;
  return f.index_ == g.index_ ? Answer::yes : Answer::no;
}

Answer Bdd::satisfiable(Function f) const {
  if (f.undecided()) return Answer::undecided;
  return f.index_ == kFalse ? Answer::no : Answer::yes;
}

std::optional<std::vector<std::pair<std::uint32_t, bool>>> Bdd::sat_one(Function f) const {
  if (f.undecided() || f.index_ == kFalse) return std::nullopt;
  std::vector<std::pair<std::uint32_t, bool>> assignment;
  for (std::uint32_t index = f.index_; index != kTrue;) {
    const Node& node = nodes_[index];
    const bool value = node.low == kFalse;
    assignment.emplace_back(node.variable, value);
    index = value ? node.high : node.low;
  }
  return assignment;
}

Answer Bdd::evaluate(Function f, const std::vector<bool>& atoms) const {
  if (f.undecided()) return Answer::undecided;
  std::uint32_t index = f.index_;
  while (index > kTrue) {
    const Node& node = nodes_[index];
    index = node.variable < atoms.size() && atoms[node.variable] ? node.high : node.low;
  }
  return index == kTrue ? Answer::yes : Answer::no;
}

std::size_t Bdd::nodes_of(Function f) const {
  if (f.undecided()) return 0;
  std::vector<bool> seen(nodes_.size(), false);
  std::vector<std::uint32_t> open{f.index_};
  seen[f.index_] = true;
  std::size_t count = 0;
  while (!open.empty()) {
    const Node& node = nodes_[open.back()];
    open.pop_back();
    ++count;
    for (const std::uint32_t child : {node.low, node.high}) {
      if (!seen[child]) open.push_back(child);
      seen[child] = true;
    }
  }
  return count;
}

std::size_t Bdd::memory() const {
  std::size_t lists = 0;
  for (const auto& [list, result] : lists_) lists += list.capacity() * sizeof(std::uint32_t);
  return nodes_.capacity() * sizeof(Node) + unique_.capacity() * sizeof(std::uint32_t) +
         cache_.capacity() * sizeof(CacheEntry) + stack_.capacity() * sizeof(Frame) + lists;
}

}  // namespace nd7::decide
