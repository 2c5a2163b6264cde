#include "compiler/linux/ports.hpp"

namespace nd7::linux_plan {
namespace {

using decide::IntervalSet;
using ir::CondId;
using ir::CondKind;
using ir::Proto;

template <class Function>
PortSets combine(const PortSets& first, const PortSets& second, Function&& function) {
  PortSets result;
  for (std::size_t i = 0; i < result.protocols.size(); ++i) {
    const auto& a = first.protocols[i];
    const auto& b = second.protocols[i];
    result.protocols[i] = {function(a.localhost, b.localhost), function(a.others, b.others)};
  }
  return result;
}

PortSets everything() {
  PortSets result;
  for (auto& hosts : result.protocols) hosts = {IntervalSet::all(), IntervalSet::all()};
  return result;
}

PortSets of_address(const ir::Address& address, PortUse use) {
  const bool named = address.host != "*" && address.host != "localhost";
  if (named && !use.names) return {};
  const int proto = static_cast<int>(address.proto);  // ip ip4 ip6 tcp tcp4 tcp6 udp udp4 udp6
  if (proto % 3 != 0 && !use.families) return {};
  const IntervalSet ports = address.port < 0
                                ? IntervalSet::all()
                                : IntervalSet::single(static_cast<std::uint32_t>(address.port));
  const PortSets::Hosts hosts{ports, address.host == "localhost" ? IntervalSet{} : ports};
  PortSets result;
  if (proto / 3 != 2) result.protocols[static_cast<std::size_t>(Protocol::tcp)] = hosts;
  if (proto / 3 != 1) result.protocols[static_cast<std::size_t>(Protocol::udp)] = hosts;
  return result;
}

}  // namespace

PortSets PortSets::unite(const PortSets& other) const {
  return combine(*this, other,
                 [](const IntervalSet& a, const IntervalSet& b) { return a.unite(b); });
}

PortSets PortSets::intersect(const PortSets& other) const {
  return combine(*this, other,
                 [](const IntervalSet& a, const IntervalSet& b) { return a.intersect(b); });
}

PortSets PortSets::subtract(const PortSets& other) const {
  return combine(*this, other,
                 [](const IntervalSet& a, const IntervalSet& b) { return a.subtract(b); });
}

PortSets ports_of(const ir::Conditions& conditions, CondId cond, seatbelt::Filter filter,
                  PortUse use) {
  const ir::CondNode& node = conditions.node(cond);
  PortSets result;
  switch (node.kind) {
    case CondKind::never: break;
    case CondKind::always: return everything();
    case CondKind::atom: {
      const ir::Atom& atom = conditions.get(node.atom);
      if (atom.filter == filter) return of_address(atom.address, use);
      break;
    }
    case CondKind::any:
      for (const CondId kid : node.kids) {
        result = result.unite(ports_of(conditions, kid, filter, use));
      }
      break;
    case CondKind::all:
      result = everything();
      for (const CondId kid : node.kids) {
        result = result.intersect(ports_of(conditions, kid, filter, use));
      }
      break;
    case CondKind::negation: {
      const PortUse other{use.names, !use.families};
      return everything().subtract(ports_of(conditions, node.kids.front(), filter, other));
    }
  }
  return result;
}

std::vector<Port> entries_of(const PortSets& sets, const std::string& rule) {
  std::vector<Port> result;
  for (const Protocol protocol : {Protocol::tcp, Protocol::udp}) {
    const auto& hosts = sets.protocols[static_cast<std::size_t>(protocol)];
    const IntervalSet any = hosts.others.intersect(hosts.localhost);
    const auto add = [&](const IntervalSet& ports, bool localhost) {
      for (const IntervalSet::Interval& one : ports.intervals()) {
        result.push_back({protocol, localhost, static_cast<std::uint16_t>(one.first),
                          static_cast<std::uint16_t>(one.last), rule});
      }
    };
    add(any, false);
    add(hosts.localhost.subtract(any), true);
  }
  return result;
}

}  // namespace nd7::linux_plan
