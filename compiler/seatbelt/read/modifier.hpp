// Modifiers of rules: `(with report)`, `(with no-sandbox)`, …
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/source/source_map.hpp"

namespace nd7::seatbelt::read {

enum class ModifierKind : std::uint8_t {
  report,
  no_report,
  send_signal,
  message,
  telemetry,
  deprecated,
  no_sandbox,
  default_sandbox,
  grant,
  rootless,
  no_times,
  user_approval,
  no_approval_prompt,
  authority,
  assign_storage_class,
  error_number,  ///< an errno such as EBADEXEC, in `argument`
  no_callout,
  partial_symbolication,
};

struct Modifier {
  ModifierKind kind = ModifierKind::report;
  std::string argument;  ///< signal, message, name or errno; empty if there is none
  Span span;
};

enum class ModifierArgument : std::uint8_t { none, text, symbol, optional_any };
/// The rules that a modifier goes with.
enum class ModifierUse : std::uint8_t { any, allow, deny, exec, privilege, metadata };

struct ModifierInfo {
  ModifierKind kind;
  ModifierArgument argument;
  ModifierUse use;
  std::string_view fixed;  ///< the argument that an alias brings (`termination`)
};

/// Exact name or alias; errno names are recognised by their shape.
[[nodiscard]] std::optional<ModifierInfo> find_modifier(std::string_view name);
[[nodiscard]] ModifierUse use_of(ModifierKind kind);

}  // namespace nd7::seatbelt::read
