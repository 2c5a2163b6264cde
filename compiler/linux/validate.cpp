#include "compiler/linux/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "compiler/answer/invariants.hpp"
#include "compiler/answer/placement.hpp"
#include "compiler/linux/addresses.hpp"
#include "compiler/linux/meaning.hpp"
#include "compiler/linux/model.hpp"
#include "compiler/linux/model_text.hpp"
#include "compiler/linux/read.hpp"
#include "compiler/linux/values.hpp"

namespace nd7::linux_plan {
namespace {

using answer::Found;
using answer::Placement;
using answer::Side;
using decide::Answer;
using laws::Role;
using laws::Term;
using seatbelt::Op;
using Outcome = Validation::Outcome;

/// Of one kind of access, at most so many allows are looked at that lose something.
constexpr std::size_t kMostNarrowed = 64;

/// Places for protected files stop being added there.
constexpr std::size_t kMostPlaces = 150;

enum class Area : std::uint8_t { reading, writing, running, sockets, signals };

struct Group {
  Area area;
  std::vector<Op> ops;
};

const std::vector<Group>& groups() {
  static const std::vector<Group> all{{Area::reading, reading()},
                                      {Area::writing, writing()},
                                      {Area::running, running()},
                                      {Area::sockets, {Op::network_outbound}},
                                      {Area::signals, {Op::signal}}};
  return all;
}

/// What Seatbelt allows by itself: no rule has to open it, so nothing is lost where it is closed.
bool is_builtin(Op op) { return op == Op::file_test_existence || op == Op::file_map_executable; }

/// Empty if the request is about something else.
std::string path_of(const seatbelt::read::Request& request) {
  if (const auto* path = std::get_if<seatbelt::read::PathSubject>(&request.subject)) {
    return path->path;
  }
  return {};
}

bool is_below(std::string_view path, std::string_view tree) {
  return path.substr(0, tree.size()) == tree &&
         (path.size() == tree.size() || path[tree.size()] == '/');
}

class Validator {
 public:
  Validator(const ir::Policy& policy, const std::vector<Term>& terms, laws::Profile profile,
            const std::string& text, const SourceMap& sources)
      : policy_(policy), terms_(terms), profile_(profile), text_(text), sources_(sources) {}

  Validation run() {
    ReadResult read = linux_plan::read(text_);
    if (!read.plan) return end(Outcome::unreadable, read.reason);
    plan_ = std::move(*read.plan);
    if (plan_.profile != profile_ || plan_.name != policy_.name) {
      return end(Outcome::different, "the head of the plan is not that of the rules");
    }
    for (const Param& param : plan_.params) {
      const bool known =
          std::any_of(policy_.params.begin(), policy_.params.end(), [&](const ir::Param& one) {
            return one.key == param.key && one.optional == param.optional && !one.value;
          });
      if (!known) return end(Outcome::different, "`" + param.key + "` is no open parameter");
    }
    // That a project may lie at a place that some rule names is no loss of the other rules.
    std::size_t usual = answer::kStandardPlacements;
    std::vector<Placement> places = placements_of(policy_);
    add_protected_places(places);
    for (const Placement& placement : places) {
      if (!check(placement, usual > 0)) return std::move(result_);
      if (usual > 0) --usual;
    }
    std::stable_sort(result_.losses.begin(), result_.losses.end(),
                     [&](const Loss& a, const Loss& b) { return order_[key(a)] < order_[key(b)]; });
    result_.outcome = Outcome::kept;
    return std::move(result_);
  }

 private:
  Validation end(Outcome outcome, std::string reason) {
    result_.outcome = outcome;
    result_.reason = std::move(reason);
    return std::move(result_);
  }

  bool fail(Outcome outcome, std::string reason) {
    result_.outcome = outcome;
    result_.reason = std::move(reason);
    return false;
  }

  /// What is protected shows where it could be written otherwise: in the project.
  void add_protected_places(std::vector<Placement>& places) const {
    const Placement first = places.front();
    if (!policy_.params[ir::kExit.value].value) {
      places.push_back(answer::with_value(first, "EXIT", first.project + "/nd7-exec"));
    }
    if (policy_.params[ir::kProject.value].value) return;
    std::set<std::string> folders;
    for (const Term& term : terms_) {
      if (term.role != Role::protect || is_structural(policy_, term)) continue;
      for (const ir::AtomId id : policy_.conditions.atoms_of(term.cond)) {
        const ir::Text& text = policy_.conditions.get(id).text;
        if (!ir::has_holes(text)) folders.insert(text.substr(0, text.rfind('/')));
      }
    }
    for (const std::string& folder : folders) {
      if (folder.empty() || is_below(first.home, folder)) continue;
      if (places.size() >= kMostPlaces) return;
      places.push_back(answer::with_value(first, "PROJ", folder));
    }
  }

  bool check(const Placement& placement, bool usual) {
    ir::Policy here = policy_;
    answer::place(here, placement);
    const Plan bound = with_values(plan_, values_of(here));
    if (!bound.params.empty()) return fail(Outcome::different, "the plan has an unknown parameter");
    if (bound.directories != directories(here)) {
      return fail(Outcome::different, "the plan's directories are not those of the rules");
    }
    if (!check_labels(bound)) return false;
    where_ = placement_text(placement);
    const std::string bug =
        compare_addresses(here, terms_, bound, [&](const AddressDifference& difference) {
          ++result_.comparisons;
          add(difference.loss, difference.widening, difference.term, difference.request);
        });
    if (!bug.empty()) return fail(Outcome::different, bug);
    Plan paths = bound;
    paths.connect.clear();
    paths.bind.clear();
    std::string problem;
    auto model = model_side(paths, problem);
    if (!model) return fail(Outcome::unreadable, problem);
    const Meanings meanings{here, terms_, sources_};
    return stays_within_bounds(meanings, *model, bound) && find_widened(meanings, *model) &&
           (!usual || find_narrowed(meanings, *model, bound));
  }

  static std::map<std::string, std::string> values_of(const ir::Policy& placed) {
    std::map<std::string, std::string> values;
    for (const ir::Param& param : placed.params) {
      if (param.value) values[param.key] = *param.value;
    }
    return values;
  }

  static std::vector<ir::Text> directories(const ir::Policy& placed) {
    std::set<ir::Text> result;
    for (const ir::Directory& directory : placed.directories) {
      ir::Text path = ir::substitute(directory.path,
                                     [&](ir::ParamId id) { return placed.params[id.value].value; });
      if (path.substr(0, 2) == "//") path.erase(0, 1);
      if (!ir::has_holes(path)) result.insert(std::move(path));
    }
    return {result.begin(), result.end()};
  }

  /// Explanations name rules by the plan's labels, so each has to be one of the rules'.
  bool check_labels(const Plan& plan) {
    std::set<std::string_view> known;
    for (const Term& term : terms_) known.insert(term.label);
    std::string_view stranger;
    const auto look = [&](const std::string& label) {
      if (known.count(label) == 0) stranger = label;
    };
    for (const auto* const trees : {&plan.read, &plan.write, &plan.exec, &plan.sockets}) {
      for (const Tree& tree : *trees) look(tree.rule);
    }
    for (const auto* const carves :
         {&plan.closed, &plan.readonly, &plan.noexec, &plan.no_sockets}) {
      for (const Carve& carve : *carves) {
        look(carve.tree.rule);
        for (const Tree& tree : carve.except) look(tree.rule);
      }
    }
    for (const auto* const ports : {&plan.connect, &plan.bind}) {
      for (const Port& port : *ports) look(port.rule);
    }
    if (stranger.empty()) return true;
    return fail(Outcome::different, fmt::format("the plan names a rule `{}`", stranger));
  }

  /// yes, no, or the validation is over.
  std::optional<Found> search(Side& one, Side& other, Op op, answer::Relation relation) {
    ++result_.comparisons;
    Found found = find(one, other, op, relation);
    if (found.answer != Answer::undecided) return found;
    fail(Outcome::undecided,
         fmt::format("the question about `{}` outgrew its bound", seatbelt::name(op)));
    return std::nullopt;
  }

  /// Whatever is lost, a plan allows nothing that neither a rule nor a loss opens, and all that
  /// rules made of trees open.
  bool stays_within_bounds(const Meanings& meanings, Side& model, const Plan& plan) {
    std::string problem;
    auto upper = meanings.upper(problem);
    auto lower = meanings.lower(problem);
    if (!upper || !lower) return fail(Outcome::unreadable, problem);
    for (const Group& group : groups()) {
      if (group.area == Area::signals) continue;
      for (const Op op : group.ops) {
        const auto above = search(model, *upper, op, answer::Relation::above);
        if (!above) return false;
        if (above->answer == Answer::yes) return differs(*above, op, plan, true);
        if (is_builtin(op)) continue;
        const auto below = search(*lower, model, op, answer::Relation::above);
        if (!below) return false;
        if (below->answer == Answer::yes) return differs(*below, op, plan, false);
      }
    }
    return true;
  }

  bool differs(const Found& found, Op op, const Plan& plan, bool widened) {
    std::string by;
    const std::string path = path_of(found.request);
    if (!path.empty()) {
      const Access access = is_within(op, Op::process_exec_all) ? Access::exec
                            : is_within(op, Op::file_read_all)  ? Access::read
                                                                : Access::write;
      const Decision decision = decide_path(plan, access, path);
      if (!decision.rule.empty()) by = fmt::format(" (the plan by {})", decision.rule);
    }
    return fail(Outcome::different,
                fmt::format("the plan {}: `{} {}`{}, with {}",
                            widened ? "opens what no rule opens or a deny closes"
                                    : "closes what a rule opens and nothing closes",
                            seatbelt::name(op), answer::subject_text(found.request), by, where_));
  }

  /// What a deny matches and the plan allows.
  bool find_widened(const Meanings& meanings, Side& model) {
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const Term& term = terms_[i];
      if (!closes(term.role) || is_structural(policy_, term)) continue;
      const std::vector<Op> ops = widened_ops(term, meanings.is_plain(i));
      if (ops.empty()) continue;
      std::string problem;
      auto closed = meanings.matched_by(i, problem);
      if (!closed) return fail(Outcome::unreadable, problem);
      for (const Op op : ops) {
        const bool always = is_always(op);
        const std::string_view loss = always ? "linux/operations" : "linux/patterns";
        if (known(loss, i)) continue;
        const auto found = search(*closed, model, op, answer::Relation::both);
        if (!found) return false;
        if (found->answer == Answer::yes) {
          add(loss, true, i, request_text(op, found->request));
        }
      }
    }
    return true;
  }

  static bool is_always(Op op) {
    const auto& always = always_allowed();
    return op == Op::signal || op == Op::file_ioctl || is_within(op, Op::network_inbound) ||
           std::find(always.begin(), always.end(), op) != always.end();
  }

  /// Operations on which what the deny says may not be kept.
  static std::vector<Op> widened_ops(const Term& term, bool plain) {
    std::vector<Op> result;
    const auto take = [&](const std::vector<Op>& ops) {
      for (const Op op : ops) {
        if (names(term, op) && seatbelt::is_concrete(op)) result.push_back(op);
      }
    };
    if (!plain) {
      for (const Group& group : groups()) {
        if (group.area != Area::signals) take(group.ops);
      }
    }
    if (term.role != Role::deny) return result;
    take(always_allowed());
    take({Op::signal, Op::file_ioctl, Op::network_inbound, Op::network_bind});
    return result;
  }

  /// What allows open under all denies, and the plan does not.
  bool find_narrowed(const Meanings& meanings, Side& model, const Plan& plan) {
    for (const Group& group : groups()) {
      Narrowed& known = narrowed_[group.area];
      std::string problem;
      auto opened = meanings.opened(group.ops, known.without, known.wholly, problem);
      if (!opened) return fail(Outcome::unreadable, problem);
      for (const Op op : group.ops) {
        if (is_builtin(op)) continue;
        while (known.without.size() + known.wholly.size() < kMostNarrowed) {
          const auto found = search(*opened, model, op, answer::Relation::above);
          if (!found) return false;
          if (found->answer != Answer::yes) break;
          if (!note_narrowed(meanings, group, plan, op, found->request, known)) return false;
          opened = meanings.opened(group.ops, known.without, known.wholly, problem);
          if (!opened) return fail(Outcome::unreadable, problem);
        }
      }
    }
    return true;
  }

  /// Terms whose loss was found, so that the search can go on behind it.
  struct Narrowed {
    std::set<std::size_t> without;
    std::set<std::size_t> wholly;
  };

  bool note_narrowed(const Meanings& meanings, const Group& group, const Plan& plan, Op op,
                     const seatbelt::read::Request& request, Narrowed& known) {
    const auto opener = opener_of(meanings, op, request, known);
    if (!opener) return fail(Outcome::different, "no allow opens what is opened");
    const Cause cause = narrowing(meanings, *opener, group, plan, request);
    add(cause.loss, false, cause.term, request_text(op, request));
    const bool again = cause.term == *opener || known.wholly.count(cause.term) != 0;
    (again ? known.without : known.wholly).insert(again ? *opener : cause.term);
    return true;
  }

  /// The first allow that opens `request`; in a private place, the first one that names something
  /// there.
  std::optional<std::size_t> opener_of(const Meanings& meanings, Op op,
                                       const seatbelt::read::Request& request,
                                       const Narrowed& known) {
    std::optional<std::size_t> result;
    const bool own = is_in_private_place(path_of(request));
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      if (!opens(terms_[i].role) || !names(terms_[i], op) || known.without.count(i) != 0) continue;
      std::string ignored;
      auto matched = meanings.matched_by(i, ignored);
      if (!matched || matched->level(request) == answer::Level::deny) continue;
      if (!result) result = i;
      if (!own || names_private_place(terms_[i])) return i;
    }
    return result;
  }

  static bool is_in_private_place(const std::string& path) {
    for (const std::string_view own : {"/tmp", "/dev/shm", "/run/user"}) {
      if (!path.empty() && is_below(path, own)) return true;
    }
    return false;
  }

  bool names_private_place(const Term& term) const {
    for (const ir::AtomId id : policy_.conditions.positive_atoms_of(term.cond)) {
      if (is_in_private_place(policy_.conditions.get(id).text)) return true;
    }
    return false;
  }

  struct Cause {
    std::string_view loss;
    std::size_t term;
  };

  /// Which loss of which rule explains that the plan closes `request`, which the allow opens.
  Cause narrowing(const Meanings& meanings, std::size_t index, const Group& group, const Plan& plan,
                  const seatbelt::read::Request& request) const {
    if (group.area == Area::signals) return {"linux/signals", index};
    const std::string path = path_of(request);
    if (is_in_private_place(path)) return {"linux/private", index};
    if (!meanings.is_plain(index)) return {"linux/pattern-allow", index};
    const std::string closer = closing_rule(plan, group.area, path);
    for (std::size_t i = 0; i < terms_.size() && !closer.empty(); ++i) {
      const Term& other = terms_[i];
      if (other.label != closer) continue;
      if (opens(other.role)) return {"linux/allow-except", i};
      if (!closes(other.role)) continue;
      const bool closes_reading =
          std::any_of(reading().begin(), reading().end(), [&](Op op) { return names(other, op); });
      const bool closes_this =
          std::any_of(group.ops.begin(), group.ops.end(), [&](Op op) { return names(other, op); });
      if (closes_this && meanings.has_patterns(i)) return {"linux/pattern-allow", i};
      if (closes_this) return {"linux/part-of-access", i};
      if (closes_reading) return {"linux/closed-wholly", index};
    }
    return {"linux/part-of-access", index};
  }

  /// The rule of the carve that closes the path, if it is one.
  static std::string closing_rule(const Plan& plan, Area area, const std::string& path) {
    if (path.empty()) return {};
    const Access asked = area == Area::writing   ? Access::write
                         : area == Area::running ? Access::exec
                                                 : Access::read;
    return decide_path(plan, asked, path).rule;
  }

  std::string request_text(Op op, const seatbelt::read::Request& request) const {
    return fmt::format("{} {}", seatbelt::name(op), answer::subject_text(request));
  }

  static std::pair<std::string_view, std::string> key(const Loss& loss) {
    return {loss.name, loss.rule};
  }

  bool known(std::string_view loss, std::size_t term) const {
    return order_.count({loss, terms_[term].label}) != 0;
  }

  void add(std::string_view name, bool widening, std::size_t index, const std::string& request) {
    const Term& term = terms_[index];
    const auto [at, fresh] = order_.try_emplace({name, term.label}, index);
    if (!fresh) return;
    Loss loss;
    loss.name = name;
    loss.widening = widening;
    loss.rule = term.label;
    loss.span = term.span;
    loss.message = fmt::format("on Linux `{}` {}", term.label,
                               widening           ? "is not kept as it says"
                               : opens(term.role) ? "opens less than it says"
                                                  : "closes more than it says");
    loss.witness =
        fmt::format("`{}` would be {}", request,
                    widening ? "allowed, and the rules deny it" : "denied, and the rules allow it");
    result_.losses.push_back(std::move(loss));
  }

  const ir::Policy& policy_;
  const std::vector<Term>& terms_;
  laws::Profile profile_;
  const std::string& text_;
  const SourceMap& sources_;
  Plan plan_;
  Validation result_;
  std::string where_;
  std::map<std::pair<std::string_view, std::string>, std::size_t> order_;
  std::map<Area, Narrowed> narrowed_;
};

}  // namespace

/// The temporary directory is private in one of them, and elsewhere in the others.
std::vector<Placement> placements_of(const ir::Policy& policy) {
  ir::Policy here = policy;
  auto& home = here.params[ir::kHome.value].value;
  if (!home) home = "/home/me";
  std::vector<Placement> result = answer::placements(here);
  if (policy.params[ir::kTmp.value].value) return result;
  const std::string usual = answer::places_without_rules({}).front().tmp;
  for (Placement& placement : result) {
    if (placement.tmp == usual) placement.tmp = "/var/tmp/me";
  }
  Placement own = result.front();
  own.tmp = "/tmp";
  own.meaning = "the temporary directory is private";
  result.push_back(std::move(own));
  return result;
}

Validation validate(const ir::Policy& policy, const std::vector<Term>& terms, laws::Profile profile,
                    const std::string& text, const SourceMap& sources) {
  return Validator{policy, terms, profile, text, sources}.run();
}

}  // namespace nd7::linux_plan
