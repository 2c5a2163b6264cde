// From the terms of the law to a Seatbelt profile: order, splitting, losses.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/ir/policy.hpp"
#include "compiler/laws/terms.hpp"
#include "compiler/seatbelt/lower/profile.hpp"
#include "compiler/source/source_map.hpp"

namespace nd7::seatbelt {

enum class Style : std::uint8_t {
  compact,   ///< an operation that is allowed without condition is not allowed a second time
  complete,  ///< every rule in full, for who asks which rules match
};

/// Bound parameters become text; the others stay. Adds ND5001 and ND5002 for losses that no
/// `[accept]` names, ND5003 for accepted ones, ND2046 for accepted losses that do not occur.
[[nodiscard]] SeatbeltProfile lower(ir::Policy& policy, const std::vector<laws::Term>& terms,
                                    laws::Profile kind, const SourceMap& sources,
                                    Diagnostics& diagnostics, Style style = Style::compact);

}  // namespace nd7::seatbelt
