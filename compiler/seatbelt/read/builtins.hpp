// Functions of the profile language.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "compiler/seatbelt/read/context.hpp"

namespace nd7::seatbelt::read {

/// Takes its arguments evaluated; fails by Context::fail.
using Function = Value (*)(Context& context, Arguments arguments, Place place);

struct Builtin {
  std::string_view name;
  Function function;  ///< null for those that the machine itself carries out
  std::uint16_t least = 0;
  std::uint16_t most = 0;
};

inline constexpr std::uint16_t kAnyNumber = std::numeric_limits<std::uint16_t>::max();

/// Every builtin, in a fixed order. The first ones are the machine's own.
[[nodiscard]] std::span<const Builtin> builtins();

enum class MachineBuiltin : std::uint8_t { apply, map, for_each, defined };
inline constexpr std::size_t kMachineBuiltins = 4;

/// Index of a builtin by name; it must exist.
[[nodiscard]] std::uint32_t builtin_index(std::string_view name);

/// What a `with` form calls; no symbol of a text is spelled like that.
inline constexpr std::string_view kModifierBuiltin = "(with)";

/// The tables that builtins() puts together.
[[nodiscard]] std::span<const Builtin> text_builtins();
[[nodiscard]] std::span<const Builtin> number_builtins();
[[nodiscard]] std::span<const Builtin> list_builtins();
[[nodiscard]] std::span<const Builtin> profile_builtins();

/// ND6014: `what` is not what the function takes.
void fail_argument(Context& context, const Argument& argument, std::string_view function,
                   std::string_view wanted);

}  // namespace nd7::seatbelt::read
