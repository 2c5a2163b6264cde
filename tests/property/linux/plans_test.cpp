// Random policies as Linux plans: what a plan says beside what the rules say is a named loss, and
// the two forms of the model, plain code and the engine's, say the same.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "compiler/linux/lower.hpp"
#include "compiler/linux/model_text.hpp"
#include "compiler/linux/print.hpp"
#include "compiler/linux/read.hpp"
#include "compiler/linux/requests.hpp"
#include "compiler/linux/validate.hpp"
#include "tests/support/boundary_requests.hpp"
#include "tests/support/compile.hpp"
#include "tests/support/policy_generator.hpp"
#include "tests/support/term_oracle.hpp"

namespace nd7::test {
namespace {

using namespace seatbelt;
using namespace seatbelt::read;
using laws::Profile;
using linux_plan::Plan;
using linux_plan::Validation;

constexpr std::size_t kRequests = 400;

struct Planned {
  Analysed analysed;
  SourceMap sources;
  Plan plan;
  std::string text;
};

Planned planned(const PolicyModel& model, Profile profile, bool with_agent, Style style = {}) {
  CompileOptions options = bound_options(profile);
  options.check.target = ir::Target::linux;
  options.protect = {"/opt/rules/Team.toml"};
  if (profile == Profile::command) options.grants = {"/srv/data", "/Users/dev/notes"};
  Planned result;
  Diagnostics diagnostics;
  const FileId root = result.sources.add("root.toml", "/rules/root.toml", to_source(model, style));
  auto analysed = analyse(result.sources, MemoryFiles{}, root, options, diagnostics);
  if (!analysed || diagnostics.has_errors()) RC_FAIL("does not compile:\n" + to_source(model));
  for (ir::Param& param : analysed->policy.params) {
    if (with_agent && param.key == "p.agent") param.value = std::string{kAgentPath};
  }
  result.plan = linux_plan::lower(analysed->policy, analysed->terms, profile);
  result.text = linux_plan::print(result.plan);
  result.analysed = std::move(*analysed);
  return result;
}

bool has(const Validation& validation, bool widening) {
  return std::any_of(validation.losses.begin(), validation.losses.end(),
                     [&](const linux_plan::Loss& loss) { return loss.widening == widening; });
}

bool in_private_place(const std::string& path) {
  for (const std::string root : {"/tmp", "/dev/shm", "/run/user"}) {
    if (path == root || path.rfind(root + "/", 0) == 0) return true;
  }
  return false;
}

/// Nothing is there: a file that is closed has nothing below it.
bool is_below_closed_file(const Plan& plan, const std::string& path) {
  for (const auto* const carves : {&plan.closed, &plan.readonly, &plan.noexec, &plan.no_sockets}) {
    for (const linux_plan::Carve& carve : *carves) {
      if (carve.tree.file && path.rfind(carve.tree.path + "/", 0) == 0) return true;
    }
  }
  return false;
}

/// What the plan says, where that is about the host and is compared with the rules.
std::optional<bool> decided(const Plan& plan, const Request& request) {
  const bool own_socket =
      std::holds_alternative<UnixSubject>(request.subject) && request.op != Op::network_outbound;
  const bool builtin = request.op == Op::file_test_existence ||
                       request.op == Op::file_map_executable || request.op == Op::file_ioctl;
  const bool other = std::holds_alternative<std::monostate>(request.subject) ||
                     std::holds_alternative<NameSubject>(request.subject);
  if (own_socket || builtin || other) return std::nullopt;
  if (const auto* path = std::get_if<PathSubject>(&request.subject)) {
    if (in_private_place(path->path)) return std::nullopt;
  }
  const auto decision = linux_plan::decide(plan, request);
  return decision ? std::optional{decision->allowed} : std::nullopt;
}

RC_GTEST_PROP(LinuxPlans, SayWhatTheRulesSayButForLosses, (const PolicyModel& model)) {
  const auto profile = *rc::gen::element(Profile::floor, Profile::command);
  const Planned one = planned(model, profile, *rc::gen::arbitrary<bool>());
  const Validation validation =
      linux_plan::validate(one.analysed.policy, one.analysed.terms, profile, one.text, one.sources);
  if (validation.outcome == Validation::Outcome::undecided) return;
  if (validation.outcome != Validation::Outcome::kept) {
    RC_FAIL(validation.reason + "\n" + one.text);
  }
  for (const Request& request : boundary_requests(model, kRequests)) {
    const auto said = decided(one.plan, request);
    const auto meant = term_oracle(one.analysed.policy, one.analysed.terms, request);
    if (!said || !meant || *said == *meant || has(validation, *said)) continue;
    const auto* const path = std::get_if<PathSubject>(&request.subject);
    const auto* const socket = std::get_if<UnixSubject>(&request.subject);
    if (path != nullptr && is_below_closed_file(one.plan, path->path)) continue;
    if (socket != nullptr && is_below_closed_file(one.plan, socket->path)) continue;
    RC_FAIL(describe(request) + (*said ? " is allowed" : " is denied") +
            " and meant otherwise, and no loss says so\n" + one.text);
  }
}

/// With open parameters, wherever they lie. Few, since each is judged at many places.
TEST(LinuxPlansEverywhere, StayWithinTheirBounds) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const PolicyModel model =
        gen::policy({4, seed % 4 == 0, true, true})(rc::Random{seed}, 30).value();
    CompileOptions options;
    options.check.target = ir::Target::linux;
    SourceMap sources;
    Diagnostics diagnostics;
    const FileId root = sources.add("root.toml", "/rules/root.toml", to_source(model));
    auto analysed = analyse(sources, MemoryFiles{}, root, options, diagnostics);
    ASSERT_TRUE(analysed) << to_source(model);
    if (diagnostics.has_errors()) continue;
    const std::string text =
        linux_plan::print(linux_plan::lower(analysed->policy, analysed->terms, Profile::floor));
    const Validation validation =
        linux_plan::validate(analysed->policy, analysed->terms, Profile::floor, text, sources);
    EXPECT_NE(validation.outcome, Validation::Outcome::different) << validation.reason << '\n'
                                                                  << to_source(model) << text;
    EXPECT_NE(validation.outcome, Validation::Outcome::unreadable) << validation.reason;
  }
}

RC_GTEST_PROP(LinuxPlans, BothFormsOfTheModelAgree, (const PolicyModel& model)) {
  const Planned one = planned(model, Profile::floor, true);
  const Plan plan = linux_plan::read(one.text).plan.value();
  std::string bug;
  auto side = linux_plan::model_side(plan, bug);
  if (!side) RC_FAIL(bug);
  for (const Request& request : boundary_requests(model, kRequests)) {
    const auto said = decided(plan, request);
    if (!said) continue;
    if (*said == (side->level(request) != answer::Level::deny)) continue;
    RC_FAIL(describe(request) + " is decided in two ways\n" + linux_plan::model_text(plan));
  }
}

RC_GTEST_PROP(LinuxPlans, AreReadBackAsTheyArePrinted, (const PolicyModel& model)) {
  const Planned one = planned(model, Profile::command, false);
  const auto read = linux_plan::read(one.text);
  if (!read.plan) RC_FAIL(read.reason + "\n" + one.text);
  RC_ASSERT(*read.plan == one.plan);
  RC_ASSERT(linux_plan::print(*read.plan) == one.text);
}

RC_GTEST_PROP(LinuxPlans, DoNotDependOnTheOrderOfRules, (const PolicyModel& model)) {
  PolicyModel turned = model;
  std::reverse(turned.rules.begin(), turned.rules.end());
  RC_ASSERT(planned(model, Profile::floor, true).text ==
            planned(turned, Profile::floor, true).text);
}

}  // namespace
}  // namespace nd7::test
