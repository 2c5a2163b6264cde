#include "compiler/seatbelt/read/modifier.hpp"

#include <algorithm>
#include <array>

namespace nd7::seatbelt::read {
namespace {

struct Row {
  std::string_view name;
  ModifierInfo info;
};

using K = ModifierKind;
using A = ModifierArgument;
using U = ModifierUse;

constexpr std::array kRows{
    Row{"report", {K::report, A::none, U::allow, {}}},
    Row{"no-report", {K::no_report, A::none, U::deny, {}}},
    Row{"no-log", {K::no_report, A::none, U::deny, {}}},
    Row{"send-signal", {K::send_signal, A::symbol, U::any, {}}},
    Row{"termination", {K::send_signal, A::none, U::any, "SIGKILL"}},
    Row{"message", {K::message, A::text, U::any, {}}},
    Row{"telemetry", {K::telemetry, A::none, U::any, {}}},
    Row{"deprecated", {K::deprecated, A::none, U::any, {}}},
    Row{"no-sandbox", {K::no_sandbox, A::none, U::exec, {}}},
    Row{"no-profile", {K::no_sandbox, A::none, U::exec, {}}},
    Row{"default-sandbox", {K::default_sandbox, A::text, U::exec, {}}},
    Row{"grant", {K::grant, A::none, U::privilege, {}}},
    Row{"rootless", {K::rootless, A::none, U::deny, {}}},
    Row{"no-times", {K::no_times, A::none, U::metadata, {}}},
    Row{"user-approval", {K::user_approval, A::optional_any, U::any, {}}},
    Row{"no-approval-prompt", {K::no_approval_prompt, A::none, U::any, {}}},
    Row{"authority", {K::authority, A::optional_any, U::any, {}}},
    Row{"assign-storage-class", {K::assign_storage_class, A::optional_any, U::any, {}}},
    Row{"no-callout", {K::no_callout, A::none, U::any, {}}},
    Row{"partial-symbolication", {K::partial_symbolication, A::none, U::any, {}}},
};

bool is_error_number(std::string_view name) {
  return name.size() > 2 && name.front() == 'E' &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); });
}

}  // namespace

std::optional<ModifierInfo> find_modifier(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.name == name) return row.info;
  }
  if (is_error_number(name)) return ModifierInfo{K::error_number, A::none, U::deny, {}};
  return std::nullopt;
}

ModifierUse use_of(ModifierKind kind) {
  const auto* const row = std::find_if(kRows.begin(), kRows.end(),
                                       [&](const Row& entry) { return entry.info.kind == kind; });
  return row == kRows.end() ? U::deny : row->info.use;
}

}  // namespace nd7::seatbelt::read
