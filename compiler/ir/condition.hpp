// Conditions: Boolean combinations of filter atoms, shared and simplified.
//
// Meaning is plain Boolean algebra over the atoms. Where an operation's subject has variants, the
// checker has already put the guard of every negation beside it (docs/language.md, "Negation").
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compiler/ir/text.hpp"
#include "compiler/seatbelt/tables/filter.hpp"

namespace nd7::ir {

enum class Proto : std::uint8_t { ip, ip4, ip6, tcp, tcp4, tcp6, udp, udp4, udp6 };
[[nodiscard]] std::string_view to_string(Proto proto);

/// A peer or an own address. `host` is `*`, `localhost`, or a name that only some targets can keep.
struct Address {
  Proto proto = Proto::tcp;
  std::string host = "*";
  std::int32_t port = -1;  ///< 0..65535, or -1 for any
  friend bool operator==(const Address&, const Address&) = default;
};

/// One test of a request. Which member counts follows from the filter's value kind.
struct Atom {
  seatbelt::Filter filter = seatbelt::Filter::subpath;
  Text text;                 ///< path, name, regex, symbol
  std::int64_t integer = 0;  ///< integer
  Address address;           ///< remote, local
  friend bool operator==(const Atom&, const Atom&) = default;
};

struct AtomId {
  std::uint32_t value = 0;
  friend bool operator==(AtomId, AtomId) = default;
  friend auto operator<=>(AtomId, AtomId) = default;
};

struct CondId {
  std::uint32_t value = 0;
  friend bool operator==(CondId, CondId) = default;
  friend auto operator<=>(CondId, CondId) = default;
};
inline constexpr CondId kNever{0};   ///< matches no request
inline constexpr CondId kAlways{1};  ///< matches every request

enum class CondKind : std::uint8_t { never, always, atom, all, any, negation };

struct CondNode {
  CondKind kind = CondKind::never;
  AtomId atom;               ///< atom
  std::vector<CondId> kids;  ///< all, any: two or more, in order of first mention; negation: one
};

/// Owns atoms and conditions. Equal ones have equal ids.
class Conditions {
 public:
  Conditions();

  [[nodiscard]] CondId atom(Atom atom);
  [[nodiscard]] CondId all(std::vector<CondId> kids);
  [[nodiscard]] CondId any(std::vector<CondId> kids);
  [[nodiscard]] CondId negate(CondId cond);

  [[nodiscard]] const CondNode& node(CondId id) const { return nodes_[id.value]; }
  [[nodiscard]] const Atom& get(AtomId id) const { return atoms_[id.value]; }
  [[nodiscard]] std::size_t atom_count() const { return atoms_.size(); }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

  /// Every atom below `cond`, each once, in order of first mention.
  [[nodiscard]] std::vector<AtomId> atoms_of(CondId cond) const;
  /// Those of them that stand under an even number of negations somewhere.
  [[nodiscard]] std::vector<AtomId> positive_atoms_of(CondId cond) const;

 private:
  [[nodiscard]] std::vector<AtomId> collect(CondId cond, bool positive_only) const;
  [[nodiscard]] CondId intern(CondNode node);
  [[nodiscard]] CondId combine(CondKind kind, std::vector<CondId> kids, CondId neutral,
                               CondId absorbing);

  std::vector<Atom> atoms_;
  std::vector<CondNode> nodes_;
  std::unordered_map<std::string, AtomId> atom_index_;
  std::unordered_map<std::string, CondId> node_index_;
};

/// A key that is equal for equal atoms only.
[[nodiscard]] std::string key(const Atom& atom);

}  // namespace nd7::ir
