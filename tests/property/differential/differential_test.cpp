// Three answers to the same request: what the rules mean (the oracle), what the text says (read
// back, under every reading of precedence), and what the engine finds.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "compiler/answer/search.hpp"
#include "compiler/seatbelt/read/profile.hpp"
#include "tests/support/boundary_requests.hpp"
#include "tests/support/compile.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/policy_generator.hpp"

namespace nd7::test {
namespace {

using namespace seatbelt::read;
using answer::Level;
using answer::Relation;
using laws::Profile;

constexpr std::size_t kRequests = 300;
constexpr std::size_t kOperations = 10;

/// A policy, and its text read back without the import.
struct Both {
  ir::Policy policy;
  std::string text;
  RuleBase base;
  OracleOptions options;

  [[nodiscard]] std::optional<Level> meant(const Request& request) const {
    return oracle(policy, request, options);
  }
};

Both compiled(const PolicyModel& model, Profile profile, std::vector<std::string> grants,
              bool with_agent) {
  CompileOptions options = bound_options(profile);
  options.grants = grants;
  options.protect = {"/opt/rules/Team.toml"};
  options.size_budget = SIZE_MAX;
  Compilation compilation = compile_text(to_source(model), options);
  if (!compilation.result) RC_FAIL("does not compile:\n" + compilation.log());
  if (!compilation.result->bugs.empty()) RC_FAIL(compilation.result->bugs.front());
  Both both{std::move(compilation.result->policy),
            compilation.result->printed.text,
            {},
            {profile, std::move(grants), options.protect}};
  SourceMap sources;
  Diagnostics diagnostics;
  const FileId file = sources.add("profile", {}, both.text);
  ReadOptions read;
  if (with_agent) {
    give(both.policy, "p.agent", kAgentPath);
    read.parameters.push_back({"p.agent", Parameter::Kind::bound, std::string{kAgentPath}});
  }
  auto base = read_profile(sources, {&file, 1}, read, diagnostics);
  if (!base) RC_FAIL("is not read back:\n" + both.text);
  both.base = std::move(*base);
  return both;
}

std::vector<Step> without_import(const RuleBase& base, seatbelt::Op op, Model model) {
  std::vector<Step> all = steps(base, op, model);
  std::erase_if(all, [](const Step& step) { return step.kind == Step::Kind::import; });
  return all;
}

Level level(const Decision& decision) {
  if (decision.verdict != Verdict::allow) return Level::deny;
  return decision.unconfined == Truth::yes ? Level::unconfined : Level::allow;
}

std::vector<std::string> some_paths() {
  return *rc::gen::resize(3, rc::gen::container<std::vector<std::string>>(gen::physical_path()));
}

RC_GTEST_PROP(Differential, TheTextSaysWhatTheRulesMean, (const PolicyModel& model)) {
  const auto profile = *rc::gen::element(Profile::floor, Profile::command);
  const auto grants = profile == Profile::command ? some_paths() : std::vector<std::string>{};
  const Both both = compiled(model, profile, grants, *rc::gen::arbitrary<bool>());
  std::map<std::pair<seatbelt::Op, std::size_t>, std::vector<Step>> consulted;
  std::size_t known = 0;
  const auto requests = boundary_requests(model, kRequests);
  for (const Request& request : requests) {
    const auto meant = both.meant(request);
    if (!meant) continue;
    ++known;
    for (std::size_t i = 0; i < kModels.size(); ++i) {
      const auto [at, fresh] = consulted.try_emplace({request.op, i});
      if (fresh) at->second = without_import(both.base, request.op, kModels[i]);
      const Decision decision = seatbelt::read::decide(both.base, request, at->second);
      if (decision.verdict != Verdict::unknown && level(decision) == *meant) continue;
      RC_FAIL(describe(request) + " is meant " + std::string{to_string(*meant)} + ", model " +
              std::to_string(i) + " of the text says otherwise\n" + both.text);
    }
  }
  RC_ASSERT(known * 10 >= requests.size() * 9);
}

bool related(Level first, Level second, Relation relation) {
  return relation == Relation::above ? first > second
                                     : first != Level::deny && second != Level::deny;
}

/// What the engine says about two policies agrees with what the oracle says about requests.
void check_engine(const Both& one, const Both& other, answer::Side& first, answer::Side& second,
                  seatbelt::Op op, Relation relation, const std::vector<Request>& requests) {
  const answer::Found found = find(first, second, op, relation);
  if (found.answer == decide::Answer::undecided) return;
  if (found.answer == decide::Answer::yes) {
    const auto a = one.meant(found.request);
    const auto b = other.meant(found.request);
    if (a && b && !related(*a, *b, relation)) {
      RC_FAIL("found " + describe(found.request) + ", but the rules do not say so\n" + one.text +
              "----\n" + other.text);
    }
    return;
  }
  for (const Request& request : requests) {
    if (request.op != op) continue;
    const auto a = one.meant(request);
    const auto b = other.meant(request);
    if (a && b && related(*a, *b, relation)) {
      RC_FAIL("nothing was found, but there is " + describe(request) + "\n" + one.text + "----\n" +
              other.text);
    }
  }
}

RC_GTEST_PROP(Differential, TheEngineFindsWhatTheRulesMean,
              (const PolicyModel& model, PolicyModel changed)) {
  // Either two policies that have nothing to do with each other, or one with a rule more.
  if (*rc::gen::arbitrary<bool>()) {
    changed = model;
    changed.rules.push_back(
        *gen::rule(*rc::gen::element(RuleModel::Effect::allow, RuleModel::Effect::deny), "new"));
  }
  const Both one = compiled(model, Profile::floor, {}, true);
  const Both other = compiled(changed, Profile::floor, {}, true);
  answer::Side first{one.base};
  answer::Side second{other.base};
  auto requests = boundary_requests(model, kRequests);
  const auto more = boundary_requests(changed, kRequests);
  requests.insert(requests.end(), more.begin(), more.end());
  std::set<seatbelt::Op> ops;
  for (const Request& request : requests) {
    if (ops.size() < kOperations) ops.insert(request.op);
  }
  for (const seatbelt::Op op : ops) {
    check_engine(one, other, first, second, op, Relation::above, requests);
    check_engine(other, one, second, first, op, Relation::above, requests);
    check_engine(one, other, first, second, op, Relation::both, requests);
  }
}

}  // namespace
}  // namespace nd7::test
