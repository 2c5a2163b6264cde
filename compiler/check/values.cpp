#include "compiler/check/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "compiler/diagnostics/suggest.hpp"

namespace nd7 {
namespace {

using ir::Atom;
using seatbelt::Filter;
using seatbelt::Verb;
using seatbelt::VerbValue;

constexpr std::array<std::string_view, 7> kTargets{"self",         "pgrp",     "others", "children",
                                                   "same-sandbox", "initproc", "any"};

std::optional<ir::Proto> find_proto(std::string_view text) {
  for (int i = 0; i <= static_cast<int>(ir::Proto::udp6); ++i) {
    const auto proto = static_cast<ir::Proto>(i);
    if (ir::to_string(proto) == text) return proto;
  }
  return std::nullopt;
}

bool is_host_name(std::string_view host) {
  const auto good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
  };
  return !host.empty() && host.size() <= 253 && host.front() != '-' &&
         std::all_of(host.begin(), host.end(), good);
}

bool is_ip6(std::string_view host) {
  const auto good = [](char c) {
    return (c >= 'a' && c <= 'f') || (c >= '0' && c <= '9') || c == '.' || c == ':';
  };
  return host.size() >= 2 && host.find(':') != std::string_view::npos &&
         std::all_of(host.begin(), host.end(), good);
}

/// "HOST:PORTS" taken apart.
struct HostPorts {
  std::string host;
  int first = -1;  ///< -1: any port
  int last = -1;
};

class ValueParser {
 public:
  ValueParser(Verb verb, const Expanded& value, ir::Policy& policy, Diagnostics& diagnostics)
      : verb_(verb), value_(value), policy_(policy), diagnostics_(diagnostics) {}

  std::optional<VerbCondition> run() {
    const VerbValue kind = info(verb_).value;
    if (kind != VerbValue::path && kind != VerbValue::address && ir::has_holes(value_.text)) {
      needs_value();
      return std::nullopt;
    }
    if (has_control_character(value_.text)) {
      diagnostics_.add(Code::ND2022, value_.span, "a value with a control character");
      return std::nullopt;
    }
    switch (kind) {
      case VerbValue::path: return path();
      case VerbValue::address: return address();
      case VerbValue::service: return service();
      case VerbValue::target: return target();
      case VerbValue::name:
        return named(Filter::sysctl_name, Filter::sysctl_name_prefix, value_.text);
    }
    return std::nullopt;
  }

 private:
  void needs_value() {
    diagnostics_.add(Code::ND2035, value_.span, "a parameter here needs its value when compiling")
        .helps.emplace_back(
            "give it a `default`, set it where the set is used, or bind it with -D");
  }

  ir::CondId atom(Atom atom) { return policy_.conditions.atom(std::move(atom)); }

  std::optional<VerbCondition> path() {
    auto parsed = parse_path_value(value_, policy_.target, diagnostics_);
    if (!parsed) return std::nullopt;
    // Everything lies below the root, so this is no test at all.
    if (parsed->atom.filter == Filter::subpath && parsed->atom.text == "/") {
      return VerbCondition{ir::kAlways, false, {}};
    }
    return VerbCondition{atom(std::move(parsed->atom)), parsed->directory, std::move(parsed->name)};
  }

  std::optional<VerbCondition> unix_socket() {
    Expanded rest = value_;
    constexpr std::size_t kPrefix = 5;  // unix:
    rest.text.erase(0, kPrefix);
    for (auto& [begin, end] : rest.literal) {
      begin -= std::min(begin, kPrefix);
      end -= std::min(end, kPrefix);
    }
    if (rest.text == "*") {
      const Filter any = verb_ == Verb::bind ? Filter::local_unix : Filter::remote_unix;
      return VerbCondition{atom({any, {}, 0, {}}), false, {}};
    }
    auto parsed = parse_path_value(rest, policy_.target, diagnostics_);
    if (!parsed) return std::nullopt;
    return VerbCondition{atom(std::move(parsed->atom)), false, {}};
  }

  std::optional<VerbCondition> address() {
    if (value_.text.rfind("unix:", 0) == 0) return unix_socket();
    if (ir::has_holes(value_.text)) {
      needs_value();
      return std::nullopt;
    }
    std::string_view text = value_.text;
    ir::Proto proto = ir::Proto::tcp;
    if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
      const auto found = find_proto(text.substr(0, slash));
      if (!found) {
        auto& d = diagnostics_.add(Code::ND2026, value_.span,
                                   fmt::format("`{}` is not a protocol", text.substr(0, slash)));
        d.helps.emplace_back(
            "write `HOST:PORT`, `udp/HOST:PORT`, or `unix:/path` for a socket file");
        return std::nullopt;
      }
      proto = *found;
      text.remove_prefix(slash + 1);
    }
    for (std::size_t at = value_.text.find('*'); at != std::string::npos;
         at = value_.text.find('*', at + 1)) {
      if (!value_.is_literal(at)) continue;
      diagnostics_.add(Code::ND2026, value_.span, "a `*` that comes from a name is no wildcard")
          .helps.emplace_back("for every host or every port, write the `*` itself");
      return std::nullopt;
    }
    const auto parts = host_ports(text);
    if (!parts) return std::nullopt;
    const Filter filter = verb_ == Verb::bind ? Filter::local : Filter::remote;
    if (verb_ == Verb::bind && !is_seatbelt_host(parts->host)) {
      diagnostics_.add(Code::ND2027, value_.span,
                       fmt::format("an own address is `*` or `localhost`, not `{}`", parts->host));
      return std::nullopt;
    }
    std::vector<ir::CondId> kids;
    for (int port = parts->first; port <= parts->last; ++port) {
      kids.push_back(atom({filter, {}, 0, {proto, parts->host, port}}));
    }
    return VerbCondition{policy_.conditions.any(std::move(kids)), false, {}};
  }

  std::optional<HostPorts> host_ports(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    const auto malformed = [&](std::string_view what) {
      auto& d = diagnostics_.add(Code::ND2026, value_.span, fmt::format("{} in `{}`", what, text));
      d.helps.emplace_back("an address is `HOST:PORT`: `*:443`, `localhost:3000-3010`, `udp/*:53`");
      return std::nullopt;
    };
    if (colon == std::string_view::npos) return malformed("no port");
    HostPorts result;
    std::string_view host = text.substr(0, colon);
    const std::string_view ports = text.substr(colon + 1);
    const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
    if (bracketed) host = host.substr(1, host.size() - 2);
    for (const char c : host) {
      result.host.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
    }
    if (result.host != "*" && !(bracketed ? is_ip6(result.host) : is_host_name(result.host))) {
      return malformed("no host that a name or address could be");
    }
    if (result.host == "127.0.0.1" || result.host == "::1") {
      auto& d = diagnostics_.add(Code::ND2027, value_.span,
                                 fmt::format("`{}` is written `localhost`", result.host));
      d.helps.emplace_back("`localhost` means both 127.0.0.1 and ::1");
      return std::nullopt;
    }
    if (ports == "*") return result;
    const std::size_t dash = ports.find('-');
    if (dash != std::string_view::npos &&
        value_.is_literal(static_cast<std::size_t>(ports.data() - value_.text.data()) + dash)) {
      diagnostics_.add(Code::ND2026, value_.span, "a `-` that comes from a name makes no range")
          .helps.emplace_back("write both ports, `${first}-${last}`, or the range itself");
      return std::nullopt;
    }
    const auto first = parse_port(ports.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parse_port(ports.substr(dash + 1));
    if (!first || !last) return malformed("no port from 1 to 65535");
    if (*first == 0) return malformed("port 0");
    if (*first > *last || *last - *first >= kMaxPortsInVerb) {
      diagnostics_.add(
          Code::ND2028, value_.span,
          fmt::format("a range holds from 1 to {} ports, in rising order", kMaxPortsInVerb));
      return std::nullopt;
    }
    result.first = *first;
    result.last = *last;
    return result;
  }

  std::optional<VerbCondition> service() {
    std::string_view text = value_.text;
    if (text.rfind("local:", 0) == 0) {
      return named(Filter::local_name, Filter::local_name_prefix, text.substr(6));
    }
    if (text.rfind("xpc:", 0) == 0) {
      return named(Filter::xpc_service_name, Filter::xpc_service_name_prefix, text.substr(4));
    }
    return named(Filter::global_name, Filter::global_name_prefix, text);
  }

  std::optional<VerbCondition> named(Filter exact, Filter prefix, std::string_view text) {
    if (text.empty()) {
      diagnostics_.add(Code::ND2012, value_.span, "an empty name");
      return std::nullopt;
    }
    const std::size_t star = text.find('*');
    if (star == std::string_view::npos) {
      return VerbCondition{atom({exact, std::string{text}, 0, {}}), false, {}};
    }
    // A name's value is text: it does not turn one service into all of them.
    const auto at = static_cast<std::size_t>(text.data() - value_.text.data()) + star;
    if (value_.is_literal(at)) {
      diagnostics_.add(Code::ND2009, value_.span, "a `*` that comes from a name is no wildcard")
          .helps.emplace_back("write the `*` itself, behind the name: `${prefix}*`");
      return std::nullopt;
    }
    if (star + 1 != text.size()) {
      diagnostics_.add(Code::ND2009, value_.span, "`*` stands only at the end of a name")
          .helps.push_back(fmt::format("in `where`, `{}-regex(\"…\")` takes a regular expression",
                                       seatbelt::name(exact)));
      return std::nullopt;
    }
    if (star == 0 && exact == Filter::sysctl_name) return VerbCondition{ir::kAlways, false, {}};
    return VerbCondition{atom({prefix, std::string{text.substr(0, star)}, 0, {}}), false, {}};
  }

  std::optional<VerbCondition> target() {
    if (std::find(kTargets.begin(), kTargets.end(), value_.text) == kTargets.end()) {
      auto& d = diagnostics_.add(Code::ND2009, value_.span,
                                 fmt::format("`{}` is not a target of signals", value_.text));
      if (const auto near = nearest(value_.text, kTargets)) {
        d.fixits.push_back(
            {value_.span, "\"" + *near + "\"", fmt::format("did you mean `{}`?", *near)});
      } else {
        d.helps.push_back(fmt::format("the targets are `{}`", fmt::join(kTargets, "`, `")));
      }
      return std::nullopt;
    }
    if (value_.text == "any") return VerbCondition{ir::kAlways, false, {}};
    return VerbCondition{atom({Filter::target, value_.text, 0, {}}), false, {}};
  }

  Verb verb_;
  const Expanded& value_;
  ir::Policy& policy_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::optional<VerbCondition> parse_verb_value(Verb verb, const Expanded& value, ir::Policy& policy,
                                              Diagnostics& diagnostics) {
  return ValueParser{verb, value, policy, diagnostics}.run();
}

bool is_seatbelt_host(std::string_view host) { return host == "*" || host == "localhost"; }

std::optional<int> parse_port(std::string_view text) {
  if (text.empty() || text.size() > 5 || (text.size() > 1 && text.front() == '0'))
    return std::nullopt;
  int port = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    port = port * 10 + (c - '0');
  }
  if (port > 65535) return std::nullopt;
  return port;
}

}  // namespace nd7
