// Is there a request on which two policies stand in a given relation? The answer is exact or
// "undecided", and a found request was decided by both sides again before it is returned.
//
// Given axiom S1: what an imported system.sb allows by itself is left out on both sides.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/answer/level.hpp"
#include "compiler/decide/budget.hpp"
#include "compiler/seatbelt/read/precedence.hpp"

namespace nd7::answer {

enum class Relation : std::uint8_t {
  above,  ///< the first side's level is higher than the second's
  both,   ///< both sides allow
};

/// A profile that was read with every parameter bound, under one reading of precedence. Remembers
/// what it prepares for searches; not for several threads.
class Side {
 public:
  explicit Side(seatbelt::read::RuleBase base, seatbelt::read::Model model = {});
  ~Side();
  Side(Side&&) noexcept;
  Side& operator=(Side&&) noexcept;

  [[nodiscard]] const seatbelt::read::RuleBase& base() const { return base_; }
  [[nodiscard]] seatbelt::read::Model model() const { return model_; }
  /// Without the imports' unknown rules.
  [[nodiscard]] const std::vector<seatbelt::read::Step>& steps(seatbelt::Op op);
  /// The atoms that ask about something beside the subject of `op`.
  [[nodiscard]] const std::vector<seatbelt::read::AtomId>& facts(seatbelt::Op op);
  [[nodiscard]] Level level(const seatbelt::read::Request& request);
  [[nodiscard]] seatbelt::read::Decision decide(const seatbelt::read::Request& request);

  struct Prepared;
  [[nodiscard]] const Prepared& prepared(seatbelt::Op op, seatbelt::Variant variant);

  /// Pairs of prepared answers between which nothing was found: most operations share theirs.
  using Question = std::tuple<std::uint64_t, std::uint64_t, Relation>;
  std::set<Question> refuted;

 private:
  seatbelt::read::RuleBase base_;
  seatbelt::read::Model model_;
  std::map<seatbelt::Op, std::vector<seatbelt::read::Step>> steps_;
  std::map<seatbelt::Op, std::vector<seatbelt::read::AtomId>> facts_;
  std::map<std::string, std::unique_ptr<Prepared>> prepared_;  ///< by all that they depend on
  std::map<std::pair<seatbelt::Op, seatbelt::Variant>, const Prepared*> prepared_for_;
};

struct Found {
  decide::Answer answer = decide::Answer::undecided;
  seatbelt::read::Request request;  ///< when answer is yes
  Level first = Level::deny;
  Level second = Level::deny;
};

/// A request of `op` in `relation`, the shortest of its kind. No request: `no`.
[[nodiscard]] Found find(Side& first, Side& second, seatbelt::Op op, Relation relation,
                         const decide::Budget& budget = {});

/// Operations that some rule of either side names, or a class of: all others answer alike on both.
/// Concrete operations only; every release's.
[[nodiscard]] std::vector<seatbelt::Op> operations_of_interest(const Side& first,
                                                               const Side& second);

}  // namespace nd7::answer
