#include "compiler/answer/ports.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace nd7::answer {
namespace {

using namespace seatbelt::read;

/// By port, all that rules ask about it. A filter asks about a port by comparing only, so a union
/// of filters that asks the same about two ports cannot tell them apart.
class Signatures {
 public:
  explicit Signatures(seatbelt::Op op) : op_(op) {}

  void take(Side& side) {
    for (const Step& step : side.steps(op_)) {
      if (step.kind != Step::Kind::rule || !step.filtered) continue;
      ++rules_;
      const FilterId filter = *side.base().rules[step.rule].filter;
      const bool flat = is_union(side.base(), filter);
      for (const AtomId id : side.base().atoms_of(filter)) take(side.base().atoms[id], flat);
    }
  }

  [[nodiscard]] std::vector<std::uint16_t> representatives() const {
    std::set<std::uint16_t> result{443, 9};
    std::set<std::set<std::uint64_t>> known;
    for (const auto& [port, questions] : asked_) {
      if (known.insert(questions).second) result.insert(port);
    }
    std::uint16_t fresh = 1024;
    while (asked_.count(fresh) != 0) {
      if (++fresh == 1023) break;  // all are named
    }
    result.insert(fresh);
    return {result.begin(), result.end()};
  }

 private:
  void take(const Atom& atom, bool flat) {
    if (!accepts(op_, atom.filter) || atom.kind != Atom::Kind::address || !atom.address.port) {
      return;
    }
    const std::uint16_t port = *atom.address.port;
    // Elsewhere than in a union, every port is a question of its own.
    std::uint64_t question = flat ? 0 : std::uint64_t{port} + 1;
    for (const auto part : {static_cast<std::uint64_t>(atom.filter),
                            static_cast<std::uint64_t>(atom.address.protocol),
                            static_cast<std::uint64_t>(atom.address.family),
                            static_cast<std::uint64_t>(atom.address.host)}) {
      question = question * 256 + part;
    }
    const auto [shape, fresh] = shapes_.try_emplace({rules_, question}, shapes_.size());
    asked_[port].insert(shape->second);
  }

  /// Nothing but atoms, one of which has to match.
  static bool is_union(const RuleBase& base, FilterId filter) {
    std::vector<FilterId> open{filter};
    while (!open.empty()) {
      const FilterId id = open.back();
      open.pop_back();
      const FilterNode& node = base.filters[id];
      if (node.kind == FilterNode::Kind::atom) continue;
      if (node.kind != FilterNode::Kind::any) return false;
      const auto kids = base.kids_of(id);
      open.insert(open.end(), kids.begin(), kids.end());
    }
    return true;
  }

  seatbelt::Op op_;
  std::uint64_t rules_ = 0;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> shapes_;
  std::map<std::uint16_t, std::set<std::uint64_t>> asked_;
};

}  // namespace

std::vector<std::uint16_t> distinct_ports(Side& first, Side& second, seatbelt::Op op) {
  Signatures signatures{op};
  signatures.take(first);
  signatures.take(second);
  return signatures.representatives();
}

}  // namespace nd7::answer
