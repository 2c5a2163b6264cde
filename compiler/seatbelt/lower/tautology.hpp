// A filter that matches every request of a subject, where Seatbelt has one.
#pragma once

#include <optional>

#include "compiler/ir/condition.hpp"

namespace nd7::seatbelt {

[[nodiscard]] std::optional<ir::CondId> tautology_of(Subject subject, ir::Conditions& conditions);

}  // namespace nd7::seatbelt
