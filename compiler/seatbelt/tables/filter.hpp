// Seatbelt's filters: names, argument kinds, and which operations take which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "compiler/seatbelt/tables/operation.hpp"

namespace nd7::seatbelt {

/// Every filter of filters.def, in its order.
enum class Filter : std::uint8_t {
#define ND7_FILTER(id, name, value, variant, accepts) id,
#include "compiler/seatbelt/tables/filters.def"
};
inline constexpr std::size_t kFilterCount =
#define ND7_FILTER(id, name, value, variant, accepts) 1 +
#include "compiler/seatbelt/tables/filters.def"
    0;

enum class FilterValue : std::uint8_t {
  none,     ///< no argument
  path,     ///< an absolute path
  name,     ///< any string
  regex,    ///< Seatbelt's regular expressions
  integer,  ///< a number; `syscall-number` and friends also take symbols
  symbol,   ///< one of a fixed set, or a symbol that only libsandbox knows
  address,  ///< protocol and "HOST:PORT"
};

struct FilterInfo {
  std::string_view name;
  FilterValue value;
  bool about_subject;  ///< false: about the process or the system, valid whatever the subject is
};

[[nodiscard]] const FilterInfo& info(Filter filter);
[[nodiscard]] inline std::string_view name(Filter filter) { return info(filter).name; }

/// Exact name or libsandbox's alias (`path`, `path-literal`, `path-regex`, …). The unix forms of
/// `remote` and `local` are not names: the reader tells them apart by their first argument.
[[nodiscard]] std::optional<Filter> find_filter(std::string_view name);

/// False where libsandbox refuses the profile ("filter not applicable").
[[nodiscard]] bool accepts(Op op, Filter filter);

/// The variant of `subject` that `filter` speaks about; none for filters about the process.
/// Path filters mean a unix socket's path where the subject is a network peer or address.
[[nodiscard]] std::optional<Variant> variant_of(Filter filter, Subject subject);

/// True for the symbols that `filter` is known to take (vnode types, targets, …). Filters whose
/// symbols are an open set (signals, socket domains, system calls) accept every symbol.
[[nodiscard]] bool knows_symbol(Filter filter, std::string_view symbol);

}  // namespace nd7::seatbelt
