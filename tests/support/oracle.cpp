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
        if (files && carries && is_above_fixed_part(clause.cond)) return true;
      }
    }
    return false;
  }

  bool relaxed(std::uint32_t rule) {
    for (const ir::Relaxation& relaxation : policy_.relaxations) {
      if (relaxation.rule != rule) continue;
      for (const ir::Clause& clause : relaxation.clauses) {
        if (named(clause) && fits(clause.cond) && holds(clause.cond, false, false)) return true;
      }
    }
    return false;
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

  bool is_above_fixed_part(CondId cond) {
    if (!path_) return false;
    for (const ir::AtomId id : policy_.conditions.positive_atoms_of(cond)) {
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
