#include "compiler/ir/condition.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

namespace nd7::ir {
namespace {

constexpr std::array<std::string_view, 9> kProtos{"ip",   "ip4", "ip6",  "tcp", "tcp4",
                                                  "tcp6", "udp", "udp4", "udp6"};

void append_number(std::string& out, std::uint64_t value) {
  for (int shift = 0; shift < 64; shift += 8) {
    out.push_back(static_cast<char>((value >> static_cast<unsigned>(shift)) & 0xffU));
  }
}

}  // namespace

std::string_view to_string(Proto proto) { return kProtos[static_cast<std::size_t>(proto)]; }

std::string key(const Atom& atom) {
  std::string result;
  result.push_back(static_cast<char>(atom.filter));
  switch (info(atom.filter).value) {
    case seatbelt::FilterValue::none: break;
    case seatbelt::FilterValue::integer:
      append_number(result, static_cast<std::uint64_t>(atom.integer));
      break;
    case seatbelt::FilterValue::address:
      result.push_back(static_cast<char>(atom.address.proto));
      append_number(result, static_cast<std::uint64_t>(atom.address.port));
      result += atom.address.host;
      break;
    default: result += atom.text;
  }
  return result;
}

Conditions::Conditions() {
  nodes_.push_back({CondKind::never, {}, {}});
  nodes_.push_back({CondKind::always, {}, {}});
}

CondId Conditions::intern(CondNode node) {
  std::string index_key;
  index_key.push_back(static_cast<char>(node.kind));
  append_number(index_key, node.atom.value);
  for (const CondId kid : node.kids) append_number(index_key, kid.value);
  const auto [at, fresh] =
      node_index_.try_emplace(std::move(index_key), CondId{static_cast<std::uint32_t>(size())});
  if (fresh) nodes_.push_back(std::move(node));
  return at->second;
}

CondId Conditions::atom(Atom atom) {
  const auto [at, fresh] =
      atom_index_.try_emplace(key(atom), AtomId{static_cast<std::uint32_t>(atoms_.size())});
  if (fresh) atoms_.push_back(std::move(atom));
  return intern({CondKind::atom, at->second, {}});
}

CondId Conditions::combine(CondKind kind, std::vector<CondId> kids, CondId neutral,
                           CondId absorbing) {
  std::vector<CondId> flat;
  std::unordered_set<std::uint32_t> seen;
  const auto take = [&](CondId kid) {
    if (kid != neutral && seen.insert(kid.value).second) flat.push_back(kid);
  };
  for (const CondId kid : kids) {
    if (kid == absorbing) return absorbing;
    if (node(kid).kind == kind) {
      for (const CondId inner : node(kid).kids) take(inner);
    } else {
      take(kid);
    }
  }
  // `x and not x`, `x and not (x or y)`, and their duals.
  const CondKind dual = kind == CondKind::all ? CondKind::any : CondKind::all;
  for (const CondId kid : flat) {
    if (node(kid).kind != CondKind::negation) continue;
    const CondId inner = node(kid).kids.front();
    if (seen.count(inner.value) != 0) return absorbing;
    if (node(inner).kind != dual) continue;
    for (const CondId part : node(inner).kids) {
      if (seen.count(part.value) != 0) return absorbing;
    }
  }
  if (flat.empty()) return neutral;
  if (flat.size() == 1) return flat.front();
  return intern({kind, {}, std::move(flat)});
}

CondId Conditions::all(std::vector<CondId> kids) {
  return combine(CondKind::all, std::move(kids), kAlways, kNever);
}

CondId Conditions::any(std::vector<CondId> kids) {
  return combine(CondKind::any, std::move(kids), kNever, kAlways);
}

CondId Conditions::negate(CondId cond) {
  if (cond == kNever) return kAlways;
  if (cond == kAlways) return kNever;
  if (node(cond).kind == CondKind::negation) return node(cond).kids.front();
  return intern({CondKind::negation, {}, {cond}});
}

std::vector<AtomId> Conditions::atoms_of(CondId cond) const { return collect(cond, false); }

std::vector<AtomId> Conditions::positive_atoms_of(CondId cond) const { return collect(cond, true); }

std::vector<AtomId> Conditions::collect(CondId cond, bool positive_only) const {
  struct Item {
    CondId id;
    bool positive;
  };
  if (node(cond).kind == CondKind::atom) return {node(cond).atom};
  std::vector<AtomId> result;
  std::unordered_set<std::uint64_t> visited;
  std::unordered_set<std::uint32_t> taken;
  std::vector<Item> stack{{cond, true}};
  while (!stack.empty()) {
    const Item item = stack.back();
    stack.pop_back();
    if (!visited.insert(std::uint64_t{item.id.value} * 2 + (item.positive ? 1U : 0U)).second)
      continue;
    const CondNode& at = node(item.id);
    if (at.kind == CondKind::atom && (item.positive || !positive_only) &&
        taken.insert(at.atom.value).second) {
      result.push_back(at.atom);
    }
    const bool flip = at.kind == CondKind::negation;
    for (std::size_t i = at.kids.size(); i-- > 0;) {
      stack.push_back({at.kids[i], flip ? !item.positive : item.positive});
    }
  }
  return result;
}

}  // namespace nd7::ir
