// Requests at the edges of a policy: what its rules name, and what lies just beside.
#pragma once

#include <cstddef>
#include <vector>

#include "compiler/seatbelt/read/request.hpp"
#include "tests/support/policy_model.hpp"

namespace nd7::test {

/// Every operation of the families that the policy's rules touch, on subjects around its values:
/// each path, its parent, a child, a sibling, look-alikes, other case; the places and the seal;
/// each port and its neighbours, every kind of host; each name and its neighbours; facts that the
/// rules test. At most `limit` of them, spread evenly. The places have the values of
/// policy_model.hpp.
[[nodiscard]] std::vector<seatbelt::read::Request> boundary_requests(const PolicyModel& policy,
                                                                     std::size_t limit);

/// For messages: "file-read-data path /Users/dev/.ssh".
[[nodiscard]] std::string describe(const seatbelt::read::Request& request);

}  // namespace nd7::test
