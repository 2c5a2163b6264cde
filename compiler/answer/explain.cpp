#include "compiler/answer/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "compiler/answer/invariants.hpp"
#include "compiler/seatbelt/read/condition.hpp"

namespace nd7::answer {
namespace {

using seatbelt::Op;
using namespace seatbelt::read;

std::vector<Matching> matching_rules(const View& complete, const Request& request) {
  std::vector<Matching> result;
  const RuleBase& base = complete.side.base();
  for (std::size_t i = 0; i < base.rules.size(); ++i) {
    const Rule& rule = base.rules[i];
    if (!complete.origins[i]) continue;
    const bool names = std::any_of(rule.ops.begin(), rule.ops.end(),
                                   [&](Op op) { return is_within(request.op, op); });
    if (!names || (rule.filter && holds(base, *rule.filter, request) != Truth::yes)) continue;
    const bool allow = rule.action == Action::allow;
    const bool known = std::any_of(result.begin(), result.end(), [&](const Matching& one) {
      return one.allow == allow && one.origin.label == complete.origins[i]->label;
    });
    // The general deny of linking is what an unmatched link meets, not a rule that somebody wrote.
    if (known || complete.origins[i]->label == "nd7/links") continue;
    result.push_back({allow, *complete.origins[i]});
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const Matching& a, const Matching& b) { return !a.allow && b.allow; });
  return result;
}

/// The verb and value that a rule about this request would have; empty if only `ops` could say it.
std::string verb_line(const Request& request) {
  if (const auto* path = std::get_if<PathSubject>(&request.subject)) {
    const bool write = is_within(request.op, Op::file_write_all) || request.op == Op::file_link;
    const bool exec = is_within(request.op, Op::process_exec_all);
    const bool read = is_within(request.op, Op::file_read_all);
    if (!write && !exec && !read) return {};
    return fmt::format("{} = \"{}\"", exec ? "exec" : write ? "write" : "read", path->path);
  }
  if (const auto* ip = std::get_if<IpSubject>(&request.subject)) {
    const bool local = ip->side == seatbelt::read::Side::local;
    const bool here = ip->address.kind() == IpAddress::Kind::loopback;
    const std::string_view proto = ip->protocol == Address::Protocol::udp ? "udp/" : "";
    return fmt::format("{} = \"{}{}:{}\"", local ? "bind" : "connect", proto,
                       here ? "localhost" : "*", ip->port);
  }
  if (const auto* socket = std::get_if<UnixSubject>(&request.subject)) {
    return fmt::format("{} = \"unix:{}\"",
                       socket->side == seatbelt::read::Side::local ? "bind" : "connect",
                       socket->path);
  }
  if (const auto* service = std::get_if<MachSubject>(&request.subject)) {
    if (request.op != Op::mach_lookup) return {};
    const std::string_view kind = service->kind == seatbelt::Variant::local_name ? "local:"
                                  : service->kind == seatbelt::Variant::xpc_name ? "xpc:"
                                                                                 : "";
    return fmt::format("mach = \"{}{}\"", kind, service->name);
  }
  return {};
}

std::string change_of(const Explanation& explanation, const Request& request,
                      const Placement& placement) {
  const std::string line = verb_line(request);
  if (explanation.verdict == Verdict::allow) {
    if (line.empty()) return fmt::format("a deny of `{}` would close it", name(request.op));
    return fmt::format("to close it:\n  [deny.some-name]\n  {}", line);
  }
  if (explanation.by && explanation.by->label.rfind("nd7/", 0) == 0 &&
      explanation.by->label != "nd7/links") {
    return fmt::format("nothing opens it: {} stands above every rule and grant",
                       explanation.by->label);
  }
  if (explanation.by && explanation.by->role != laws::Role::allow &&
      explanation.by->label != "nd7/links") {
    std::string text =
        fmt::format("no grant opens it: {}{} denies it", explanation.by->label,
                    explanation.by->place.empty() ? "" : " (" + explanation.by->place + ")");
    if (!line.empty()) {
      text += fmt::format("; a rules file may lift that for this subject:\n  [relax.\"{}\"]\n  {}",
                          explanation.by->label, line);
    }
    return text;
  }
  const auto* const path = std::get_if<PathSubject>(&request.subject);
  const bool grantable = path != nullptr && path->path != placement.home &&
                         (is_within(request.op, Op::file_write_all) || request.op == Op::file_link);
  if (grantable) {
    return fmt::format(
        "`nd7 allow {}` opens it for commands of a running session; in a rules file:\n"
        "  [allow.some-name]\n  {}",
        path->path, line);
  }
  if (!line.empty()) return fmt::format("to open it:\n  [allow.some-name]\n  {}", line);
  return fmt::format("to open it:\n  [allow.some-name]\n  ops   = [\"{}\"]\n  where = 'true'",
                     name(request.op));
}

}  // namespace

Explanation explain(View& view, View& complete, const Request& request,
                    const Placement& placement) {
  Explanation result;
  Request asked = request;
  asked.user_roots = {placement.home, placement.project, placement.tmp};
  const Decision decision = seatbelt::read::decide(view.side.base(), asked, view.side.model());
  result.verdict = decision.verdict;
  result.unconfined = decision.verdict == Verdict::allow && decision.unconfined == Truth::yes;
  if (decision.by.kind == Step::Kind::rule) result.by = view.origins[decision.by.rule];
  result.matching = matching_rules(complete, asked);
  for (const Matching& other : result.matching) {
    if (result.by && other.origin.label == result.by->label) continue;
    result.runner_up = other.origin;
    break;
  }
  result.change = change_of(result, asked, placement);
  return result;
}

}  // namespace nd7::answer
