#include "tests/support/term_oracle.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/pattern/regex.hpp"
#include "tests/support/regex_oracle.hpp"

namespace nd7::test {
namespace {

using namespace seatbelt;
using namespace seatbelt::read;
using laws::Role;
using laws::Term;
using Answer = std::optional<bool>;

class Asked {
 public:
  Asked(const ir::Policy& policy, const Request& request) : policy_(policy), request_(request) {
    if (const auto* path = std::get_if<PathSubject>(&request.subject)) path_ = &path->path;
    if (const auto* socket = std::get_if<UnixSubject>(&request.subject)) path_ = &socket->path;
    address_ = std::get_if<IpSubject>(&request.subject);
  }

  Answer holds(const Term& term) const {
    const bool named = std::any_of(term.ops.begin(), term.ops.end(),
                                   [&](Op op) { return is_within(request_.op, op); });
    if (!named) return false;
    return holds(term.cond);
  }

 private:
  Answer holds(ir::CondId cond) const {
    const ir::CondNode& node = policy_.conditions.node(cond);
    switch (node.kind) {
      case ir::CondKind::never: return false;
      case ir::CondKind::always: return true;
      case ir::CondKind::atom: return holds(policy_.conditions.get(node.atom));
      case ir::CondKind::negation: {
        const Answer inner = holds(node.kids.front());
        return inner ? Answer{!*inner} : std::nullopt;
      }
      default: break;
    }
    const bool any = node.kind == ir::CondKind::any;
    bool unknown = false;
    for (const ir::CondId kid : node.kids) {
      const Answer answer = holds(kid);
      if (answer && *answer == any) return any;
      unknown = unknown || !answer;
    }
    return unknown ? std::nullopt : Answer{!any};
  }

  static bool below(std::string_view path, std::string_view tree) {
    if (tree == "/") return true;
    return path.substr(0, tree.size()) == tree &&
           (path.size() == tree.size() || path[tree.size()] == '/');
  }

  bool is_path(const ir::Atom& atom, const std::string& text) const {
    switch (atom.filter) {
      case Filter::subpath: return below(*path_, text);
      case Filter::literal: return *path_ == text;
      case Filter::prefix: return path_->rfind(text, 0) == 0;
      case Filter::path_ancestors: return *path_ != text && below(text, *path_);
      default: break;
    }
    const auto regex = pattern::parse_regex(text, pattern::RegexMode::strict);
    return regex.regex && pattern::oracle::matches(*regex.regex, *path_);
  }

  bool is_address(const ir::Address& wanted) const {
    const int proto = static_cast<int>(wanted.proto);
    const int asked = address_->protocol == Address::Protocol::tcp   ? 1
                      : address_->protocol == Address::Protocol::udp ? 2
                                                                     : 0;
    if (proto / 3 != 0 && proto / 3 != asked) return false;
    if (proto % 3 != 0 && (proto % 3 == 2) != address_->address.v6) return false;
    if (wanted.port >= 0 && wanted.port != address_->port) return false;
    if (wanted.host == "*") return true;
    // A name is no address that anybody asks about.
    return wanted.host == "localhost" && address_->address.kind() == IpAddress::Kind::loopback;
  }

  Answer holds(const ir::Atom& atom) const {
    if (!accepts(request_.op, atom.filter)) return false;
    std::string text;
    for (const ir::Piece& piece : ir::pieces(atom.text)) {
      text += piece.literal;
      if (!piece.param) continue;
      const auto& value = policy_.params[piece.param->value].value;
      if (!value) return false;
      text += info(atom.filter).value == FilterValue::regex ? pattern::quote_regex(*value) : *value;
    }
    switch (atom.filter) {
      case Filter::subpath:
      case Filter::literal:
      case Filter::prefix:
      case Filter::path_ancestors:
      case Filter::regex: return path_ != nullptr && is_path(atom, text);
      case Filter::remote_unix:
      case Filter::local_unix: return std::holds_alternative<UnixSubject>(request_.subject);
      case Filter::remote:
      case Filter::local: return address_ != nullptr && is_address(atom.address);
      case Filter::target: {
        const auto* name = std::get_if<NameSubject>(&request_.subject);
        return name != nullptr && name->name == text;
      }
      default: break;
    }
    const std::string* const fact = request_.fact(atom.filter);
    return fact == nullptr ? std::nullopt : Answer{*fact == text};
  }

  const ir::Policy& policy_;
  const Request& request_;
  const std::string* path_ = nullptr;
  const IpSubject* address_ = nullptr;
};

/// What protection and the seal say of directories above, and of the exit.
bool is_aside(const ir::Policy& policy, const Term& term) {
  if (term.role == Role::kept || term.role == Role::exit) return true;
  if (term.role != Role::protect && term.role != Role::seal) return false;
  const auto atoms = policy.conditions.atoms_of(term.cond);
  return policy.conditions.get(atoms.front()).filter == Filter::path_ancestors ||
         term.ops == std::vector<Op>{Op::process_exec_interpreter};
}

}  // namespace

std::optional<bool> term_oracle(const ir::Policy& policy, const std::vector<Term>& terms,
                                const Request& request) {
  const Asked asked{policy, request};
  bool open = false;
  bool closed = false;
  bool unknown = false;
  for (const Term& term : terms) {
    if (is_aside(policy, term)) continue;
    const Answer answer = asked.holds(term);
    if (!answer) {
      unknown = true;
    } else if (*answer) {
      (term.role == Role::allow || term.role == Role::grant ? open : closed) = true;
    }
  }
  if (unknown) return std::nullopt;
  return open && !closed;
}

}  // namespace nd7::test
