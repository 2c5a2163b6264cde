// The plan's ports against the terms of the law, by trying every address that the two can tell
// apart.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/policy.hpp"
#include "compiler/laws/terms.hpp"
#include "compiler/linux/plan.hpp"

namespace nd7::linux_plan {

/// An address on which the two differ.
struct AddressDifference {
  std::size_t term = 0;  ///< the term that the difference is about
  std::string_view loss;
  bool widening = false;
  std::string request;  ///< "connect github.com:22"
};

/// `report` gets differences that are losses. Returns a difference that is none, a bug: what is
/// asked and both answers; empty if there is none.
[[nodiscard]] std::string compare_addresses(
    const ir::Policy& policy, const std::vector<laws::Term>& terms, const Plan& plan,
    const std::function<void(const AddressDifference&)>& report);

}  // namespace nd7::linux_plan
