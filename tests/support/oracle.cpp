#include "tests/support/oracle.hpp"

#include <algorithm>
#include <array>

#include "compiler/pattern/regex.hpp"
#include "tests/support/regex_oracle.hpp"

namespace nd7::test {
namespace {

using answer::Level;
using ir::CondId;
using ir::CondKind;
using seatbelt::Filter;
using seatbelt::Op;
using seatbelt::Variant;
using namespace seatbelt::read;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// A byte of a pattern. Denies match what was written in every ASCII case, but not the values of
/// parameters: those are spelt as the machine spells them.
struct Letter {
  char byte;
  bool any_case;
  bool is(char c) const { return any_case ? lower(byte) == lower(c) : byte == c; }
};
using Letters = std::vector<Letter>;

bool begins(std::string_view subject, const Letters& with) {
  return subject.size() >= with.size() &&
         std::equal(with.begin(), with.end(), subject.begin(),
                    [](const Letter& letter, char c) { return letter.is(c); });
}
bool is_literal(std::string_view subject, const Letters& path) {
  return subject.size() == path.size() && begins(subject, path);
}
bool is_at_or_below(std::string_view subject, const Letters& path) {
  if (path.size() == 1) return begins(subject, path);
  return begins(subject, path) && (subject.size() == path.size() || subject[path.size()] == '/');
}
bool is_above(std::string_view subject, const Letters& path) {
  if (subject == "/") return path.size() > 1;
  return path.size() > subject.size() && path[subject.size()].byte == '/' &&
         begins(subject,
                Letters{path.begin(), path.begin() + static_cast<std::ptrdiff_t>(subject.size())});
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// A deny of reading also closes what Seatbelt allows by itself and would give the content or the
/// presence of a file away; and like one of writing, what other rules may open.
constexpr std::array kWithReading{Op::file_link,           Op::file_clone,
                                  Op::file_test_existence, Op::file_map_executable,
                                  Op::file_search,         Op::file_issue_extension};
constexpr std::array kWithWriting{Op::file_link,   Op::file_write_setugid,   Op::file_mknod,
                                  Op::file_mount,  Op::file_mount_update,    Op::file_unmount,
                                  Op::file_revoke, Op::file_issue_extension, Op::fs_rename};

template <class Many, class One>
bool has(const Many& many, const One& one) {
  return std::find(many.begin(), many.end(), one) != many.end();
}

bool about(const std::vector<Op>& ops, Op family) {
  return std::any_of(ops.begin(), ops.end(),
                     [&](Op op) { return is_within(op, family) || is_within(family, op); });
}

bool closes(const std::vector<Op>& ops, Op op) {
  return std::any_of(ops.begin(), ops.end(), [&](Op named) { return is_within(op, named); }) ||
         (about(ops, Op::file_read_all) && has(kWithReading, op)) ||
         (about(ops, Op::file_write_all) && has(kWithWriting, op));
}

class Oracle {
 public:
  Oracle(const ir::Policy& policy, const Request& request, const OracleOptions& options)
      : policy_(policy), request_(request), options_(options), op_(request.op) {
    if (const auto* path = std::get_if<PathSubject>(&request.subject)) path_ = path->path;
    if (const auto* socket = std::get_if<UnixSubject>(&request.subject)) path_ = socket->path;
  }

  std::optional<Level> run() {
    const Level level = decide();
    if (unknown_) return std::nullopt;
    return level;
  }

 private:
  Level decide() {
    if (sealed() || protects()) return Level::deny;
    if (exit()) return Level::unconfined;
    return opened() && !denied() ? Level::allow : Level::deny;
  }

  // --- the sets

  bool sealed() {
    if (!path_ || !value(ir::kHome)) return false;
    const Letters seal = letters(ir::hole(ir::kHome) + "/.nd7", true);
    return is_at_or_below(*path_, seal) ||
           ((op_ == Op::file_write_unlink || op_ == Op::file_clone) && is_above(*path_, seal));
  }

  bool protects() {
    if (!path_) return false;
    const auto exit = value(ir::kExit);
    if (exit && op_ == Op::process_exec_interpreter && *path_ == *exit) return true;
    std::vector<Letters> files;
    if (exit) files.push_back(letters(ir::hole(ir::kExit), true));
    for (const std::string& file : options_.protect) files.push_back(letters(file, true));
    return std::any_of(files.begin(), files.end(), [&](const Letters& file) {
      return (closes({Op::file_write_all}, op_) && is_literal(*path_, file)) ||
             (op_ == Op::file_write_unlink && is_above(*path_, file));
    });
  }

  bool exit() {
    return options_.profile == laws::Profile::floor && op_ == Op::process_exec_all && path_ &&
           value(ir::kExit) == path_;
  }

  bool opened() {
    if (builtin_answer(op_) == seatbelt::Builtin::allow && op_ != Op::file_link) return true;
    for (const ir::Rule& rule : policy_.rules) {
      if (rule.effect != ir::Effect::allow) continue;
      for (const ir::Clause& clause : rule.clauses) {
        if (named(clause) && holds(clause.cond, false, false)) return true;
      }
    }
    return granted();
  }

  bool granted() {
    if (options_.profile != laws::Profile::command || !path_) return false;
    const bool opens = is_within(op_, Op::file_read_all) || is_within(op_, Op::file_write_all) ||
                       op_ == Op::file_link;
    return opens && std::any_of(options_.grants.begin(), options_.grants.end(),
                                [&](const std::string& grant) {
                                  return is_at_or_below(*path_, letters(grant, false));
                                });
  }

  bool denied() {
    for (std::uint32_t i = 0; i < policy_.rules.size(); ++i) {
      if (policy_.rules[i].effect != ir::Effect::deny) continue;
      for (const ir::Clause& clause : policy_.rules[i].clauses) {
        const bool files =
            about(clause.ops, Op::file_read_all) || about(clause.ops, Op::file_write_all);
        // What is denied stays where it is: no unlink, no link, no move of a directory above it.
        const bool stays = files && (op_ == Op::file_write_unlink || op_ == Op::file_link);
        if ((closes(clause.ops, op_) || stays) && fits(clause.cond) &&
            holds(clause.cond, true, true) && !relaxed(i)) {
          return true;
        }
        const bool carries = op_ == Op::file_write_unlink ||
                             (op_ == Op::file_clone && about(clause.ops, Op::file_read_all));
        if (files && carries && is_above_fixed_part(clause.cond, false)) return true;
        if (about(clause.ops, Op::network_outbound) && denied_socket(i, clause.cond)) return true;
      }
    }
    return false;
  }

  bool relaxed(std::uint32_t rule) {
    // What moves or copies a directory is lifted only together with all that is below it.
    const bool whole = op_ == Op::file_write_unlink || op_ == Op::file_link ||
                       op_ == Op::file_clone || op_ == Op::fs_rename;
    for (const ir::Relaxation& relaxation : policy_.relaxations) {
      if (relaxation.rule != rule) continue;
      for (const ir::Clause& clause : relaxation.clauses) {
        if (named(clause) && fits(clause.cond) && (!whole || takes_all_below(clause.cond)) &&
            holds(clause.cond, false, false)) {
          return true;
        }
      }
    }
    return false;
  }

  /// Whether a path in the set brings all paths below it. Sets of which that is not plain do not.
  bool takes_all_below(CondId cond) const {
    const ir::CondNode& node = policy_.conditions.node(cond);
    if (node.kind == CondKind::negation) return false;
    if (node.kind == CondKind::atom) {
      const ir::Atom& atom = policy_.conditions.get(node.atom);
      switch (atom.filter) {
        case Filter::literal:
        case Filter::path_ancestors: return false;
        case Filter::regex: return is_component(atom.text);
        default: return !name(atom.filter).starts_with("mount-relative");
      }
    }
    return std::all_of(node.kids.begin(), node.kids.end(),
                       [&](CondId kid) { return takes_all_below(kid); });
  }

  /// `/…(/|$)` with no slash between: a component somewhere in the path.
  static bool is_component(std::string_view text) {
    using Kind = pattern::RegexNode::Kind;
    const auto parsed = pattern::parse_regex(text, pattern::RegexMode::strict);
    if (!parsed.regex || !text.starts_with("/") || !ends_with(text, "(/|$)")) return false;
    const pattern::Regex& regex = *parsed.regex;
    const auto& whole = regex.nodes[regex.root];
    if (whole.kind != Kind::concat || whole.kids.size() < 3) return false;
    std::vector<std::uint32_t> between{whole.kids.begin() + 1, whole.kids.end() - 1};
    while (!between.empty()) {
      const auto& node = regex.nodes[between.back()];
      between.pop_back();
      if (node.kind == Kind::begin || node.kind == Kind::end || node.kind == Kind::hole ||
          (node.kind == Kind::bytes && node.set.test('/'))) {
        return false;
      }
      between.insert(between.end(), node.kids.begin(), node.kids.end());
    }
    return true;
  }

  // --- sockets: one that is denied to connect to stays where it is

  bool denied_socket(std::uint32_t rule, CondId cond) {
    if (!path_) return false;
    if (op_ == Op::file_write_unlink && is_above_fixed_part(cond, true)) return true;
    if (op_ != Op::file_write_unlink && op_ != Op::file_link) return false;
    // All the sockets there are: no place to move one to.
    if (same_for_all_files(cond) == true || !socket_holds(cond, true)) return false;
    for (const ir::Relaxation& relaxation : policy_.relaxations) {
      if (relaxation.rule != rule) continue;
      for (const ir::Clause& clause : relaxation.clauses) {
        if (about(clause.ops, Op::network_outbound) && takes_all_below(clause.cond) &&
            socket_holds(clause.cond, false)) {
          return false;
        }
      }
    }
    for (const Fact& fact : request_.facts) {
      if (fact.filter == Filter::vnode_type) return fact.value == "SOCKET";
    }
    unknown_ = true;
    return false;
  }

  /// A condition about connecting, asked about the socket's file.
  bool socket_holds(CondId cond, bool any_case) {
    if (const auto constant = same_for_all_files(cond)) return *constant;
    const ir::CondNode& node = policy_.conditions.node(cond);
    const auto kid = [&](CondId id) { return socket_holds(id, any_case); };
    switch (node.kind) {
      case CondKind::all: return std::all_of(node.kids.begin(), node.kids.end(), kid);
      case CondKind::any: return std::any_of(node.kids.begin(), node.kids.end(), kid);
      case CondKind::negation: return !socket_holds(node.kids.front(), !any_case);
      default: return holds(policy_.conditions.get(node.atom), true, any_case);
    }
  }

  /// What a condition about connecting says of a socket whatever its file; nothing if that matters.
  std::optional<bool> same_for_all_files(CondId cond) const {
    const ir::CondNode& node = policy_.conditions.node(cond);
    switch (node.kind) {
      case CondKind::never: return false;
      case CondKind::always: return true;
      case CondKind::atom: {
        const Filter filter = policy_.conditions.get(node.atom).filter;
        if (filter == Filter::remote_unix) return true;
        return accepts(Op::file_write_unlink, filter) ? std::nullopt : std::optional{false};
      }
      case CondKind::negation: {
        const auto kid = same_for_all_files(node.kids.front());
        return kid ? std::optional{!*kid} : std::nullopt;
      }
      case CondKind::all:
      case CondKind::any: break;
    }
    const bool decides = node.kind == CondKind::any;
    bool open = false;
    for (const CondId id : node.kids) {
      const auto kid = same_for_all_files(id);
      if (kid == decides) return decides;
      open = open || !kid;
    }
    return open ? std::nullopt : std::optional{!decides};
  }

  bool named(const ir::Clause& clause) const {
    return std::any_of(clause.ops.begin(), clause.ops.end(),
                       [&](Op named) { return is_within(op_, named); });
  }

  /// A deny closes the operations that its filters fit.
  bool fits(CondId cond) const {
    const auto atoms = policy_.conditions.atoms_of(cond);
    return std::all_of(atoms.begin(), atoms.end(), [&](ir::AtomId id) {
      return accepts(op_, policy_.conditions.get(id).filter);
    });
  }

  /// The atoms of a condition that put requests into it, without what cannot be about a file.
  void positive_atoms(CondId cond, bool sockets, bool positive, std::vector<ir::AtomId>& atoms) {
    const ir::CondNode& node = policy_.conditions.node(cond);
    if (sockets && same_for_all_files(cond)) return;
    if (node.kind == CondKind::atom && positive) atoms.push_back(node.atom);
    const bool kids_positive = node.kind == CondKind::negation ? !positive : positive;
    for (const CondId kid : node.kids) positive_atoms(kid, sockets, kids_positive, atoms);
  }

  bool is_above_fixed_part(CondId cond, bool sockets) {
    if (!path_) return false;
    std::vector<ir::AtomId> atoms;
    positive_atoms(cond, sockets, true, atoms);
    for (const ir::AtomId id : atoms) {
      const ir::Atom& atom = policy_.conditions.get(id);
      std::string fixed = atom.text;
      if (atom.filter == Filter::regex) {
        const auto parsed = pattern::parse_regex(atom.text, pattern::RegexMode::strict);
        fixed = parsed.regex ? pattern::anchored_prefix(*parsed.regex).value_or("") : "";
      } else if (atom.filter != Filter::subpath && atom.filter != Filter::literal &&
                 atom.filter != Filter::prefix) {
        continue;
      }
      // Of a directory that is written with its slash, too, nothing may be moved.
      if (atom.filter != Filter::subpath && ends_with(fixed, "/")) fixed += "x";
      if (!unset(fixed) && is_above(*path_, letters(fixed, true))) return true;
    }
    return false;
  }

  // --- conditions

  /// `of_deny` is about the whole condition, `any_case` about this part of it.
  bool holds(CondId cond, bool of_deny, bool any_case) {
    const ir::CondNode& node = policy_.conditions.node(cond);
    const auto kid = [&](CondId id) { return holds(id, of_deny, any_case); };
    switch (node.kind) {
      case CondKind::never: return false;
      case CondKind::always: return true;
      case CondKind::atom: return holds(policy_.conditions.get(node.atom), of_deny, any_case);
      case CondKind::all: return std::all_of(node.kids.begin(), node.kids.end(), kid);
      case CondKind::any: return std::any_of(node.kids.begin(), node.kids.end(), kid);
      case CondKind::negation: return !holds(node.kids.front(), of_deny, !any_case);
    }
    return false;
  }

  bool holds(const ir::Atom& atom, bool of_deny, bool any_case) {
    if (!accepts(op_, atom.filter) || unset(atom.text)) return false;
    switch (atom.filter) {
      case Filter::literal:
      case Filter::prefix:
      case Filter::subpath:
      case Filter::regex:
      case Filter::path_ancestors: return path_ && text_holds(atom, *path_, any_case);
      case Filter::remote:
      case Filter::local: return address_holds(atom, of_deny);
      case Filter::remote_unix:
      case Filter::local_unix: return std::holds_alternative<UnixSubject>(request_.subject);
      case Filter::extension: return has(request_.extensions, atom.text);
      default: break;
    }
    if (const auto* service = std::get_if<MachSubject>(&request_.subject)) {
      const auto kind = variant_of(atom.filter, info(op_).subject);
      if (kind) return *kind == service->kind && text_holds(atom, service->name, false);
    }
    if (const auto* control = std::get_if<ControlSubject>(&request_.subject)) {
      return variant_of(atom.filter, info(op_).subject) == Variant::control &&
             text_holds(atom, control->name, false);
    }
    return fact_holds(atom);
  }

  bool fact_holds(const ir::Atom& atom) {
    std::string_view base = name(atom.filter);
    for (const std::string_view end : {"-prefix", "-regex"}) {
      if (ends_with(base, end)) base.remove_suffix(end.size());
    }
    for (const Fact& fact : request_.facts) {
      if (name(fact.filter) == base) return text_holds(atom, fact.value, false);
    }
    const auto* named = std::get_if<NameSubject>(&request_.subject);
    if (named != nullptr && atom.filter != Filter::signal_number &&
        info(atom.filter).about_subject) {
      return text_holds(atom, named->name, false);
    }
    // Filters about other kinds of network subjects say no; a fact that is not given may be either.
    const auto about = variant_of(atom.filter, info(op_).subject);
    const bool other_kind = about && *about != Variant::path && *about != Variant::other;
    unknown_ = unknown_ || !other_kind;
    return false;
  }

  bool address_holds(const ir::Atom& atom, bool of_deny) {
    const auto* ip = std::get_if<IpSubject>(&request_.subject);
    if (ip == nullptr) return false;
    const ir::Address& wanted = atom.address;
    const bool own = atom.filter == Filter::local;
    if (own != (ip->side == Side::local)) unknown_ = true;
    const std::string_view proto = ir::to_string(wanted.proto);
    if (ends_with(proto, "4") && ip->address.v6) return false;
    if (ends_with(proto, "6") && !ip->address.v6) return false;
    if (proto.front() == 't' && ip->protocol != Address::Protocol::tcp) return false;
    if (proto.front() == 'u' && ip->protocol != Address::Protocol::udp) return false;
    if (wanted.port >= 0 && wanted.port != ip->port) return false;
    if (wanted.host == "*") return true;
    // Hosts that Seatbelt cannot name: any host in an allow, none in a deny; the rules accept it.
    if (wanted.host != "localhost") return !of_deny;
    const IpAddress::Kind kind = ip->address.kind();
    if (kind == IpAddress::Kind::other_loopback) unknown_ = true;
    return kind == IpAddress::Kind::loopback || (kind == IpAddress::Kind::any && own);
  }

  bool text_holds(const ir::Atom& atom, std::string_view subject, bool any_case) {
    const std::string_view filter = name(atom.filter);
    if (info(atom.filter).value == seatbelt::FilterValue::integer) {
      return subject == std::to_string(atom.integer);
    }
    if (ends_with(filter, "regex")) return regex_holds(atom.text, subject, any_case);
    const Letters text = letters(atom.text, any_case);
    if (ends_with(filter, "prefix")) return begins(subject, text);
    if (ends_with(filter, "subpath")) return is_at_or_below(subject, text);
    if (ends_with(filter, "ancestors")) return is_above(subject, text);
    return is_literal(subject, text);
  }

  bool regex_holds(std::string_view text, std::string_view subject, bool any_case) {
    auto parsed = pattern::parse_regex(text, pattern::RegexMode::strict);
    if (!parsed.regex) {
      unknown_ = true;
      return false;
    }
    using Kind = pattern::RegexNode::Kind;
    pattern::Regex& regex = *parsed.regex;
    for (std::size_t i = 0, count = regex.nodes.size(); i < count; ++i) {
      if (regex.nodes[i].kind == Kind::bytes && any_case) {
        pattern::ByteSet& set = regex.nodes[i].set;
        for (unsigned char c = 'a'; c <= 'z'; ++c) {
          const auto upper = static_cast<std::size_t>(c - 'a' + 'A');
          set[c] = set[upper] = set.test(c) || set.test(upper);
        }
      }
      if (regex.nodes[i].kind != Kind::hole) continue;
      std::vector<std::uint32_t> kids;
      const std::string bytes = *value(ir::ParamId{regex.nodes[i].hole});
      for (const char c : bytes) {
        pattern::RegexNode byte;
        byte.kind = Kind::bytes;
        byte.set.set(static_cast<unsigned char>(c));
        kids.push_back(static_cast<std::uint32_t>(regex.nodes.size()));
        regex.nodes.push_back(std::move(byte));
      }
      regex.nodes[i].kind = Kind::concat;
      regex.nodes[i].kids = std::move(kids);
    }
    return testing::NaiveRegex{regex}.found_in(subject);
  }

  // --- texts

  std::optional<std::string> value(ir::ParamId id) const { return policy_.params[id.value].value; }

  bool unset(std::string_view text) const {
    const auto params = ir::params_of(text);
    return std::any_of(params.begin(), params.end(), [&](ir::ParamId id) { return !value(id); });
  }

  Letters letters(std::string_view text, bool any_case) const {
    Letters result;
    for (const ir::Piece& piece : ir::pieces(text)) {
      const std::string bytes = piece.param ? *value(*piece.param) : piece.literal;
      for (const char c : bytes) result.push_back({c, any_case && !piece.param});
    }
    return result;
  }

  const ir::Policy& policy_;
  const Request& request_;
  const OracleOptions& options_;
  Op op_;
  std::optional<std::string> path_;
  bool unknown_ = false;
};

}  // namespace

std::optional<Level> oracle(const ir::Policy& policy, const Request& request,
                            const OracleOptions& options) {
  return Oracle{policy, request, options}.run();
}

void give(ir::Policy& policy, std::string_view key, std::string_view value) {
  for (ir::Param& param : policy.params) {
    if (param.key == key && !param.value) param.value = std::string{value};
  }
}

}  // namespace nd7::test
