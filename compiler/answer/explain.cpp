#include "compiler/answer/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "compiler/answer/invariants.hpp"
#include "compiler/diagnostics/visible.hpp"
#include "compiler/seatbelt/read/condition.hpp"
#include "compiler/source/bidi.hpp"

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

/// `text` between the quotes of a TOML string: escapes, and no `${` that would begin a name.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Unit unit = decode_utf8(text, at);
    if (text[at] == '"' || text[at] == '\\') {
      result.push_back('\\');
      result.push_back(text[at]);
    } else if (text.substr(at, 2) == "${") {
      result += "$$";
    } else if (is_unsafe(unit.code_point)) {
      result += fmt::format("\\U{:08X}", static_cast<std::uint32_t>(unit.code_point));
    } else {
      result += text.substr(at, unit.length);
    }
    at += unit.length;
  }
  return result + "\"";
}

/// The same in a `where`, which is a TOML literal string.
std::string quoted_in_where(std::string_view text) {
  std::string result = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Unit unit = decode_utf8(text, at);
    if (text[at] == '\'' || is_unsafe(unit.code_point)) {
      result += fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(unit.code_point));
    } else {
      if (text[at] == '"' || text[at] == '\\') result.push_back('\\');
      if (text.substr(at, 2) == "${") result.push_back('$');
      result += text.substr(at, unit.length);
    }
    at += unit.length;
  }
  return result + "\"";
}

/// A path of a rule: `subpath:` where a plain one would be taken for a mistaken pattern.
std::string quoted_path(std::string_view path, std::string_view before = {}) {
  const bool odd = path.find_first_of("*?[") != std::string_view::npos;
  return quoted(fmt::format("{}{}{}", before, odd ? "subpath:" : "", path));
}

std::string full_form(Op op, const std::string& where) {
  return fmt::format("ops   = [\"{}\"]\n  where = '{}'", name(op), where);
}

/// What a rule about this request would say, in one or two lines; empty if none can.
std::string body_of(const Request& request) {
  const Op op = request.op;
  if (const auto* path = std::get_if<PathSubject>(&request.subject)) {
    // Paths of rules are text without control characters.
    if (!value_problem(path->path).empty()) return {};
    const bool write = is_within(op, Op::file_write_all) || op == Op::file_link;
    const bool exec = is_within(op, Op::process_exec_all);
    if (!write && !exec && !is_within(op, Op::file_read_all)) {
      return full_form(op, fmt::format("subpath({})", quoted_in_where(path->path)));
    }
    return fmt::format("{} = {}",
                       exec    ? "exec"
                       : write ? "write"
                               : "read",
                       quoted_path(path->path));
  }
  if (const auto* ip = std::get_if<IpSubject>(&request.subject)) {
    if (ip->port == 0) return {};
    const bool local = ip->side == seatbelt::read::Side::local;
    const bool here = ip->address.kind() == IpAddress::Kind::loopback;
    const std::string_view proto = ip->protocol == Address::Protocol::udp  ? "udp/"
                                   : ip->protocol == Address::Protocol::ip ? "ip/"
                                                                           : "";
    return fmt::format("{} = \"{}{}:{}\"", local ? "bind" : "connect", proto,
                       here ? "localhost" : "*", ip->port);
  }
  if (const auto* socket = std::get_if<UnixSubject>(&request.subject)) {
    if (!value_problem(socket->path).empty()) return {};
    return fmt::format("{} = {}", socket->side == seatbelt::read::Side::local ? "bind" : "connect",
                       quoted_path(socket->path, "unix:"));
  }
  if (const auto* service = std::get_if<MachSubject>(&request.subject)) {
    if (!value_problem(service->name).empty() || service->name.empty()) return {};
    const bool local = service->kind == seatbelt::Variant::local_name;
    const bool xpc = service->kind == seatbelt::Variant::xpc_name;
    // A `*` in the name of a verb would be a wildcard.
    if (op == Op::mach_lookup && service->name.find('*') == std::string::npos) {
      return "mach = " + quoted((local ? "local:" : xpc ? "xpc:" : "") + service->name);
    }
    return full_form(op, fmt::format("{}({})",
                                     local ? "local-name"
                                     : xpc ? "xpc-service-name"
                                           : "global-name",
                                     quoted_in_where(service->name)));
  }
  if (const auto* named = std::get_if<NameSubject>(&request.subject)) {
    const auto filter = main_filter(op);
    if (!filter || named->name.empty() || !value_problem(named->name).empty()) return {};
    if (info(*filter).value == seatbelt::FilterValue::name) {
      return full_form(op, fmt::format("{}({})", name(*filter), quoted_in_where(named->name)));
    }
    if (!seatbelt::knows_symbol(*filter, named->name)) return {};
    return full_form(op, fmt::format("{} == {}", name(*filter), named->name));
  }
  if (const auto* number = std::get_if<NumberSubject>(&request.subject)) {
    const auto filter = main_filter(op);
    if (!filter || info(*filter).value != seatbelt::FilterValue::integer) return {};
    return full_form(op, fmt::format("{} == {}", name(*filter), number->number));
  }
  if (std::holds_alternative<std::monostate>(request.subject)) return full_form(op, "true");
  return {};
}

/// The exit is opened by the compiler's own rule, in the floor only; no other rule may name it.
bool is_exit(const Request& request, const Placement& placement) {
  const auto* path = std::get_if<PathSubject>(&request.subject);
  if (path == nullptr || !is_within(request.op, Op::process_exec_all)) return false;
  return path->path == placement.exit || path->path.substr(path->path.rfind('/') + 1) == "nd7-exec";
}

/// As a shell reads it as one word.
std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:+@%";
  if (text.find_first_not_of(kPlain) == std::string_view::npos) return std::string{text};
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += "'\\'";
    result.push_back(c);
  }
  return result + "'";
}

/// Filters of the rule that might decide, on what the request does not say.
std::vector<std::string> open_facts(const RuleBase& base, const Rule& rule,
                                    const Request& request) {
  std::vector<std::string> result;
  if (!rule.filter) return result;
  const std::vector<AtomId> atoms = base.atoms_of(*rule.filter);
  for (FilterId id = 0; id < base.filters.size(); ++id) {
    const FilterNode& node = base.filters[id];
    if (node.kind != FilterNode::Kind::atom) continue;
    if (std::find(atoms.begin(), atoms.end(), node.first) == atoms.end()) continue;
    if (holds(base, id, request) != Truth::maybe) continue;
    std::string filter{name(base.atoms[node.first].filter)};
    if (std::find(result.begin(), result.end(), filter) == result.end()) {
      result.push_back(std::move(filter));
    }
  }
  return result;
}

std::string change_of(const Explanation& explanation, const Request& request,
                      const Placement& placement) {
  if (!explanation.depends_on.empty()) {
    return fmt::format("it depends on {}, which the request leaves open",
                       fmt::join(explanation.depends_on, ", "));
  }
  if (is_exit(request, placement)) {
    return "no rule may name nd7-exec: the floor alone lets it leave the sandbox";
  }
  const std::string line = body_of(request);
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
    // Seatbelt cannot say "every address but these".
    const bool address = std::holds_alternative<IpSubject>(request.subject);
    if (!line.empty() && !address) {
      text += fmt::format("; a rules file may lift that for this subject:\n  [relax.\"{}\"]\n  {}",
                          explanation.by->label, line);
    }
    return text;
  }
  const auto* const path = std::get_if<PathSubject>(&request.subject);
  const bool grantable = path != nullptr && path->path != placement.home &&
                         (is_within(request.op, Op::file_write_all) || request.op == Op::file_link);
  std::string text = grantable ? fmt::format(
                                     "`nd7 allow {}` opens it for commands of a running "
                                     "session",
                                     shell_word(path->path))
                               : std::string{};
  if (line.empty()) return text.empty() ? "no rule can say this subject alone" : text;
  text += text.empty() ? "to open it:" : "; in a rules file:";
  return text + "\n  [allow.some-name]\n  " + line;
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
  if (decision.verdict == Verdict::unknown && decision.by.kind == Step::Kind::rule) {
    const RuleBase& base = view.side.base();
    result.depends_on = open_facts(base, base.rules[decision.by.rule], asked);
  }
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
