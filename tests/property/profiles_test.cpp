// The two profiles of a session: grants only add, the seal holds, and nothing else sets them apart.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>

#include "tests/support/boundary_requests.hpp"
#include "tests/support/compile.hpp"
#include "tests/support/judge.hpp"
#include "tests/support/policy_generator.hpp"

namespace nd7::test {
namespace {

using namespace seatbelt::read;
using laws::Profile;

constexpr std::size_t kRequests = 400;

std::vector<std::string> some_paths() {
  return *rc::gen::resize(3, rc::gen::container<std::vector<std::string>>(gen::physical_path()));
}

bool is_below(std::string_view path, std::string_view root) {
  return path.rfind(root, 0) == 0 && (path.size() == root.size() || path[root.size()] == '/');
}

RC_GTEST_PROP(Profiles, AGrantOnlyAddsAndLiftsNoDeny, (const PolicyModel& policy)) {
  std::vector<std::string> grants = some_paths();
  const std::string source = to_source(policy);
  const Judge before = judge(source, Profile::command, grants);
  const std::string added = *gen::physical_path();
  grants.push_back(added);
  const Judge after = judge(source, Profile::command, grants);
  RC_LOG() << "granted " << added;
  for (const Request& request : boundary_requests(policy, kRequests)) {
    const Decision decision = before.decide(request);
    const bool now = after.allows(request);
    if (decision.verdict == Verdict::allow) {
      if (!now) RC_FAIL(describe(request) + " was allowed\n" + after.text());
      continue;
    }
    if (!now) continue;
    const std::string decider = before.decider(decision);
    const bool by_deny = decision.by.kind == Step::Kind::rule && decision.by.filtered &&
                         decision.by.action == Action::deny;
    if (by_deny) RC_FAIL(describe(request) + " was denied by `" + decider + "`\n" + after.text());
    const auto* path = std::get_if<PathSubject>(&request.subject);
    if (path == nullptr || !is_below(path->path, added)) {
      RC_FAIL(describe(request) + " is not below the grant\n" + after.text());
    }
  }
}

/// What a profile for all releases can name, or one for a single release.
bool can_name(seatbelt::Op op, std::optional<seatbelt::Release> release) {
  const auto wanted = release ? seatbelt::ReleaseSet::only(*release) : seatbelt::ReleaseSet::all();
  return info(op).releases.contains(wanted);
}

RC_GTEST_PROP(Profiles, TheSealHoldsForEveryOperation, (const PolicyModel& policy)) {
  CompileOptions options = bound_options(*rc::gen::element(Profile::floor, Profile::command));
  if (options.profile == Profile::command) {
    options.grants = some_paths();
    options.grants.emplace_back(kHomePath);
  }
  options.check.release = *rc::gen::element<std::optional<seatbelt::Release>>(
      std::nullopt, seatbelt::Release::macos13, seatbelt::Release::macos15);
  const auto imports = *rc::gen::element(Imports::kept, Imports::left_out);
  const Judge judged = judge(to_source(policy), options, imports);
  for (std::size_t i = 0; i < seatbelt::kOpCount; ++i) {
    const auto op = static_cast<seatbelt::Op>(i);
    if (!is_concrete(op) || info(op).subject != seatbelt::Subject::path) continue;
    if (!can_name(op, options.check.release)) continue;
    for (const char* below : {"", "/x", "/sessions/1/policy.sb"}) {
      for (const char* name : {"/.nd7", "/.ND7", "/.Nd7"}) {
        Request request;
        request.op = op;
        request.subject = PathSubject{std::string{kHomePath} + name + below};
        for (std::size_t model = 0; model < kModels.size(); ++model) {
          if (judged.decide(request, model).verdict != Verdict::deny) {
            RC_FAIL(describe(request) + " is not denied\n" + judged.text());
          }
        }
      }
    }
  }
  for (const std::string_view above : {kHomePath, std::string_view{"/Users"}}) {
    Request request;
    request.op = seatbelt::Op::file_write_unlink;
    request.subject = PathSubject{std::string{above}};
    RC_ASSERT(judged.decide(request).verdict == Verdict::deny);
  }
}

RC_GTEST_PROP(Profiles, DifferByExitAndGrantsOnly, (const PolicyModel& policy)) {
  const std::string source = to_source(policy);
  const std::vector<std::string> grants = some_paths();
  const Judge floor = judge(source, Profile::floor);
  const Judge command = judge(source, Profile::command);
  const Judge granted = judge(source, Profile::command, grants);
  for (const Request& request : boundary_requests(policy, kRequests)) {
    const auto* path = std::get_if<PathSubject>(&request.subject);
    const bool exit = path != nullptr && path->path == kExitPath &&
                      is_within(request.op, seatbelt::Op::process_exec_all);
    const bool allowed = command.allows(request);
    if (!exit && floor.allows(request) != allowed) {
      RC_FAIL(describe(request) + " differs\n" + floor.text() + "\n----\n" + command.text());
    }
    if (allowed == granted.allows(request)) continue;
    RC_ASSERT(!allowed && path != nullptr);
    RC_ASSERT(std::any_of(grants.begin(), grants.end(),
                          [&](const std::string& grant) { return is_below(path->path, grant); }));
  }
}

RC_GTEST_PROP(Profiles, OnlyTheExitLeavesTheSandbox, (const PolicyModel& policy)) {
  for (const Profile profile : {Profile::floor, Profile::command}) {
    const Judge judged = judge(to_source(policy), profile);
    for (const Request& request : boundary_requests(policy, kRequests)) {
      const Decision decision = judged.decide(request);
      if (decision.unconfined == Truth::no) continue;
      const auto* path = std::get_if<PathSubject>(&request.subject);
      const bool exit = path != nullptr && path->path == kExitPath &&
                        request.op == seatbelt::Op::process_exec_all && profile == Profile::floor;
      if (!exit) RC_FAIL(describe(request) + " leaves the sandbox\n" + judged.text());
    }
  }
}

}  // namespace
}  // namespace nd7::test
