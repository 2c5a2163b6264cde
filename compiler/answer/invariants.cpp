#include "compiler/answer/invariants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "compiler/answer/search.hpp"
#include "compiler/seatbelt/read/condition.hpp"

namespace nd7::answer {
namespace {

using decide::Answer;
using seatbelt::Op;
using namespace seatbelt::read;

/// The concrete operations of clauses, each once.
std::vector<Op> concrete(const std::vector<ir::Clause>& clauses) {
  std::vector<Op> result;
  for (const ir::Clause& clause : clauses) {
    for (const Op op : clause.ops) {
      for (const Op below : seatbelt::family(op)) {
        if (seatbelt::is_concrete(below)) result.push_back(below);
      }
    }
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::string host_text(const IpAddress& address) {
  const auto& b = address.bytes;
  if (!address.v6) return fmt::format("{}.{}.{}.{}", b[0], b[1], b[2], b[3]);
  std::string text = "[";
  for (std::size_t i = 0; i < 16; i += 2) {
    text += fmt::format("{}{:x}", i == 0 ? "" : ":", (b[i] << 8U) | b[i + 1]);
  }
  return text + "]";
}

}  // namespace

std::string subject_text(const Request& request) {
  struct Visitor {
    std::string operator()(std::monostate) const { return "no subject"; }
    std::string operator()(const PathSubject& s) const { return "--path " + s.path; }
    std::string operator()(const UnixSubject& s) const { return "--unix " + s.path; }
    std::string operator()(const ControlSubject& s) const { return "--control " + s.name; }
    std::string operator()(const NameSubject& s) const { return "--name " + s.name; }
    std::string operator()(const NumberSubject& s) const {
      return fmt::format("--number {}", s.number);
    }
    std::string operator()(const MachSubject& s) const {
      const std::string_view kind = s.kind == seatbelt::Variant::local_name ? "local:"
                                    : s.kind == seatbelt::Variant::xpc_name ? "xpc:"
                                                                            : "";
      return fmt::format("--mach {}{}", kind, s.name);
    }
    std::string operator()(const IpSubject& s) const {
      const std::string_view proto = s.protocol == Address::Protocol::udp  ? "udp/"
                                     : s.protocol == Address::Protocol::ip ? "ip/"
                                                                           : "";
      return fmt::format("{} {}{}:{}",
                         s.side == seatbelt::read::Side::local ? "--bind" : "--connect", proto,
                         host_text(s.address), s.port);
    }
  };
  std::string text = std::visit(Visitor{}, request.subject);
  for (const Fact& fact : request.facts) {
    text += fmt::format(" ({} {})", name(fact.filter), fact.value);
  }
  for (const std::string& extension : request.extensions)
    text += fmt::format(" (extension {})", extension);
  return text;
}

std::optional<Origin> decided_by(View& view, const Request& request) {
  const Decision decision = view.side.decide(request);
  if (decision.by.kind != Step::Kind::rule) return std::nullopt;
  return view.origins[decision.by.rule];
}

Prover::Prover(const ir::Policy& policy, const SourceMap& sources, Quantifiers quantifiers)
    : policy_(policy), sources_(sources), quantifiers_(std::move(quantifiers)) {}

bool Prover::ready(Proof& proof) {
  if (cases_.empty() && bug_.empty()) {
    std::vector<Placement> where = placements(policy_);
    where.resize(std::min(where.size(), quantifiers_.placements));
    for (const Placement& placement : where) {
      for (const laws::Profile profile : {laws::Profile::floor, laws::Profile::command}) {
        auto view = view_of(policy_, placement, sources_, options_of(profile), bug_);
        if (!view) break;
        // A project that may not be read is refused at the start: no placement of this policy.
        Request request;
        request.op = Op::file_read_data;
        request.subject = PathSubject{placement.project};
        const bool bound = policy_.params[ir::kProject.value].value.has_value();
        if (!bound && view->side.level(request) == Level::deny) continue;
        cases_.push_back({profile, placement, std::move(*view)});
      }
    }
  }
  proof.bug = bug_;
  proof.placements = cases_.size() / 2;
  return bug_.empty();
}

ViewOptions Prover::options_of(laws::Profile profile) const {
  ViewOptions options;
  options.profile = profile;
  options.release = quantifiers_.release;
  options.protect = quantifiers_.protect;
  return options;
}

Failure Prover::failure_of(Case& at, Op op, const Found& found) {
  Failure failure;
  failure.undecided = found.answer == Answer::undecided;
  failure.op = op;
  failure.profile = at.profile;
  failure.placement = at.placement;
  if (!failure.undecided) {
    failure.subject = subject_text(found.request);
    failure.level = at.view.side.level(found.request);
    failure.by = answer::decided_by(at.view, found.request);
  }
  return failure;
}

template <class Subject>
Proof Prover::search(const std::vector<Op>& ops, Relation relation, bool policy_first,
                     Subject&& subject) {
  Proof proof;
  if (!ready(proof)) return proof;
  for (Case& at : cases_) {
    View* const other = subject(at, proof.bug);
    if (other == nullptr) return proof;
    for (const Op op : ops.empty() ? operations_of_interest(at.view.side, other->side) : ops) {
      ++proof.searches;
      Side& first = policy_first ? at.view.side : other->side;
      Side& second = policy_first ? other->side : at.view.side;
      const Found found = find(first, second, op, relation, quantifiers_.budget);
      if (found.answer == Answer::no) continue;
      proof.failure = failure_of(at, op, found);
      return proof;
    }
  }
  return proof;
}

/// What clauses are about, made once for the neighbouring cases of one placement.
class Prover::ClauseViews {
 public:
  ClauseViews(Prover& prover, const std::vector<ir::Clause>& clauses, bool denying)
      : prover_(prover), clauses_(clauses), denying_(denying) {}

  View* operator()(const Case& at, std::string& bug) {
    if (!made_for_ || !made_for_->same_as(at.placement)) {
      made_for_ = at.placement;
      view_ =
          view_of_clauses(prover_.placed(at.placement), clauses_, denying_, prover_.sources_, bug);
    }
    return view_ ? &*view_ : nullptr;
  }

 private:
  Prover& prover_;
  const std::vector<ir::Clause>& clauses_;
  bool denying_;
  std::optional<Placement> made_for_;
  std::optional<View> view_;
};

ir::Policy& Prover::placed(const Placement& placement) {
  // Whoever asks may have added conditions to the policy since.
  if (!placed_ || conditions_ != policy_.conditions.size()) placed_ = policy_;
  conditions_ = policy_.conditions.size();
  // Placing fills in what is open, so what the last placement filled in is opened again.
  placed_->params = policy_.params;
  place(*placed_, placement);
  return *placed_;
}

Proof Prover::never(const std::vector<ir::Clause>& clauses) {
  ClauseViews subject{*this, clauses, true};
  return search(concrete(clauses), Relation::both, false, subject);
}

Proof Prover::nowhere(const std::vector<ir::Clause>& clauses) {
  ClauseViews subject{*this, clauses, false};
  return search(concrete(clauses), Relation::both, false, subject);
}

Proof Prover::always(const std::vector<ir::Clause>& clauses) {
  ClauseViews subject{*this, clauses, false};
  return search(concrete(clauses), Relation::above, false, subject);
}

Proof Prover::decided_by(const std::vector<ir::Clause>& clauses, bool allow,
                         const std::string& by) {
  const auto opens = [](laws::Role role) {
    return role == laws::Role::allow || role == laws::Role::grant || role == laws::Role::exit;
  };
  const auto picks = [&](const laws::Term& term) {
    return by == "default" || (term.label == by && opens(term.role) == allow);
  };
  Proof proof;
  if (!ready(proof)) return proof;
  ClauseViews subjects{*this, clauses, false};
  for (Case& at : cases_) {
    View* const subject = subjects(at, proof.bug);
    auto rule =
        view_of_matches(policy_, options_of(at.profile), picks, at.placement, sources_, proof.bug);
    if (subject == nullptr || !rule) return proof;
    for (const Op op : concrete(clauses)) {
      ++proof.searches;
      // By a rule: nothing of the subject outside of it. By default: nothing of the subject in any.
      const Found found =
          find(subject->side, rule->side, op, by == "default" ? Relation::both : Relation::above,
               quantifiers_.budget);
      if (found.answer == Answer::no) continue;
      proof.failure = failure_of(at, op, found);
      return proof;
    }
  }
  return proof;
}

Proof Prover::within(const ir::Policy& limit) {
  std::optional<View> view;
  return search({}, Relation::above, true, [&](const Case& at, std::string& bug) {
    view = view_of(limit, at.placement, sources_, options_of(at.profile), bug);
    return view ? &*view : nullptr;
  });
}

}  // namespace nd7::answer
