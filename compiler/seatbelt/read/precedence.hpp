// Which rule decides: the four known readings of Seatbelt's precedence, over a rule base.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/seatbelt/read/condition.hpp"
#include "compiler/seatbelt/read/request.hpp"
#include "compiler/seatbelt/read/rule_base.hpp"

namespace nd7::seatbelt::read {

/// What an unfiltered rule is.
enum class Unfiltered : std::uint8_t {
  fallback,  ///< the operation's answer when none of its filtered rules matches
  ordered,   ///< one rule among the others, in the order of the file
};
/// What a rule on a class of operations is.
enum class Class : std::uint8_t {
  fallback,  ///< consulted when no rule of the concrete operation decides
  expanded,  ///< a rule on each operation of the class; `default` is not expanded
};

/// The first one is the best supported by measurements.
struct Model {
  Unfiltered unfiltered = Unfiltered::fallback;
  Class classes = Class::fallback;
  friend bool operator==(const Model&, const Model&) = default;
};
inline constexpr std::array kModels{
    Model{Unfiltered::fallback, Class::fallback}, Model{Unfiltered::fallback, Class::expanded},
    Model{Unfiltered::ordered, Class::fallback}, Model{Unfiltered::ordered, Class::expanded}};

/// One thing that is consulted for an operation. The first step whose condition holds decides.
struct Step {
  enum class Kind : std::uint8_t {
    rule,     ///< `rule`; `filtered` says whether it has a condition
    import,   ///< the unknown rules of the import that rule `rule` stands for
    builtin,  ///< what Seatbelt answers when no rule decides
  };
  Kind kind = Kind::builtin;
  bool filtered = false;
  Action action = Action::deny;  ///< import: of an Apple import; an unknown one may do both
  RuleId rule = 0;
  Op level = Op::default_;  ///< the operation in whose name it is consulted
};

/// In order; the last one always decides. A rule is listed where it is consulted first; an import
/// once for every level.
[[nodiscard]] std::vector<Step> steps(const RuleBase& base, Op op, Model model = {});

enum class Verdict : std::uint8_t { deny, allow, unknown };

struct Decision {
  Verdict verdict = Verdict::unknown;
  /// Of an allowed exec: the new image leaves the sandbox or gets another one.
  Truth unconfined = Truth::no;
  /// What decided; with `unknown`, the first step that may have.
  Step by;
};

/// `unknown` only where what is not known matters: every answer that it leaves open is looked at.
[[nodiscard]] Decision decide(const RuleBase& base, const Request& request, Model model = {});

/// The same over steps(base, request.op, model), for callers that ask often.
[[nodiscard]] Decision decide(const RuleBase& base, const Request& request,
                              const std::vector<Step>& consulted);

/// The decisions of kModels. They diverge if the verdicts are not all equal.
[[nodiscard]] std::array<Decision, kModels.size()> decide_all(const RuleBase& base,
                                                              const Request& request);
[[nodiscard]] bool diverge(const std::array<Decision, kModels.size()>& decisions);

/// May one of the unknown rules of an import match? Apple's files hold filtered allows only, none
/// for user data, IP addresses, exec or fork (fork is granted by bsd.sb, as a rule of its own).
[[nodiscard]] Truth import_may_match(const Import& import, const Request& request);

}  // namespace nd7::seatbelt::read
