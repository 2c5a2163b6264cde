// `[never.*]`, `within` and `[[expect]]`, decided for both profiles and every admissible placement.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/answer/view.hpp"

namespace nd7::answer {

/// What an invariant is proved for.
struct Quantifiers {
  std::optional<seatbelt::Release> release;
  std::vector<std::string> protect;
  decide::Budget budget;
  /// Only the first so many placements: enough to refute, never to prove.
  std::size_t placements = SIZE_MAX;
};

/// Where and on what a claim fails, or could not be decided.
struct Failure {
  bool undecided = false;
  seatbelt::Op op = seatbelt::Op::default_;
  laws::Profile profile = laws::Profile::floor;
  Placement placement;
  std::string subject;        ///< the witness, as `--path P` and the like name it
  Level level = Level::deny;  ///< what the policy answers
  std::optional<Origin> by;   ///< the rule that decides; none: the default
};

struct Proof {
  std::optional<Failure> failure;
  std::string bug;  ///< not empty: nd7c's own text was refused
  std::size_t placements = 0;
  std::size_t searches = 0;
};

/// Prepares one policy at all its placements, once for all questions.
class Prover {
 public:
  Prover(const ir::Policy& policy, const SourceMap& sources, Quantifiers quantifiers);

  /// Nothing of `clauses`, in any case of letters, is allowed: what a deny would close.
  [[nodiscard]] Proof never(const std::vector<ir::Clause>& clauses);
  /// Nothing of `clauses`, as they are spelled, is allowed.
  [[nodiscard]] Proof nowhere(const std::vector<ir::Clause>& clauses);
  /// All of `clauses` is allowed.
  [[nodiscard]] Proof always(const std::vector<ir::Clause>& clauses);
  /// All of `clauses` is matched by the rule `by` ("set/id") with the effect that decides; with
  /// "default", no rule at all matches any of it.
  [[nodiscard]] Proof decided_by(const std::vector<ir::Clause>& clauses, bool allow,
                                 const std::string& by);
  /// Everything that this policy allows, `limit` allows.
  [[nodiscard]] Proof within(const ir::Policy& limit);

 private:
  struct Case {
    laws::Profile profile;
    Placement placement;
    View view;
  };
  class ClauseViews;
  [[nodiscard]] bool ready(Proof& proof);
  [[nodiscard]] static Failure failure_of(Case& at, seatbelt::Op op, const Found& found);
  /// Looks for a request in the relation: of each case's policy to what `subject` makes of the
  /// case, for the operations of `clauses`.
  template <class Subject>
  [[nodiscard]] Proof search(const std::vector<seatbelt::Op>& ops, Relation relation,
                             bool policy_first, Subject&& subject);
  [[nodiscard]] ViewOptions options_of(laws::Profile profile) const;
  /// The policy at `placement`, until the next call. For questions that add few conditions.
  [[nodiscard]] ir::Policy& placed(const Placement& placement);

  const ir::Policy& policy_;
  const SourceMap& sources_;
  Quantifiers quantifiers_;
  std::vector<Case> cases_;
  std::optional<ir::Policy> placed_;
  std::size_t conditions_ = 0;  ///< of policy_ when placed_ was copied
  std::string bug_;
};

/// "--path /x", "--connect 192.0.2.1:80", "--mach com.example": how explain would be asked.
[[nodiscard]] std::string subject_text(const seatbelt::read::Request& request);

/// The origin of the rule that decides `request`.
[[nodiscard]] std::optional<Origin> decided_by(View& view, const seatbelt::read::Request& request);

}  // namespace nd7::answer
