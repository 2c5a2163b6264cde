#include "compiler/answer/question.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>
#include <vector>

namespace nd7::answer {
namespace {

using seatbelt::Filter;
using seatbelt::Variant;
using namespace seatbelt::read;

std::vector<std::string_view> split(std::string_view text, std::string_view by) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(by);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + by.size());
  }
}

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<SubjectValue> address(std::string_view protocol, std::string_view text,
                                    seatbelt::read::Side side) {
  IpSubject subject;
  subject.side = side;
  subject.protocol = protocol == "tcp"   ? Address::Protocol::tcp
                     : protocol == "udp" ? Address::Protocol::udp
                                         : Address::Protocol::ip;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const auto port = number<std::uint16_t>(text.substr(colon + 1));
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  if (host == "localhost") host = "127.0.0.1";
  if (host == "*") host = side == seatbelt::read::Side::local ? "0.0.0.0" : "192.0.2.1";
  const auto ip = parse_ip(host);
  if (!port || !ip) return std::nullopt;
  subject.address = *ip;
  subject.port = *port;
  return subject;
}

/// A path as the kernel names it: absolute, without empty, `.` and `..` components.
bool is_physical(std::string_view path) {
  if (path.empty() || path.front() != '/' || path.find('\0') != std::string_view::npos)
    return false;
  if (path == "/") return true;
  for (const std::string_view part : split(path.substr(1), "/")) {
    if (part.empty() || part == "." || part == "..") return false;
  }
  return true;
}

std::optional<SubjectValue> subject_of(std::string_view text) {
  if (text == "-" || text.empty()) return SubjectValue{};
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const std::string_view kind = text.substr(0, space);
  const std::string_view rest = text.substr(space + 1);
  const std::string value{rest};
  if (value.empty()) return std::nullopt;
  if ((kind == "path" || kind == "unix") && !is_physical(rest)) return std::nullopt;
  if (kind == "path") return PathSubject{value};
  if (kind == "unix") return UnixSubject{value, seatbelt::read::Side::remote};
  if (kind == "control") return ControlSubject{value};
  if (kind == "global") return MachSubject{Variant::global_name, value};
  if (kind == "xpc") return MachSubject{Variant::xpc_name, value};
  if (kind == "name") return NameSubject{value};
  if (kind == "number") {
    const auto parsed = number<std::int64_t>(rest);
    if (!parsed) return std::nullopt;
    return NumberSubject{*parsed};
  }
  if (kind == "tcp" || kind == "udp" || kind == "ip") {
    return address(kind, rest, seatbelt::read::Side::remote);
  }
  if (kind == "local") {
    for (const std::string_view protocol : {"tcp", "udp", "ip"}) {
      const bool fits = rest.size() > protocol.size() &&
                        rest.substr(0, protocol.size()) == protocol && rest[protocol.size()] == ' ';
      if (fits) {
        return address(protocol, rest.substr(protocol.size() + 1), seatbelt::read::Side::local);
      }
    }
    return MachSubject{Variant::local_name, value};
  }
  return std::nullopt;
}

/// A subject that the operation cannot be about would get an answer that means nothing.
bool fits(const Request& request) {
  struct Visitor {
    seatbelt::Subject subject;
    bool operator()(const std::monostate&) const {
      return subject != seatbelt::Subject::path && subject != seatbelt::Subject::mach && !network();
    }
    bool operator()(const PathSubject&) const { return subject == seatbelt::Subject::path; }
    bool operator()(const IpSubject&) const { return network(); }
    bool operator()(const UnixSubject&) const { return network(); }
    bool operator()(const ControlSubject&) const {
      return subject == seatbelt::Subject::outbound || subject == seatbelt::Subject::network;
    }
    bool operator()(const MachSubject&) const { return subject == seatbelt::Subject::mach; }
    bool operator()(const NameSubject&) const { return other(); }
    bool operator()(const NumberSubject&) const { return other(); }
    [[nodiscard]] bool network() const {
      return subject == seatbelt::Subject::outbound || subject == seatbelt::Subject::inbound ||
             subject == seatbelt::Subject::network;
    }
    [[nodiscard]] bool other() const {
      return subject != seatbelt::Subject::path && !network() &&
             subject != seatbelt::Subject::mach && subject != seatbelt::Subject::none;
    }
  };
  return std::visit(Visitor{info(request.op).subject}, request.subject);
}

}  // namespace

std::variant<Request, QuestionError> parse_question(std::string_view operation,
                                                    std::string_view argument) {
  Request request;
  const auto op = seatbelt::find_operation(operation);
  if (!op) return QuestionError{fmt::format("`{}` is not an operation of Seatbelt", operation)};
  request.op = *op;
  const auto parts = split(argument, " ; ");
  auto subject = subject_of(parts.front());
  if (!subject) {
    return QuestionError{
        fmt::format("`{}` is not a subject; paths are absolute, without `//`, `.` and "
                    "`..`",
                    parts.front())};
  }
  if (auto* unix_socket = std::get_if<UnixSubject>(&*subject);
      unix_socket != nullptr && info(*op).subject == seatbelt::Subject::inbound) {
    unix_socket->side = seatbelt::read::Side::local;
  }
  request.subject = std::move(*subject);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto words = split(parts[i], " ");
    if (words.front() == "extension" && words.size() > 1) {
      request.extensions.assign(words.begin() + 1, words.end());
    } else if (words.front() == "vnode" && words.size() == 2) {
      std::string type{words[1]};
      for (char& c : type) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      if (!knows_symbol(Filter::vnode_type, type)) {
        return QuestionError{fmt::format("`{}` is not a type of file", words[1])};
      }
      request.facts.push_back({Filter::vnode_type, std::move(type)});
    } else if (words.front() == "xattr" && words.size() == 2) {
      request.facts.push_back({Filter::xattr, std::string{words[1]}});
    } else {
      return QuestionError{fmt::format("`{}` says nothing about a request", parts[i])};
    }
  }
  if (!fits(request)) {
    return QuestionError{parts.front() == "-"
                             ? fmt::format("`{}` wants a subject", operation)
                             : fmt::format("`{}` is no subject of `{}`", parts.front(), operation)};
  }
  return request;
}

}  // namespace nd7::answer
