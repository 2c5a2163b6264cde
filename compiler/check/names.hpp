// Names inside strings: `${name}` from `[let]`, `[param]` and the built-in `home project tmp here`.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/check/compose.hpp"
#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/ir/policy.hpp"

namespace nd7 {

/// A string after interpolation. Ranges of `text` that came from a name inside a longer string, or
/// from a parameter, are literal text: nothing in them makes a pattern.
struct Expanded {
  ir::Text text;
  std::vector<std::pair<std::size_t, std::size_t>> literal;
  Span span;

  [[nodiscard]] bool is_literal(std::size_t at) const {
    return std::any_of(literal.begin(), literal.end(),
                       [&](const auto& range) { return at >= range.first && at < range.second; });
  }
};

inline constexpr std::size_t kMaxExpansion = 4096;  ///< strings that one value may become
/// What all values of a file with names in them may take together, in memory.
inline constexpr std::size_t kMaxExpandedBytes = std::size_t{64} << 20U;

/// The names of one unit.
class Names {
 public:
  /// Declares the unit's parameters in `policy` and checks `[let]` and `use` arguments.
  /// `bound` holds `-D` values by key; a value there or in `use` becomes plain text at once.
  Names(const LoadedUnit& unit, const std::map<std::string, std::string>& bound, ir::Policy& policy,
        Diagnostics& diagnostics);

  /// All strings that `node` stands for: a list name splices (`"${l}"`) or maps (`"${l}/x"`).
  /// Empty after an error.
  [[nodiscard]] std::vector<Expanded> expand(const StringNode& node);
  [[nodiscard]] std::vector<Expanded> expand(const ValuesNode& values);
  /// The values of a bare name, as in `subpath(known_hosts)`.
  [[nodiscard]] std::vector<Expanded> expand_name(std::string_view name, Span span);

  /// Warns of names that nothing used.
  void report_unused();

 private:
  struct Resolved {
    std::vector<Expanded> values;
    bool list = false;
  };

  void declare_params(const std::map<std::string, std::string>& bound);
  void declare_lets();
  void declare_builtins();
  std::optional<Resolved> resolve(std::string_view name, Span span);
  std::optional<Resolved> resolve_let(const LetNode& let);
  /// False once the file's values have grown too large.
  bool take(std::size_t bytes, Span span);
  /// NUL marks holes inside nd7c, so no input may hold one.
  bool check_no_nul(const StringNode& node);
  void unknown(std::string_view name, Span span);

  const LoadedUnit& unit_;
  ir::Policy& policy_;
  Diagnostics& diagnostics_;
  std::map<std::string, Resolved, std::less<>> known_;  ///< parameters, built-ins, finished lets
  std::map<std::string, const LetNode*, std::less<>> lets_;
  std::vector<const LetNode*> resolving_;
  std::set<std::string, std::less<>> used_;
  std::size_t spent_ = 0;  ///< of kMaxExpandedBytes
};

}  // namespace nd7
