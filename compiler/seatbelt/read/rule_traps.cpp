// Rules that get in each other's way.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "compiler/seatbelt/read/overlap.hpp"
#include "compiler/seatbelt/read/traps.hpp"

namespace nd7::seatbelt::read {
namespace {

constexpr std::size_t kPairs = 2'000'000;

std::string_view word(Action action) { return action == Action::allow ? "allow" : "deny"; }

class RuleTraps {
 public:
  RuleTraps(const RuleBase& base, Diagnostics& diagnostics)
      : base_(base), diagnostics_(diagnostics) {}

  void run() {
    for (RuleId id = 0; id < base_.rules.size() && budget_ > 0; ++id) {
      const Rule& rule = base_.rules[id];
      if (rule.kind != Rule::Kind::written) continue;
      if (rule.filter) {
        class_rule(id);
      } else {
        unfiltered_rule(id);
      }
    }
  }

 private:
  /// A filtered rule on a class, and a rule of the other kind on one of its operations. A deny is
  /// meant to hold wherever it stands; an allow is meant to lift what stands before it.
  void class_rule(RuleId id) {
    const Rule& rule = base_.rules[id];
    for (const Op klass : rule.ops) {
      if (klass == Op::default_) continue;
      for (const Op op : family(klass)) {
        if (op == klass || base_.names(id, op)) continue;
        if (const std::optional<RuleId> other = beats(id, op)) {
          report_class(rule, klass, base_.rules[*other], op);
          return;
        }
      }
    }
  }

  std::optional<RuleId> beats(RuleId id, Op op) {
    const Rule& rule = base_.rules[id];
    for (const RuleId other : base_.naming[static_cast<std::size_t>(op)]) {
      if (!spend()) return std::nullopt;
      const Rule& concrete = base_.rules[other];
      if (concrete.action == rule.action) continue;
      if (rule.action == Action::allow && (other > id || !concrete.filter)) continue;
      if (concrete.filter && !may_overlap(base_, *rule.filter, *concrete.filter, op, budget_)) {
        continue;
      }
      // Without a budget the comparisons above say nothing.
      if (!repeated(id, op, other) && budget_ > 0) return other;
    }
    return std::nullopt;
  }

  /// The same filter stands in a rule on the operation itself, after the one that gets in the way.
  bool repeated(RuleId id, Op op, RuleId other) {
    const Rule& rule = base_.rules[id];
    const std::vector<RuleId>& ids = base_.naming[static_cast<std::size_t>(op)];
    return std::any_of(ids.begin(), ids.end(), [&](RuleId again) {
      const Rule& candidate = base_.rules[again];
      return spend() && again > other && candidate.action == rule.action && candidate.filter &&
             equal_filters(base_, *candidate.filter, *rule.filter, budget_);
    });
  }

  void report_class(const Rule& rule, Op klass, const Rule& concrete, Op op) {
    Diagnostic& warning = diagnostics_.add(
        Code::ND6101, rule.span,
        fmt::format("this `{}` of `{}` is not consulted where a rule on `{}` decides",
                    word(rule.action), name(klass), name(op)));
    warning.labels.push_back({concrete.span, fmt::format("this {} goes first, whatever the order",
                                                         word(concrete.action))});
    warning.helps.push_back(
        fmt::format("name `{}` beside `{}`, after the other rule", name(op), name(klass)));
  }

  /// An unfiltered rule after a filtered one of the other kind on the same operation.
  void unfiltered_rule(RuleId id) {
    const Rule& rule = base_.rules[id];
    for (const Op op : rule.ops) {
      if (op == Op::default_) continue;
      for (const RuleId other : base_.naming[static_cast<std::size_t>(op)]) {
        if (other >= id || !spend()) break;
        const Rule& filtered = base_.rules[other];
        if (!filtered.filter || filtered.action == rule.action) continue;
        Diagnostic& warning = diagnostics_.add(
            Code::ND6102, rule.span,
            fmt::format("an unfiltered `{}` of `{}` does not override the rules before it",
                        word(rule.action), name(op)));
        warning.labels.push_back(
            {filtered.span, fmt::format("this {} still holds", word(filtered.action))});
        warning.notes.emplace_back(
            "an unfiltered rule answers only where no filtered rule of its operation matches");
        warning.helps.push_back(
            fmt::format("if it is meant as the fallback, write it first; if it is meant to win, "
                        "drop the other rule or give `{}` a filter",
                        name(op)));
        return;
      }
    }
  }

  bool spend() {
    if (budget_ > 0) --budget_;
    return budget_ > 0;
  }

  const RuleBase& base_;
  Diagnostics& diagnostics_;
  std::size_t budget_ = kPairs;
};

}  // namespace

void find_rule_traps(const RuleBase& base, Diagnostics& diagnostics) {
  RuleTraps(base, diagnostics).run();
}

void find_traps(const RuleBase& base, Diagnostics& diagnostics) {
  find_rule_traps(base, diagnostics);
  find_filter_traps(base, diagnostics);
}

}  // namespace nd7::seatbelt::read
