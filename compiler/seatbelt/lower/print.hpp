// A profile's text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/policy.hpp"
#include "compiler/seatbelt/lower/profile.hpp"

namespace nd7::seatbelt {

struct PrintOptions {
  std::string version;             ///< of the compiler, for the head of the file
  std::optional<Release> release;  ///< `--os`
};

/// Where a rule of the profile stands in the text: 1-based lines, both inclusive.
struct PrintedLines {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

struct PrintedProfile {
  std::string text;
  /// Bytes that count for Seatbelt: without comments and blank lines.
  std::size_t operative_bytes = 0;
  std::map<std::string, std::size_t> bytes_by_label;
  std::vector<PrintedLines> lines;  ///< of each rule of the profile, in its order
};

/// Parameters in the order of `(param …)`, digests of the sources, then the rules of `profile` in
/// their order. The same input gives the same bytes.
[[nodiscard]] PrintedProfile print(const ir::Policy& policy, const SeatbeltProfile& profile,
                                   const PrintOptions& options);

}  // namespace nd7::seatbelt
