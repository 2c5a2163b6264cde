// What a profile comes to once it has been evaluated: rules over filters, nothing else.
//
// All parts live in flat vectors and refer to each other by index. A filter stands after the
// filters it is made of, so a walk by index needs no recursion; filters are shared, so a walk as a
// tree may meet one of them often (the nodes of all rules' trees together are bounded when a
// profile is read).
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/pattern/regex.hpp"
#include "compiler/seatbelt/read/address.hpp"
#include "compiler/seatbelt/read/match.hpp"
#include "compiler/seatbelt/read/modifier.hpp"
#include "compiler/seatbelt/read/text.hpp"
#include "compiler/seatbelt/tables/filter.hpp"
#include "compiler/seatbelt/tables/operation.hpp"
#include "compiler/source/source_map.hpp"

namespace nd7::seatbelt::read {

using AtomId = std::uint32_t;
using FilterId = std::uint32_t;
using RuleId = std::uint32_t;

/// One filter with one argument. Several arguments of a call become several atoms under `any`.
struct Atom {
  enum class Kind : std::uint8_t {
    none,               ///< no argument: `(debug-mode)`, `(remote unix-socket)`
    text,               ///< a path or name, in `text`
    regex,              ///< in `text`, parsed in RuleBase::regexes[regex]
    number,             ///< in `number`
    symbol,             ///< in `text`
    address,            ///< in `address`
    entitlement_value,  ///< in `text`; a condition on the entitlement asked for beside it
  };
  Filter filter = Filter::literal;  ///< require-entitlement for an entitlement_value
  Kind kind = Kind::none;
  Text text;
  std::int64_t number = 0;
  std::uint32_t regex = 0;
  Address address;
  Span span;
};

/// `(remote unix-socket F...)` is `all(remote unix-socket, any(F...))`, and likewise
/// `(require-entitlement N F)`. `path-ancestors` stays an atom: it matches every proper ancestor of
/// its text, `/` included, and not the text itself.
struct FilterNode {
  enum class Kind : std::uint8_t { atom, any, all, negation };
  Kind kind = Kind::atom;
  std::uint32_t first = 0;  ///< atom: AtomId; otherwise index into RuleBase::kids
  std::uint32_t count = 0;  ///< number of kids
  std::uint32_t depth = 1;
  std::uint32_t tree_size = 1;  ///< nodes when written out as a tree
  bool conditional = false;     ///< holds an entitlement_value that no entitlement stands beside
  Span span;
};

struct RegexEntry {
  pattern::Regex syntax;
  Program program;  ///< for matching; empty if the expression has holes
};

enum class Action : std::uint8_t { deny, allow };

struct Rule {
  enum class Kind : std::uint8_t {
    written,  ///< of the profile's own text
    axiom,    ///< a rule that an imported Apple file is known to have
    import,   ///< stands for all rules of an import that are not known; has no operations
  };
  Kind kind = Kind::written;
  Action action = Action::deny;
  std::vector<Op> ops;             ///< as written, aliases resolved, each once
  std::optional<FilterId> filter;  ///< none: an unfiltered rule
  std::vector<Modifier> modifiers;
  std::uint32_t import = 0;  ///< axiom and import: index into RuleBase::imports
  Span span;

  /// The exec'd image leaves the sandbox (`no-sandbox`) or gets another one (`default-sandbox`).
  [[nodiscard]] bool leaves_sandbox() const;
};

/// An `(import ...)`, or a call of a function that only an imported file defines.
struct Import {
  enum class Kind : std::uint8_t {
    apple,    ///< system.sb and its functions: filtered allows outside user data, no IP, no exec
    unknown,  ///< may hold anything
  };
  std::string name;
  Kind kind = Kind::unknown;
  Span span;
};

struct RuleBase {
  std::vector<Rule> rules;  ///< in the order in which the profile made them
  std::vector<Atom> atoms;
  std::vector<FilterNode> filters;
  std::vector<FilterId> kids;
  std::vector<RegexEntry> regexes;
  std::vector<Import> imports;
  std::vector<Span> traces;  ///< `(trace ...)` forms
  /// For each operation, the written and axiom rules that name it, in order.
  std::array<std::vector<RuleId>, kOpCount> naming;
  std::vector<RuleId> import_rules;

  [[nodiscard]] std::span<const FilterId> kids_of(FilterId filter) const;
  [[nodiscard]] bool names(RuleId rule, Op op) const;
  /// Atoms below a filter, each once, in order of their index.
  [[nodiscard]] std::vector<AtomId> atoms_of(FilterId filter) const;
  /// The action of the last unfiltered rule on `default`; deny if there is none.
  [[nodiscard]] Action default_action() const;
};

}  // namespace nd7::seatbelt::read
