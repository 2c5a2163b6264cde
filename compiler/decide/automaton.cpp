#include "compiler/decide/automaton.hpp"

#include <array>
#include <utility>

namespace nd7::decide {
namespace {

Automaton one_text(TextPattern::Kind kind, std::string_view text) {
  const std::array<TextPattern, 1> patterns{TextPattern{kind, std::string(text)}};
  return Automaton::from_texts(patterns);
}

Automaton one_state(bool accepting) {
  TransitionTable table;
  table.add_state(0, {}, accepting);
  return Automaton::from_table(table, 0);
}

}  // namespace

Automaton::Automaton(TransitionTable canonical_table)
    : table_(std::make_shared<const TransitionTable>(std::move(canonical_table))) {}

Automaton Automaton::from_table(const TransitionTable& table, std::uint32_t start) {
  return Automaton(canonical(table, start));
}

Automaton Automaton::from_minimal_table(const TransitionTable& table, std::uint32_t start) {
  return Automaton(canonical(table, start, true));
}

Automaton Automaton::none() { return one_state(false); }
Automaton Automaton::any() { return one_state(true); }

Automaton Automaton::literal(std::string_view text) {
  return one_text(TextPattern::Kind::literal, text);
}
Automaton Automaton::prefix(std::string_view text) {
  return one_text(TextPattern::Kind::prefix, text);
}
Automaton Automaton::subpath(std::string_view text) {
  return one_text(TextPattern::Kind::subpath, text);
}
Automaton Automaton::ancestors(std::string_view text) {
  return one_text(TextPattern::Kind::ancestors, text);
}

Automaton Automaton::well_formed_paths() {
  TransitionTable table;
  for (const char byte : {'/', '.'}) {
    std::bitset<256> set;
    set.set(static_cast<unsigned char>(byte));
    table.classes.refine(set);
  }
  table.classes.refine(std::bitset<256>{1});
  const std::uint32_t dot = table.classes.of('.');
  const std::uint32_t slash = table.classes.of('/');
  const std::uint32_t other = table.classes.of('a');
  enum State : std::uint32_t { kDead, kStart, kRoot, kSlash, kDot, kDotDot, kName };
  // The base of every state is the target on NUL.
  const auto add = [&](bool accepting, State on_dot, State on_slash, State on_other) {
    std::array<Edge, 3> row{Edge{dot, on_dot}, Edge{slash, on_slash}, Edge{other, on_other}};
    if (row[0].byte_class > row[1].byte_class) std::swap(row[0], row[1]);
    if (row[1].byte_class > row[2].byte_class) std::swap(row[1], row[2]);
    if (row[0].byte_class > row[1].byte_class) std::swap(row[0], row[1]);
    table.add_state(kDead, row, accepting);
  };
  add(false, kDead, kDead, kDead);    // kDead
  add(false, kDead, kRoot, kDead);    // kStart
  add(true, kDot, kDead, kName);      // kRoot: `/`
  add(false, kDot, kDead, kName);     // kSlash: after a name's `/`
  add(false, kDotDot, kDead, kName);  // kDot: the component so far is `.`
  add(false, kName, kDead, kName);    // kDotDot
  add(true, kName, kSlash, kName);    // kName
  return from_table(table, kStart);
}

bool Automaton::accepts(std::string_view word) const {
  std::uint32_t state = 0;
  for (const char c : word) {
    state = table_->next(state, table_->classes.of(static_cast<unsigned char>(c)));
  }
  return table_->accepting[state] != 0;
}

Automaton Automaton::complement() const {
  TransitionTable table = *table_;
  for (std::uint8_t& accepting : table.accepting) accepting ^= 1U;
  return Automaton(std::move(table));  // still minimal, and numbered the same
}

std::size_t Automaton::memory() const {
  return sizeof(TransitionTable) + table_->base.capacity() * sizeof(std::uint32_t) +
         table_->first_edge.capacity() * sizeof(std::size_t) +
         table_->edges.capacity() * sizeof(Edge) + table_->accepting.capacity();
}

}  // namespace nd7::decide
