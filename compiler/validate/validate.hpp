// Translation validation: does a profile's text say what the terms of the law say?
//
// The text is read back with parameters as opaque letters. For every operation, and for every known
// reading of Seatbelt's precedence, what was meant and what the text decides become Boolean
// functions of the same filter atoms, and the two are compared exactly. Equality of the functions
// is equality at every placement of the parameters.
//
// Given axiom S1 about the import of system.sb (it adds filtered allows only), two things are
// shown: without it the functions are equal, and with it nothing is allowed that a deny, the seal
// or self-protection closes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/policy.hpp"
#include "compiler/laws/terms.hpp"
#include "compiler/seatbelt/read/precedence.hpp"

namespace nd7::validate {

/// A request on which the two disagree.
struct Difference {
  seatbelt::Op op = seatbelt::Op::default_;
  seatbelt::read::Model model;
  bool import_matches = false;  ///< only if a rule of the imported system.sb matches, too
  std::string request;          ///< the atoms that hold, as filters; "no filter holds" if none does
  std::string meant;            ///< "deny", "allow", "allow-unconfined"
  std::string emitted;
  std::string meant_by;    ///< label of the term that decides, "default" if none
  std::string emitted_by;  ///< line of the profile's text that decides, "default" if none
};

struct Result {
  enum class Outcome : std::uint8_t {
    equal,
    different,   ///< see `difference`
    unreadable,  ///< the reader refuses the text, or it holds what nd7 never writes; see `reason`
    undecided,   ///< the diagrams outgrew their budget
  };
  Outcome outcome = Outcome::undecided;
  std::optional<Difference> difference;
  std::string reason;
  std::size_t comparisons = 0;  ///< operations × readings × cases of optional parameters
};

/// At most this many optional parameters may be open: every combination of them is read.
inline constexpr std::size_t kMaxOpenOptional = 6;

/// `text` against `terms` of `policy`. A release narrows the reader's operations.
[[nodiscard]] Result validate(const ir::Policy& policy, const std::vector<laws::Term>& terms,
                              const std::string& text, std::optional<seatbelt::Release> release);

}  // namespace nd7::validate
