#include "tests/support/boundary_requests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace nd7::test {
namespace {

using namespace seatbelt;
using namespace seatbelt::read;

/// Everything that values of a policy name, by kind.
struct Named {
  std::set<std::string> paths;
  std::set<std::string> names;
  std::set<std::string> targets;
  std::set<int> ports;
  std::map<Filter, std::set<std::string>> facts;
};

std::string other_case(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') {
      c = static_cast<char>(c - 'a' + 'A');
    } else if (c >= 'A' && c <= 'Z') {
      c = static_cast<char>(c - 'A' + 'a');
    }
  }
  return text;
}

void add_around(const std::string& path, std::set<std::string>& into) {
  if (path == "/") {
    into.insert({path, "/child"});
    return;
  }
  const std::size_t slash = path.rfind('/');
  const std::string parent = slash == 0 ? "/" : path.substr(0, slash);
  const std::string name = path.substr(slash + 1);
  into.insert({path, parent, path + "/child", path + "/.env", path + "2", path + ".bak"});
  into.insert((parent == "/" ? "" : parent) + "/sibling");
  if (name.size() > 1) into.insert(path.substr(0, path.size() - 1));
  into.insert(path.substr(0, slash + 1) + other_case(name));
}

void add(const Value& value, const PolicyModel& policy, Named& named) {
  if (const auto* path = std::get_if<PathValue>(&value)) {
    for (const std::string& sample : samples(*path, policy)) add_around(sample, named.paths);
  } else if (const auto* socket = std::get_if<SocketValue>(&value)) {
    for (const std::string& sample : samples(socket->path, policy)) add_around(sample, named.paths);
    named.facts[Filter::vnode_type].insert({"SOCKET", "OTHER"});
  } else if (const auto* address = std::get_if<AddressValue>(&value)) {
    if (address->first < 0) return;
    for (const int port : {address->first - 1, address->first, address->last, address->last + 1}) {
      if (port > 0 && port < 65536) named.ports.insert(port);
    }
  } else if (const auto* name = std::get_if<NameValue>(&value)) {
    named.names.insert({name->name, name->name + "x", name->name.substr(0, name->name.size() / 2)});
  }
}

void add(const Expression& expression, Named& named) {
  for (const Expression& kid : expression.kids) add(kid, named);
  if (expression.kind != Expression::Kind::test) return;
  const bool fact = expression.filter == Filter::vnode_type || expression.filter == Filter::xattr ||
                    expression.filter == Filter::signal_number;
  if (!fact) return;
  for (const Value& value : expression.values) {
    std::string text = to_text(value);
    if (expression.filter == Filter::vnode_type) text = other_case(text);
    named.facts[expression.filter].insert(std::move(text));
  }
  named.facts[expression.filter].insert(expression.filter == Filter::signal_number ? "1" : "OTHER");
}

Named named_by(const PolicyModel& policy) {
  Named named;
  for (const RuleModel& rule : policy.rules) {
    for (const Value& value : values_of(rule)) add(value, policy, named);
    add(rule.where, named);
  }
  for (const std::string_view place : {kHomePath, kProjectPath, kTmpPath, kExitPath}) {
    add_around(std::string{place}, named.paths);
  }
  const std::string home{kHomePath};
  named.paths.insert({"/", "/Users", home + "/.nd7", home + "/.nd7/sessions/1/policy.sb",
                      home + "/.ND7/x", home + "/.nd7x", home + "/.ssh/id_rsa"});
  named.ports.insert({1, 443, 65535});
  named.names.insert({"a", "com.apple.a"});
  return named;
}

std::set<Op> operations(const PolicyModel& policy) {
  std::set<Op> result;
  const auto add_family = [&](Op root) {
    for (const Op op : family(root)) {
      if (is_concrete(op)) result.insert(op);
    }
  };
  add_family(Op::file_read_all);
  add_family(Op::file_write_all);
  for (const RuleModel& rule : policy.rules) {
    for (const Op op : operations_of(rule)) {
      Op root = op;
      while (parent(root) && *parent(root) != Op::default_) root = *parent(root);
      add_family(root);
      if (info(op).subject != Subject::path) continue;
      result.insert({Op::file_link, Op::file_clone, Op::file_test_existence,
                     Op::file_map_executable, Op::file_write_setugid, Op::fs_rename});
    }
  }
  return result;
}

std::vector<SubjectValue> network_subjects(const Named& named, Side side) {
  std::vector<SubjectValue> result;
  for (const int port : named.ports) {
    for (const char* host : {"127.0.0.1", "::1", "93.184.216.34", "2606:2800::1"}) {
      for (const auto protocol : {Address::Protocol::tcp, Address::Protocol::udp}) {
        result.emplace_back(
            IpSubject{protocol, *parse_ip(host), static_cast<std::uint16_t>(port), side});
      }
    }
  }
  for (const std::string& path : named.paths) result.emplace_back(UnixSubject{path, side});
  if (side == Side::remote) {
    for (const std::string& name : named.names) result.emplace_back(ControlSubject{name});
  }
  return result;
}

std::vector<SubjectValue> subjects(Op op, const Named& named) {
  std::vector<SubjectValue> result;
  switch (info(op).subject) {
    case Subject::path:
      for (const std::string& path : named.paths) result.emplace_back(PathSubject{path});
      return result;
    case Subject::network:
    case Subject::outbound: return network_subjects(named, Side::remote);
    case Subject::inbound: return network_subjects(named, Side::local);
    case Subject::mach:
      for (const std::string& name : named.names) {
        for (const Variant kind : {Variant::global_name, Variant::local_name, Variant::xpc_name}) {
          result.emplace_back(MachSubject{kind, name});
        }
      }
      return result;
    case Subject::process:
    case Subject::signal:
      for (const char* target : {"self", "children", "others", "pgrp"}) {
        result.emplace_back(NameSubject{target});
      }
      return result;
    case Subject::none: return {std::monostate{}};
    default:
      for (const std::string& name : named.names) result.emplace_back(NameSubject{name});
      return result;
  }
}

}  // namespace

std::vector<Request> boundary_requests(const PolicyModel& policy, std::size_t limit) {
  const Named named = named_by(policy);
  std::vector<std::pair<Op, SubjectValue>> all;
  for (const Op op : operations(policy)) {
    for (SubjectValue& subject : subjects(op, named)) all.emplace_back(op, std::move(subject));
  }
  // Spread by a stride without a common divisor, so that no operation or subject is left out.
  std::vector<Request> result;
  const std::size_t stride = all.size() % 7919 == 0 ? 7907 : 7919;
  for (std::size_t i = 0; i < std::min(limit, all.size()); ++i) {
    const auto& [op, subject] = all[i * stride % all.size()];
    Request request;
    request.op = op;
    request.subject = subject;
    for (const auto& [filter, values] : named.facts) {
      if (!accepts(op, filter)) continue;
      request.facts.push_back(
          {filter, *std::next(values.begin(), static_cast<std::ptrdiff_t>(i % values.size()))});
    }
    result.push_back(std::move(request));
  }
  return result;
}

std::string describe(const Request& request) {
  std::string text{name(request.op)};
  if (const auto* path = std::get_if<PathSubject>(&request.subject)) text += " path " + path->path;
  if (const auto* socket = std::get_if<UnixSubject>(&request.subject))
    text += " unix " + socket->path;
  if (const auto* ip = std::get_if<IpSubject>(&request.subject)) {
    text += fmt::format(" {} {}:{}", ip->protocol == Address::Protocol::udp ? "udp" : "tcp",
                        ip->address.kind() == IpAddress::Kind::loopback ? "localhost" : "elsewhere",
                        ip->port);
  }
  if (const auto* service = std::get_if<MachSubject>(&request.subject))
    text += " mach " + service->name;
  if (const auto* control = std::get_if<ControlSubject>(&request.subject))
    text += " control " + control->name;
  if (const auto* named = std::get_if<NameSubject>(&request.subject))
    text += " name " + named->name;
  for (const Fact& fact : request.facts)
    text += fmt::format("; {}={}", name(fact.filter), fact.value);
  return text;
}

}  // namespace nd7::test
