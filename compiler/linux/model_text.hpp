// The same statement as model.hpp, as a rule base that the engine can search: a profile of allows
// only, with what is private and what Linux always allows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/answer/search.hpp"
#include "compiler/linux/plan.hpp"
#include "compiler/seatbelt/tables/operation.hpp"

namespace nd7::linux_plan {

/// What Linux lets every process do to itself and to others of its session; no plan changes it.
[[nodiscard]] const std::vector<seatbelt::Op>& always_allowed();

/// `plan` as a Seatbelt profile. Its parameters have to be bound. Private paths are denied: what a
/// request about the host's files is answered.
[[nodiscard]] std::string model_text(const Plan& plan);

/// nullopt, with the reason in `bug`, if the reader refuses the text.
[[nodiscard]] std::optional<answer::Side> side_of_text(const std::string& text, std::string& bug);
[[nodiscard]] std::optional<answer::Side> model_side(const Plan& plan, std::string& bug);

}  // namespace nd7::linux_plan
