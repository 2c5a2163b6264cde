#include "compiler/seatbelt/lower/losses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace nd7::seatbelt {
namespace {

using ir::CondId;
using ir::CondKind;

constexpr std::string_view kHostByPort = "macos/host-by-port";
constexpr std::string_view kDenyHost = "macos/deny-host";
constexpr std::string_view kSystemAllows = "macos/system-allows";
constexpr std::string_view kPorts = "Seatbelt sees ports, not names";

bool is_named_host(const ir::Atom& atom) {
  return info(atom.filter).value == FilterValue::address && atom.address.host != "*" &&
         atom.address.host != "localhost";
}

std::string show(const ir::Address& address, std::string_view host) {
  const std::string port = address.port < 0 ? "*" : std::to_string(address.port);
  return fmt::format("{}:{}", host, port);
}

/// `cond` with the named hosts exchanged by `host`; an empty `host` makes their filters match
/// nothing.
CondId exchange(ir::Conditions& conditions, CondId cond, std::string_view host) {
  const ir::CondNode node = conditions.node(cond);
  if (node.kind == CondKind::atom) {
    ir::Atom atom = conditions.get(node.atom);
    if (!is_named_host(atom)) return cond;
    if (host.empty()) return ir::kNever;
    atom.address.host = host;
    return conditions.atom(std::move(atom));
  }
  if (node.kids.empty()) return cond;
  std::vector<CondId> kids;
  for (const CondId kid : node.kids) kids.push_back(exchange(conditions, kid, host));
  switch (node.kind) {
    case CondKind::negation: return conditions.negate(kids.front());
    case CondKind::all: return conditions.all(std::move(kids));
    default: return conditions.any(std::move(kids));
  }
}

}  // namespace

CondId Losses::apply(CondId cond, const laws::Term& term) {
  const ir::Address* named = nullptr;
  for (const ir::AtomId id : policy_.conditions.atoms_of(cond)) {
    const ir::Atom& atom = policy_.conditions.get(id);
    if (is_named_host(atom) && named == nullptr) named = &atom.address;
  }
  if (named == nullptr) return cond;
  const bool allow = term.role == laws::Role::allow || term.role == laws::Role::grant;
  const std::string wanted = show(*named, named->host);
  const std::string elsewhere = show(*named, "192.0.2.1");
  if (allow) {
    report(kHostByPort, term,
           fmt::format("on macOS `{}` opens {} on every host", term.label,
                       named->port < 0 ? "every port" : fmt::format("port {}", named->port)),
           fmt::format("`connect {}` would be allowed, `{}` was meant", elsewhere, wanted), kPorts);
  } else {
    report(kDenyHost, term,
           fmt::format("on macOS `{}` cannot be kept for `{}`", term.label, wanted),
           fmt::format("`connect {}` stays allowed wherever another rule allows the port", wanted),
           kPorts);
  }
  return exchange(policy_.conditions, cond, allow ? "*" : "");
}

void Losses::report_total_deny(const std::vector<Op>& ops, const laws::Term& term) {
  // Apple's files open neither running programs nor forking to everybody.
  const auto open = std::find_if(ops.begin(), ops.end(), [](Op op) {
    return !is_within(op, Op::process_exec_all) && op != Op::process_fork;
  });
  if (open == ops.end()) return;
  report(
      kSystemAllows, term,
      fmt::format("on macOS `{}` cannot be kept for all of `{}`", term.label, name(*open)),
      fmt::format("a request of `{}` that system.sb allows by itself stays allowed", name(*open)),
      "no filter matches every request of the operation, so none outranks Apple's own rules");
}

void Losses::report(std::string_view loss, const laws::Term& term, const std::string& message,
                    const std::string& witness, std::string_view help) {
  occurred_.emplace(loss);
  const auto accepted =
      std::find_if(policy_.acceptances.begin(), policy_.acceptances.end(),
                   [&](const ir::Acceptance& acceptance) { return acceptance.loss == loss; });
  if (accepted != policy_.acceptances.end()) {
    auto& d = diagnostics_.add(Code::ND5003, term.span, message);
    d.notes.push_back(witness);
    d.labels.push_back({accepted->span, "accepted here"});
    return;
  }
  const Code code = loss == kHostByPort ? Code::ND5002 : Code::ND5001;
  auto& d = diagnostics_.add(code, term.span, message);
  d.notes.push_back(witness);
  d.helps.push_back(fmt::format(
      "{}; if that is acceptable, write under `[accept]`: \"{}\" = \"the reason\"", help, loss));
}

void Losses::report_unused() {
  for (const ir::Acceptance& acceptance : policy_.acceptances) {
    const bool ours = acceptance.loss.rfind("macos/", 0) == 0;
    if (!ours || occurred_.count(acceptance.loss) != 0) continue;
    diagnostics_
        .add(Code::ND2046, acceptance.span,
             fmt::format("`{}` does not occur any more", acceptance.loss))
        .helps.emplace_back("remove the line, so that a new loss is noticed");
  }
}

}  // namespace nd7::seatbelt
