#include <fmt/format.h>

#include <set>

#include "compiler/ir/policy.hpp"

namespace nd7::ir {
namespace {

class Verifier {
 public:
  explicit Verifier(const Policy& policy) : policy_(policy) {}

  std::vector<std::string> run() {
    check_params();
    std::set<std::string> keys;
    for (const Rule& rule : policy_.rules) {
      const std::string key = rule_key(rule);
      if (!keys.insert(key).second) fail("two rules are called {}", key);
      if (rule.unit >= policy_.units.size()) fail("{} names no unit", key);
      if (rule.clauses.empty()) fail("{} has no clause", key);
      for (const Clause& clause : rule.clauses) check_clause(clause, key);
    }
    for (const Relaxation& relaxation : policy_.relaxations) {
      if (relaxation.rule >= policy_.rules.size() ||
          policy_.rules[relaxation.rule].effect != Effect::deny) {
        fail("a relaxation names no deny");
        continue;
      }
      for (const Clause& clause : relaxation.clauses) check_clause(clause, "relax");
    }
    for (const Expectation& expectation : policy_.expectations) {
      for (const Clause& clause : expectation.clauses) check_clause(clause, "expect");
    }
    return std::move(failures_);
  }

 private:
  template <class... Args>
  void fail(fmt::format_string<Args...> text, Args&&... args) {
    failures_.push_back(fmt::format(text, std::forward<Args>(args)...));
  }

  void check_params() {
    if (policy_.params.size() <= kExit.value || policy_.params.size() > kMaxParams) {
      fail("{} parameters", policy_.params.size());
    }
    std::set<std::string> keys;
    for (const Param& param : policy_.params) {
      if (!keys.insert(param.key).second) fail("two parameters are called {}", param.key);
    }
  }

  void check_clause(const Clause& clause, const std::string& key) {
    if (clause.ops.empty()) fail("{}: a clause without operations", key);
    if (clause.cond.value >= policy_.conditions.size()) {
      fail("{}: a condition that does not exist", key);
      return;
    }
    for (const seatbelt::Op op : clause.ops) {
      if (info(op).subject != info(clause.ops.front()).subject) {
        fail("{}: operations with different subjects in one clause", key);
      }
    }
    for (const AtomId id : policy_.conditions.atoms_of(clause.cond)) {
      const Atom& atom = policy_.conditions.get(id);
      for (const seatbelt::Op op : clause.ops) {
        if (!accepts(op, atom.filter)) fail("{}: {} on {}", key, name(atom.filter), name(op));
      }
      for (const ParamId param : params_of(atom.text)) {
        if (param.value >= policy_.params.size()) fail("{}: a hole without a parameter", key);
      }
    }
  }

  const Policy& policy_;
  std::vector<std::string> failures_;
};

}  // namespace

std::vector<std::string> verify(const Policy& policy) { return Verifier{policy}.run(); }

}  // namespace nd7::ir
