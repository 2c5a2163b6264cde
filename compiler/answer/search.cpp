#include "compiler/answer/search.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <set>
#include <utility>

#include "compiler/answer/facts.hpp"
#include "compiler/answer/ports.hpp"
#include "compiler/answer/prepared.hpp"
#include "compiler/decide/search.hpp"

namespace nd7::answer {
namespace {

using decide::Answer;
using decide::Formula;
using seatbelt::Filter;
using seatbelt::Op;
using seatbelt::Subject;
using seatbelt::Variant;
using namespace seatbelt::read;

bool related(Level first, Level second, Relation relation) {
  return relation == Relation::above ? first > second
                                     : first != Level::deny && second != Level::deny;
}

/// Languages of the words that a subject can be.
const decide::Automaton& well_formed(Variant variant) {
  static const decide::Automaton paths = decide::Automaton::well_formed_paths();
  static const decide::Automaton anything = decide::Automaton::any();
  return variant == Variant::path || variant == Variant::unix_socket ? paths : anything;
}

/// The languages of a question, equal ones once.
class Languages {
 public:
  std::uint32_t add(const decide::Language& language, const std::string& source) {
    std::vector<std::uint32_t>* alike = nullptr;
    if (const decide::Automaton* const automaton = language.automaton()) {
      alike = &automata_[{automaton->states(), automaton->table().edges.size()}];
      for (const std::uint32_t one : *alike) {
        if (*all_[one].automaton() == *automaton) return one;
      }
    } else {
      alike = &expressions_[source];
      if (!alike->empty()) return alike->front();
    }
    alike->push_back(static_cast<std::uint32_t>(all_.size()));
    all_.push_back(language);
    return alike->back();
  }

  /// The place of each language of `side`.
  std::vector<std::uint32_t> add(const Side::Prepared& side) {
    std::vector<std::uint32_t> places;
    for (std::size_t i = 0; i < side.languages.size(); ++i) {
      places.push_back(add(side.languages[i], side.sources[i]));
    }
    return places;
  }

  [[nodiscard]] const std::vector<decide::Language>& all() const { return all_; }

 private:
  std::vector<decide::Language> all_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::uint32_t>> automata_;
  std::map<std::string, std::vector<std::uint32_t>, std::less<>> expressions_;
};

/// Both are the same function of the same languages, and of nothing else.
bool same(const Side::Prepared& a, const std::vector<std::uint32_t>& a_leaves,
          const Side::Prepared& b, const std::vector<std::uint32_t>& b_leaves) {
  if (!a.facts.empty() || !b.facts.empty() || a.allowed != b.allowed ||
      a.unconfined != b.unconfined) {
    return false;
  }
  return std::equal(a.tree.nodes.begin(), a.tree.nodes.end(), b.tree.nodes.begin(),
                    b.tree.nodes.end(), [&](const Tree::Node& x, const Tree::Node& y) {
                      if (x.kind != y.kind || x.value != y.value || x.kids != y.kids) return false;
                      return x.kind != Tree::Kind::language ||
                             a_leaves[x.index] == b_leaves[y.index];
                    });
}

class Search {
 public:
  Search(Side& first, Side& second, Op op, Relation relation, const decide::Budget& budget)
      : first_(first), second_(second), op_(op), relation_(relation), budget_(budget) {}

  Found run() {
    const auto around = surroundings(first_, second_, op_);
    if (!around) return {};
    bool undecided = false;
    for (const Variant variant : variants(info(op_).subject)) {
      for (const Surroundings& one : *around) {
        Found found = search(variant, one);
        if (found.answer == Answer::yes) return found;
        undecided = undecided || found.answer == Answer::undecided;
      }
    }
    Found none;
    none.answer = undecided ? Answer::undecided : Answer::no;
    return none;
  }

 private:
  Request request_of(SubjectValue subject, const Surroundings& around) const {
    Request request;
    request.op = op_;
    request.subject = std::move(subject);
    request.extensions = around.extensions;
    request.facts = around.facts;
    return request;
  }

  Found try_request(Request request) {
    Found found;
    found.first = first_.level(request);
    found.second = second_.level(request);
    found.answer = related(found.first, found.second, relation_) ? Answer::yes : Answer::no;
    found.request = std::move(request);
    return found;
  }

  Found search(Variant variant, const Surroundings& around) {
    switch (variant) {
      case Variant::ip: return addresses(around);
      case Variant::path:
      case Variant::unix_socket:
      case Variant::control:
      case Variant::global_name:
      case Variant::local_name:
      case Variant::xpc_name: return texts(variant, around);
      case Variant::other: break;
    }
    switch (info(op_).subject) {
      case Subject::none: return try_request(request_of({}, around));
      case Subject::process:
      case Subject::signal: return symbols(around);
      case Subject::port:
      case Subject::macsyscall:
      case Subject::fcntl:
      case Subject::privilege:
      case Subject::syscall: return numbers(around);
      default: return texts(variant, around);
    }
  }

  SubjectValue subject_of(Variant variant, std::string text) const {
    const Side_ side = info(op_).subject == Subject::inbound ? Side_::local : Side_::remote;
    switch (variant) {
      case Variant::path: return PathSubject{std::move(text)};
      case Variant::unix_socket: return UnixSubject{std::move(text), side};
      case Variant::control: return ControlSubject{std::move(text)};
      case Variant::global_name:
      case Variant::local_name:
      case Variant::xpc_name: return MachSubject{variant, std::move(text)};
      default: return NameSubject{std::move(text)};
    }
  }
  using Side_ = seatbelt::read::Side;

  /// The tree of one side as nodes of the common formula, where side.languages[i] is leaf
  /// `leaves[i]`. Facts are constants by now.
  void instantiate(const Side::Prepared& side, const std::vector<std::uint32_t>& leaves,
                   const RuleBase& base, const Request& probe, Formula& formula,
                   std::vector<Formula::Node>& nodes) {
    for (const Tree::Node& node : side.tree.nodes) {
      std::vector<Formula::Node> kids;
      for (const std::uint32_t kid : node.kids) kids.push_back(nodes[kid]);
      switch (node.kind) {
        case Tree::Kind::constant: nodes.push_back(formula.constant(node.value)); break;
        case Tree::Kind::language: nodes.push_back(formula.leaf(leaves[node.index])); break;
        case Tree::Kind::fact:
          nodes.push_back(fact(base.atoms[node.index], base, probe, formula));
          break;
        case Tree::Kind::negation: nodes.push_back(formula.negate(kids.front())); break;
        case Tree::Kind::all: nodes.push_back(formula.all_of(kids)); break;
        case Tree::Kind::any: nodes.push_back(formula.any_of(kids)); break;
      }
    }
  }

  Formula::Node fact(const Atom& atom, const RuleBase& base, const Request& probe,
                     Formula& formula) {
    switch (holds(base, atom, probe)) {
      case Truth::no: return formula.constant(false);
      case Truth::yes: return formula.constant(true);
      case Truth::maybe: break;
    }
    return formula.leaf(kUnknownLeaf);  // no language there: undecided
  }

  Found texts(Variant variant, const Surroundings& around) {
    const Side::Prepared& a = first_.prepared(op_, variant);
    const Side::Prepared& b = second_.prepared(op_, variant);
    if (!a.complete || !b.complete) return {};
    const bool alone = around.facts.empty() && around.extensions.empty();
    const Side::Question question{a.id, b.id, relation_};
    if (alone && first_.refuted.count(question) != 0) {
      Found none;
      none.answer = Answer::no;
      return none;
    }
    Languages languages;
    const std::vector<std::uint32_t> first_leaves = languages.add(a);
    const std::vector<std::uint32_t> second_leaves = languages.add(b);
    if (alone && relation_ == Relation::above && same(a, first_leaves, b, second_leaves)) {
      first_.refuted.insert(question);
      Found none;
      none.answer = Answer::no;
      return none;
    }
    Formula formula;
    const Request probe = request_of(subject_of(variant, "/"), around);
    std::vector<Formula::Node> first_nodes;
    std::vector<Formula::Node> second_nodes;
    instantiate(a, first_leaves, first_.base(), probe, formula, first_nodes);
    instantiate(b, second_leaves, second_.base(), probe, formula, second_nodes);
    const Formula::Node allowed_a = first_nodes[a.allowed];
    const Formula::Node allowed_b = second_nodes[b.allowed];
    Formula::Node wanted{};
    if (relation_ == Relation::both) {
      wanted = formula.all_of({allowed_a, allowed_b});
    } else {
      const Formula::Node wider = formula.all_of({allowed_a, formula.negate(allowed_b)});
      const Formula::Node freer =
          formula.all_of({first_nodes[a.unconfined], formula.negate(second_nodes[b.unconfined])});
      wanted = formula.any_of({wider, freer});
    }
    const Formula::Node word = formula.leaf(languages.add(well_formed(variant), {}));
    formula.all_of({wanted, word});
    const decide::SearchResult result = decide::find_witness(languages.all(), formula, budget_);
    if (result.found != Answer::yes) {
      if (alone && result.found == Answer::no) first_.refuted.insert(question);
      Found found;
      found.answer = result.found;
      return found;
    }
    Found found = try_request(request_of(subject_of(variant, result.witness), around));
    // The evaluator has the last word: a witness that it does not confirm is no answer.
    if (found.answer == Answer::no) found.answer = Answer::undecided;
    return found;
  }

  /// The first of some requests that stands in the relation.
  template <class Subjects>
  Found first_of(const Subjects& subjects, const Surroundings& around) {
    for (const SubjectValue& subject : subjects) {
      Found found = try_request(request_of(subject, around));
      if (found.answer == Answer::yes) return found;
    }
    Found none;
    none.answer = Answer::no;
    return none;
  }

  template <class Function>
  void each_atom(Function&& function) const {
    for (const Side* const side : {&first_, &second_}) {
      for (const Atom& atom : side->base().atoms) {
        if (accepts(op_, atom.filter)) function(atom);
      }
    }
  }

  Found addresses(const Surroundings& around) {
    const std::vector<std::uint16_t> ports = distinct_ports(first_, second_, op_);
    static constexpr std::array<std::string_view, 7> kHosts{
        "192.0.2.1", "127.0.0.1", "127.0.0.2", "0.0.0.0", "2001:db8::1", "::1", "::"};
    const Side_ side = info(op_).subject == Subject::inbound ? Side_::local : Side_::remote;
    std::vector<SubjectValue> subjects;
    for (const Address::Protocol protocol :
         {Address::Protocol::tcp, Address::Protocol::udp, Address::Protocol::ip}) {
      for (const std::string_view host : kHosts) {
        for (const std::uint16_t port : ports) {
          subjects.emplace_back(IpSubject{protocol, *parse_ip(host), port, side});
        }
      }
    }
    return first_of(subjects, around);
  }

  Found symbols(const Surroundings& around) {
    std::set<std::string> names{"self", "pgrp", "others", "children", "same-sandbox", "initproc"};
    each_atom([&](const Atom& atom) {
      if (atom.filter == Filter::target) names.insert(atom.text);
    });
    std::vector<SubjectValue> subjects;
    for (const std::string& name : names) subjects.emplace_back(NameSubject{name});
    return first_of(subjects, around);
  }

  Found numbers(const Surroundings& around) {
    std::set<std::int64_t> values{0};
    std::set<std::string> names;
    each_atom([&](const Atom& atom) {
      if (atom.kind == Atom::Kind::number) values.insert(atom.number);
      if (atom.kind == Atom::Kind::symbol || atom.kind == Atom::Kind::text) names.insert(atom.text);
    });
    values.insert(*values.rbegin() == INT64_MAX ? INT64_C(-7) : *values.rbegin() + 1);
    std::vector<SubjectValue> subjects;
    for (const std::int64_t value : values) subjects.emplace_back(NumberSubject{value});
    for (const std::string& name : names) subjects.emplace_back(NameSubject{name});
    return first_of(subjects, around);
  }

  static constexpr std::uint32_t kUnknownLeaf = 0x7fffffff;

  Side& first_;
  Side& second_;
  Op op_;
  Relation relation_;
  const decide::Budget& budget_;
};

}  // namespace

Side::Side(RuleBase base, Model model) : base_(std::move(base)), model_(model) {}
Side::~Side() = default;
Side::Side(Side&&) noexcept = default;
Side& Side::operator=(Side&&) noexcept = default;

const std::vector<AtomId>& Side::facts(Op op) {
  const auto [at, fresh] = facts_.try_emplace(op);
  if (fresh) at->second = fact_atoms(base_, op);
  return at->second;
}

const std::vector<Step>& Side::steps(Op op) {
  const auto at = steps_.find(op);
  if (at != steps_.end()) return at->second;
  std::vector<Step> all = seatbelt::read::steps(base_, op, model_);
  std::erase_if(all, [](const Step& step) { return step.kind == Step::Kind::import; });
  return steps_.emplace(op, std::move(all)).first->second;
}

Decision Side::decide(const Request& request) {
  return seatbelt::read::decide(base_, request, steps(request.op));
}

Level Side::level(const Request& request) {
  const Decision decision = decide(request);
  if (decision.verdict != Verdict::allow) return Level::deny;
  return decision.unconfined == Truth::yes ? Level::unconfined : Level::allow;
}

const Side::Prepared& Side::prepared(Op op, Variant variant) {
  const Prepared*& known = prepared_for_[{op, variant}];
  if (known != nullptr) return *known;
  // Operations with the same steps and the same kind of subject have the same answer, unless some
  // filter fits only one of them.
  std::string key{static_cast<char>(variant), static_cast<char>(info(op).subject)};
  for (std::size_t i = 0; i < seatbelt::kFilterCount; ++i) {
    key.push_back(accepts(op, static_cast<Filter>(i)) ? '1' : '0');
  }
  for (const Step& step : steps(op)) {
    const auto rule = step.kind == Step::Kind::builtin ? RuleId{0} : step.rule + 1;
    for (unsigned shift = 0; shift < 32; shift += 8) {
      key.push_back(static_cast<char>(rule >> shift & 255U));
    }
    key.push_back(step.action == Action::allow ? '+' : '-');
  }
  std::unique_ptr<Prepared>& made = prepared_[std::move(key)];
  if (made == nullptr) {
    static std::atomic<std::uint64_t> made_so_far{0};
    made = std::make_unique<Prepared>(prepare(base_, steps(op), op, variant));
    made->id = ++made_so_far;
  }
  known = made.get();
  return *made;
}

Found find(Side& first, Side& second, Op op, Relation relation, const decide::Budget& budget) {
  return Search{first, second, op, relation, budget}.run();
}

std::vector<Op> operations_of_interest(const Side& first, const Side& second) {
  std::vector<Op> result;
  const bool defaults = first.base().default_action() != second.base().default_action() ||
                        first.base().default_action() == Action::allow;
  for (std::size_t i = 1; i < seatbelt::kOpCount; ++i) {
    const Op op = static_cast<Op>(i);
    if (!seatbelt::is_concrete(op)) continue;
    bool named = defaults;
    for (std::optional<Op> at = op; at && *at != Op::default_ && !named; at = parent(*at)) {
      for (const Side* const side : {&first, &second}) {
        named = named || !side->base().naming[static_cast<std::size_t>(*at)].empty();
      }
    }
    if (named) result.push_back(op);
  }
  return result;
}

}  // namespace nd7::answer
