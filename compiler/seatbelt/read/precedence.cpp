#include "compiler/seatbelt/read/precedence.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace nd7::seatbelt::read {
namespace {

/// Operations whose rules are consulted together, the nearest to the request first.
using Level = std::vector<Op>;

std::vector<Level> levels(Op op, Class classes) {
  std::vector<Level> result;
  for (std::optional<Op> at = op; at; at = parent(*at)) {
    const bool joins = classes == Class::expanded && !result.empty() && *at != Op::default_;
    if (joins) {
      result.back().push_back(*at);
    } else {
      result.push_back({*at});
    }
  }
  return result;
}

/// Adds the steps of one level; true if the last of them always decides.
class LevelWalk {
 public:
  LevelWalk(const RuleBase& base, Unfiltered unfiltered)
      : base_(base), unfiltered_(unfiltered), listed_(base.rules.size()) {}

  bool add(const Level& level, std::vector<Step>& out) {
    std::vector<RuleId> ids = base_.import_rules;
    for (const Op op : level) {
      // Each list is in order already.
      const auto middle = static_cast<std::ptrdiff_t>(ids.size());
      const std::vector<RuleId>& naming = base_.naming[static_cast<std::size_t>(op)];
      ids.insert(ids.end(), naming.begin(), naming.end());
      std::inplace_merge(ids.begin(), ids.begin() + middle, ids.end());
    }
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    std::reverse(ids.begin(), ids.end());
    std::optional<Step> fallback;
    for (const RuleId id : ids) {
      const Rule& rule = base_.rules[id];
      if (rule.kind == Rule::Kind::import) {
        // No Apple file has a filtered rule on `default`.
        const bool silent =
            level.front() == Op::default_ && base_.imports[rule.import].kind == Import::Kind::apple;
        if (!silent) {
          out.push_back({Step::Kind::import, true, rule.action, id, level.front()});
        }
        continue;
      }
      const Step step{Step::Kind::rule, rule.filter.has_value(), rule.action, id,
                      named_level(rule, level)};
      if (step.filtered) {
        if (!listed_[id]) out.push_back(step);
        listed_[id] = true;
      } else if (unfiltered_ == Unfiltered::ordered) {
        out.push_back(step);
        return true;
      } else if (!fallback) {
        fallback = step;
      }
    }
    if (fallback) out.push_back(*fallback);
    return fallback.has_value();
  }

 private:
  static Op named_level(const Rule& rule, const Level& level) {
    const auto named =
        std::find_first_of(level.begin(), level.end(), rule.ops.begin(), rule.ops.end());
    return named == level.end() ? level.front() : *named;
  }

  const RuleBase& base_;
  Unfiltered unfiltered_;
  std::vector<bool> listed_;
};

bool is_below(std::string_view path, std::string_view root) {
  return test_text(TextTest::subpath, root, path);
}

/// The outcomes that are still possible, and who would bring them about.
struct Outcomes {
  bool deny = false;
  bool allow = false;
  bool confined = false;
  bool unconfined = false;
  std::optional<Step> first_open;

  void add(const RuleBase& base, const Step& step, bool certain) {
    if (!certain && !first_open) first_open = step;
    const bool unknown_import =
        step.kind == Step::Kind::import &&
        base.imports[base.rules[step.rule].import].kind == Import::Kind::unknown;
    if (step.action == Action::deny || unknown_import) deny = true;
    if (step.action == Action::deny) return;
    allow = true;
    const bool leaves = step.kind == Step::Kind::rule && base.rules[step.rule].leaves_sandbox();
    (leaves ? unconfined : confined) = true;
    if (unknown_import) unconfined = true;
  }
};

}  // namespace

std::vector<Step> steps(const RuleBase& base, Op op, Model model) {
  std::vector<Step> result;
  LevelWalk walk(base, model.unfiltered);
  for (const Level& level : levels(op, model.classes)) {
    if (walk.add(level, result)) return result;
  }
  Op root = op;
  while (const std::optional<Op> up = parent(root)) root = *up;
  const Action action = builtin_answer(op) == Builtin::allow ? Action::allow : Action::deny;
  result.push_back({Step::Kind::builtin, false, action, 0, root});
  return result;
}

Truth import_may_match(const Import& import, const Request& request) {
  if (import.kind == Import::Kind::unknown) return Truth::maybe;
  if (is_within(request.op, Op::process_exec_all) || request.op == Op::process_fork) {
    return Truth::no;
  }
  if (std::holds_alternative<IpSubject>(request.subject)) return Truth::no;
  const auto* path = std::get_if<PathSubject>(&request.subject);
  const auto* socket = std::get_if<UnixSubject>(&request.subject);
  if (path == nullptr && socket == nullptr) return Truth::maybe;
  const std::string& name = path != nullptr ? path->path : socket->path;
  for (const std::string_view root :
       {"/Users", "/private/tmp", "/private/var/tmp", "/private/var/folders"}) {
    if (is_below(name, root)) return Truth::no;
  }
  const bool user_data = std::any_of(request.user_roots.begin(), request.user_roots.end(),
                                     [&](const std::string& root) { return is_below(name, root); });
  return user_data ? Truth::no : Truth::maybe;
}

Decision decide(const RuleBase& base, const Request& request, const std::vector<Step>& consulted) {
  Outcomes outcomes;
  Decision decision;
  for (const Step& step : consulted) {
    Truth match = Truth::yes;
    if (step.kind == Step::Kind::import) {
      match = import_may_match(base.imports[base.rules[step.rule].import], request);
    } else if (step.filtered) {
      match = holds(base, *base.rules[step.rule].filter, request);
    }
    if (match == Truth::no) continue;
    outcomes.add(base, step, match == Truth::yes);
    if (match == Truth::maybe) continue;
    decision.by = step;
    break;
  }
  if (outcomes.allow && outcomes.deny) {
    decision.verdict = Verdict::unknown;
    if (outcomes.first_open) decision.by = *outcomes.first_open;
  } else {
    decision.verdict = outcomes.allow ? Verdict::allow : Verdict::deny;
  }
  if (outcomes.unconfined) {
    decision.unconfined = outcomes.confined || outcomes.deny ? Truth::maybe : Truth::yes;
  }
  return decision;
}

Decision decide(const RuleBase& base, const Request& request, Model model) {
  return decide(base, request, steps(base, request.op, model));
}

std::array<Decision, kModels.size()> decide_all(const RuleBase& base, const Request& request) {
  std::array<Decision, kModels.size()> result;
  for (std::size_t i = 0; i < kModels.size(); ++i) {
    result[i] = decide(base, request, kModels[i]);
  }
  return result;
}

bool diverge(const std::array<Decision, kModels.size()>& decisions) {
  return std::any_of(decisions.begin(), decisions.end(), [&](const Decision& decision) {
    return decision.verdict != decisions.front().verdict;
  });
}

}  // namespace nd7::seatbelt::read
