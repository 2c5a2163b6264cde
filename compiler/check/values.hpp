// Values of the verbs that do not take plain paths, as conditions on a subject.
#pragma once

#include <optional>

#include "compiler/check/names.hpp"
#include "compiler/check/paths.hpp"
#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/ir/policy.hpp"
#include "compiler/seatbelt/tables/verb.hpp"

namespace nd7 {

inline constexpr int kMaxPortsInVerb = 1024;  ///< `host:3000-3999`
inline constexpr int kMaxPortsInRange = 64;   ///< `port in 3000..3010` in an expression

/// What a value of a verb matches; `directory` and `name` as in PathAtom.
struct VerbCondition {
  ir::CondId cond;
  bool directory = false;
  std::string name;
};

/// nullopt after an error. `subject` is that of the verb's operations.
[[nodiscard]] std::optional<VerbCondition> parse_verb_value(seatbelt::Verb verb,
                                                            const Expanded& value,
                                                            ir::Policy& policy,
                                                            Diagnostics& diagnostics);

/// True if the host is one that Seatbelt can name.
[[nodiscard]] bool is_seatbelt_host(std::string_view host);

/// A decimal port 0..65535 without sign or leading zeros.
[[nodiscard]] std::optional<int> parse_port(std::string_view text);

}  // namespace nd7
