// Conditions on addresses as sets of ports.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/decide/intervals.hpp"
#include "compiler/ir/policy.hpp"
#include "compiler/linux/plan.hpp"

namespace nd7::linux_plan {

/// Ports by protocol, of this machine and of every other one.
struct PortSets {
  struct Hosts {
    decide::IntervalSet localhost;
    decide::IntervalSet others;
  };
  std::array<Hosts, 2> protocols;  ///< by Protocol

  [[nodiscard]] PortSets unite(const PortSets& other) const;
  [[nodiscard]] PortSets intersect(const PortSets& other) const;
  [[nodiscard]] PortSets subtract(const PortSets& other) const;
};

/// What stands for more or less than it says.
struct PortUse {
  bool names = false;     ///< the name of a host is every host; else none
  bool families = false;  ///< one family of addresses is both; else none
};
inline constexpr PortUse kOpening{true, false};
inline constexpr PortUse kClosing{false, true};

/// `filter` is `remote` for connections, `local` for listening; the other one matches nothing.
[[nodiscard]] PortSets ports_of(const ir::Conditions& conditions, ir::CondId cond,
                                seatbelt::Filter filter, PortUse use);

/// Entries that hold the ports of `sets` and no others: a port of other machines only is left out,
/// since an entry for every host holds this one, too.
[[nodiscard]] std::vector<Port> entries_of(const PortSets& sets, const std::string& rule);

}  // namespace nd7::linux_plan
