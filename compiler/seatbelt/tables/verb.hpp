// The verbs of rules: what each one opens in an allow, closes in a deny, and lifts in a relax.
// The one normative table; docs/language.md prints it and a test compares the two.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "compiler/seatbelt/tables/operation.hpp"

namespace nd7::seatbelt {

enum class Verb : std::uint8_t { read, write, exec, connect, bind, mach, signal, sysctl };
inline constexpr std::array kVerbs{Verb::read, Verb::write, Verb::exec,   Verb::connect,
                                   Verb::bind, Verb::mach,  Verb::signal, Verb::sysctl};

/// How the values of a verb are written.
enum class VerbValue : std::uint8_t {
  path,     ///< a path or a path pattern
  address,  ///< HOST:PORT, udp/HOST:PORT, unix:PATH
  service,  ///< a Mach service name; a trailing `*` is any ending; `local:` and `xpc:` in front
  target,   ///< self, children, …, any
  name,     ///< a name; a trailing `*` is any ending
};

struct VerbInfo {
  std::string_view name;
  VerbValue value;
  std::span<const Op> means;   ///< never, expect: what the word says and no more
  std::span<const Op> opens;   ///< allow
  std::span<const Op> closes;  ///< deny, before the expansion that law 7 makes of every deny
  std::span<const Op> lifts;   ///< relax; classes mean everything below them
};

[[nodiscard]] const VerbInfo& info(Verb verb);
[[nodiscard]] inline std::string_view name(Verb verb) { return info(verb).name; }
[[nodiscard]] std::optional<Verb> find_verb(std::string_view name);

}  // namespace nd7::seatbelt
