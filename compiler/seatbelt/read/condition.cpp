#include "compiler/seatbelt/read/condition.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "compiler/seatbelt/read/literal.hpp"

namespace nd7::seatbelt::read {
namespace {

Truth truth(bool value) { return value ? Truth::yes : Truth::no; }

Truth negate(Truth value) {
  return value == Truth::maybe ? Truth::maybe : truth(value == Truth::no);
}

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

FamilyMember find_family(Filter filter) {
  switch (filter) {
    case Filter::literal: return {Filter::literal, TextTest::exact};
    case Filter::prefix: return {Filter::literal, TextTest::prefix};
    case Filter::subpath: return {Filter::literal, TextTest::subpath};
    case Filter::regex: return {Filter::literal, TextTest::regex};
    case Filter::path_ancestors: return {Filter::literal, TextTest::ancestors};
    case Filter::mount_relative_prefix: return {Filter::mount_relative_literal, TextTest::prefix};
    case Filter::mount_relative_subpath: return {Filter::mount_relative_literal, TextTest::subpath};
    case Filter::mount_relative_regex: return {Filter::mount_relative_literal, TextTest::regex};
    default: break;
  }
  const std::string_view full = name(filter);
  for (const auto& [suffix, test] : {std::pair{std::string_view{"-prefix"}, TextTest::prefix},
                                     std::pair{std::string_view{"-regex"}, TextTest::regex}}) {
    if (full.size() <= suffix.size() || full.substr(full.size() - suffix.size()) != suffix) {
      continue;
    }
    if (const auto base = find_filter(full.substr(0, full.size() - suffix.size()))) {
      return {*base, test};
    }
  }
  return {filter, TextTest::exact};
}

Truth test_atom_text(const RuleBase& base, const Atom& atom, std::string_view subject) {
  if (atom.kind == Atom::Kind::regex) {
    const Program& program = base.regexes[atom.regex].program;
    if (program.code.empty()) return Truth::maybe;
    return truth(search(program, subject));
  }
  if (is_opaque(atom.text)) return Truth::maybe;
  return truth(test_text(family_of(atom.filter).test, atom.text, subject));
}

Truth path_truth(const RuleBase& base, const Atom& atom, const Request& request) {
  if (const auto* path = std::get_if<PathSubject>(&request.subject)) {
    return test_atom_text(base, atom, path->path);
  }
  if (const auto* socket = std::get_if<UnixSubject>(&request.subject)) {
    return test_atom_text(base, atom, socket->path);
  }
  return std::holds_alternative<std::monostate>(request.subject) ? Truth::maybe : Truth::no;
}

Truth host_truth(Address::Host host, const IpSubject& ip) {
  switch (host) {
    case Address::Host::any: return Truth::yes;
    case Address::Host::local: return Truth::maybe;
    case Address::Host::localhost: break;
  }
  switch (ip.address.kind()) {
    case IpAddress::Kind::loopback: return Truth::yes;
    case IpAddress::Kind::other_loopback: return Truth::maybe;
    case IpAddress::Kind::any: return truth(ip.side == Side::local);
    case IpAddress::Kind::other: return Truth::no;
  }
  return Truth::maybe;
}

Truth address_truth(const Atom& atom, const Request& request) {
  const auto* ip = std::get_if<IpSubject>(&request.subject);
  if (ip == nullptr) {
    return std::holds_alternative<std::monostate>(request.subject) ? Truth::maybe : Truth::no;
  }
  const Address& wanted = atom.address;
  if (wanted.protocol != Address::Protocol::ip && wanted.protocol != ip->protocol) {
    return Truth::no;
  }
  if (wanted.family != Address::Family::any &&
      (wanted.family == Address::Family::v6) != ip->address.v6) {
    return Truth::no;
  }
  const Side side = atom.filter == Filter::local ? Side::local : Side::remote;
  if (side != ip->side) {
    // The own address of an outbound socket is not bound yet, so any address passes; the peer of a
    // listening one is not known.
    const bool unbound = side == Side::local && ip->side == Side::remote && !wanted.port;
    return unbound ? Truth::yes : Truth::maybe;
  }
  if (wanted.port && *wanted.port != ip->port) return Truth::no;
  return host_truth(wanted.host, *ip);
}

Truth unix_truth(const Atom& atom, const Request& request) {
  const auto* socket = std::get_if<UnixSubject>(&request.subject);
  if (socket == nullptr) {
    return std::holds_alternative<std::monostate>(request.subject) ? Truth::maybe : Truth::no;
  }
  const Side side = atom.filter == Filter::local_unix ? Side::local : Side::remote;
  return side == socket->side ? Truth::yes : Truth::maybe;
}

Truth named_truth(const RuleBase& base, const Atom& atom, const Request& request, Variant kind) {
  if (const auto* service = std::get_if<MachSubject>(&request.subject)) {
    return service->kind == kind ? test_atom_text(base, atom, service->name) : Truth::no;
  }
  if (const auto* control = std::get_if<ControlSubject>(&request.subject)) {
    return kind == Variant::control ? test_atom_text(base, atom, control->name) : Truth::no;
  }
  return std::holds_alternative<std::monostate>(request.subject) ? Truth::maybe : Truth::no;
}

/// What the kind of a network request says about its socket.
std::optional<std::string> socket_fact(Filter filter, const SubjectValue& subject) {
  const auto* ip = std::get_if<IpSubject>(&subject);
  if (filter == Filter::socket_domain) {
    if (ip != nullptr) return ip->address.v6 ? "AF_INET6" : "AF_INET";
    if (std::holds_alternative<UnixSubject>(subject)) return "AF_UNIX";
    if (std::holds_alternative<ControlSubject>(subject)) return "AF_SYSTEM";
  }
  if (filter == Filter::socket_type && ip != nullptr) {
    if (ip->protocol == Address::Protocol::tcp) return "SOCK_STREAM";
    if (ip->protocol == Address::Protocol::udp) return "SOCK_DGRAM";
  }
  return std::nullopt;
}

std::optional<std::string> known_fact(Filter filter, const Request& request) {
  if (const std::string* fact = request.fact(filter)) return *fact;
  if (main_filter(request.op) == filter) {
    if (const auto* named = std::get_if<NameSubject>(&request.subject)) return named->name;
    if (const auto* number = std::get_if<NumberSubject>(&request.subject)) {
      return std::to_string(number->number);
    }
  }
  return socket_fact(filter, request.subject);
}

Truth fact_truth(const RuleBase& base, const Atom& atom, const Request& request) {
  const std::optional<std::string> fact = known_fact(family_of(atom.filter).base, request);
  if (!fact) return Truth::maybe;
  if (atom.kind == Atom::Kind::text || atom.kind == Atom::Kind::regex) {
    return test_atom_text(base, atom, *fact);
  }
  std::int64_t number = 0;
  const bool numeric = decode_number(*fact, number) == NumberSyntax::integer;
  if (numeric != (atom.kind == Atom::Kind::number)) return Truth::maybe;
  if (!numeric) return truth(atom.text == *fact);
  if (atom.filter != Filter::file_mode) return truth(atom.number == number);
  // Whether one bit of the mask is enough is not known.
  const std::int64_t common = atom.number & number;
  return common == atom.number ? Truth::yes : common == 0 ? Truth::no : Truth::maybe;
}

Truth walk(const RuleBase& base, FilterId filter, const Request& request, bool negated) {
  const FilterNode& node = base.filters[filter];
  switch (node.kind) {
    case FilterNode::Kind::atom: {
      const Atom& atom = base.atoms[node.first];
      const Truth result = holds(base, atom, request);
      const bool wildcard_port = atom.kind == Atom::Kind::address && !atom.address.port;
      return negated && wildcard_port && result == Truth::yes ? Truth::maybe : result;
    }
    case FilterNode::Kind::negation:
      return negate(walk(base, base.kids_of(filter)[0], request, true));
    case FilterNode::Kind::any: {
      Truth result = Truth::no;
      for (const FilterId kid : base.kids_of(filter)) {
        result = std::max(result, walk(base, kid, request, negated));
        if (result == Truth::yes) break;
      }
      return result;
    }
    case FilterNode::Kind::all: {
      Truth result = Truth::yes;
      for (const FilterId kid : base.kids_of(filter)) {
        result = std::min(result, walk(base, kid, request, negated));
        if (result == Truth::no) break;
      }
      return result;
    }
  }
  return Truth::maybe;
}

}  // namespace

std::optional<Filter> main_filter(Op op) {
  switch (info(op).subject) {
    case Subject::process:
    case Subject::signal: return Filter::target;
    case Subject::sysctl: return Filter::sysctl_name;
    case Subject::ipc: return Filter::ipc_posix_name;
    case Subject::iokit: return Filter::iokit_registry_entry_class;
    case Subject::preference: return Filter::preference_domain;
    case Subject::nvram: return Filter::nvram_variable;
    case Subject::socket: return Filter::socket_domain;
    case Subject::syscall: return Filter::syscall_number;
    case Subject::port: return Filter::host_special_port;
    case Subject::kext: return Filter::kext_bundle_id;
    case Subject::infotype: return Filter::info_type;
    case Subject::macsyscall: return Filter::mac_policy_name;
    case Subject::fcntl: return Filter::fcntl_command;
    case Subject::privilege: return Filter::privilege_id;
    case Subject::name:
      switch (op) {
        case Op::appleevent_send: return Filter::appleevent_destination;
        case Op::authorization_right_obtain: return Filter::right_name;
        case Op::boot_arg_set: return Filter::boot_arg;
        default: return Filter::notification_name;
      }
    default: return std::nullopt;
  }
}

FamilyMember family_of(Filter filter) {
  static const std::array<FamilyMember, kFilterCount> families = [] {
    std::array<FamilyMember, kFilterCount> result{};
    for (std::size_t i = 0; i < kFilterCount; ++i) {
      result[i] = find_family(static_cast<Filter>(i));
    }
    return result;
  }();
  return families[static_cast<std::size_t>(filter)];
}

bool test_text(TextTest test, std::string_view text, std::string_view subject) {
  switch (test) {
    case TextTest::exact: return text == subject;
    case TextTest::prefix: return starts_with(subject, text);
    case TextTest::subpath:
      if (text == "/") return starts_with(subject, text);
      return starts_with(subject, text) &&
             (subject.size() == text.size() || subject[text.size()] == '/');
    case TextTest::ancestors:
      if (subject == "/") return text.size() > 1 && text.front() == '/';
      return starts_with(text, subject) && text.size() > subject.size() &&
             text[subject.size()] == '/';
    case TextTest::regex: break;
  }
  return false;
}

Truth holds(const RuleBase& base, const Atom& atom, const Request& request) {
  if (atom.kind == Atom::Kind::entitlement_value) return Truth::maybe;
  switch (atom.filter) {
    case Filter::literal:
    case Filter::prefix:
    case Filter::subpath:
    case Filter::regex:
    case Filter::path_ancestors: return path_truth(base, atom, request);
    case Filter::remote:
    case Filter::local: return address_truth(atom, request);
    case Filter::remote_unix:
    case Filter::local_unix: return unix_truth(atom, request);
    case Filter::extension: {
      if (is_opaque(atom.text)) return request.extensions.empty() ? Truth::no : Truth::maybe;
      const auto& held = request.extensions;
      return truth(std::find(held.begin(), held.end(), atom.text) != held.end());
    }
    default: break;
  }
  switch (variant_of(atom.filter, info(request.op).subject).value_or(Variant::other)) {
    case Variant::global_name: return named_truth(base, atom, request, Variant::global_name);
    case Variant::local_name: return named_truth(base, atom, request, Variant::local_name);
    case Variant::xpc_name: return named_truth(base, atom, request, Variant::xpc_name);
    case Variant::control: return named_truth(base, atom, request, Variant::control);
    default: return fact_truth(base, atom, request);
  }
}

// The depth of a filter is bounded when it is read, so recursion is, too.
Truth holds(const RuleBase& base, FilterId filter, const Request& request) {
  return walk(base, filter, request, false);
}

}  // namespace nd7::seatbelt::read
