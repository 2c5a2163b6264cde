#include "compiler/answer/prepared.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "compiler/seatbelt/read/condition.hpp"

namespace nd7::answer {
namespace {

using decide::TextPattern;
using seatbelt::FilterValue;
using seatbelt::Op;
using seatbelt::Variant;
using seatbelt::read::Action;
using seatbelt::read::Atom;
using seatbelt::read::AtomId;
using seatbelt::read::FilterId;
using seatbelt::read::FilterNode;
using seatbelt::read::RuleBase;
using seatbelt::read::Step;
using seatbelt::read::TextTest;

/// Expressions are made ready once for the many sides that hold the same ones: a policy at each of
/// its placements. By their texts, which say all about them.
class Expressions {
 public:
  std::optional<decide::Language> any_of(std::span<const pattern::Regex* const> expressions,
                                         const std::string& texts) {
    if (const auto at = known_.find(texts); at != known_.end()) return at->second;
    auto language = decide::Language::any_of(expressions);
    if (!language) return language;
    bytes_ += language->nfa()->memory() + texts.size();
    if (bytes_ > kMaxBytes) {
      known_.clear();
      bytes_ = language->nfa()->memory() + texts.size();
    }
    known_.emplace(texts, *language);
    return language;
  }

 private:
  static constexpr std::size_t kMaxBytes = std::size_t{32} << 20U;

  std::map<std::string, decide::Language> known_;
  std::size_t bytes_ = 0;
};

class Preparer {
 public:
  Preparer(const RuleBase& base, Op op, Variant variant)
      : base_(base), op_(op), variant_(variant) {}

  Side::Prepared run(const std::vector<Step>& steps) {
    std::uint32_t allowed = result_.tree.constant(false);
    std::uint32_t unconfined = result_.tree.constant(false);
    // From the last step to the first; neighbours that decide alike are one union.
    std::size_t end = steps.size();
    while (end > 0) {
      std::size_t begin = end - 1;
      while (begin > 0 && outcome(steps[begin - 1]) == outcome(steps[end - 1])) --begin;
      const std::uint32_t when = union_of(steps, begin, end);
      const Level level = outcome(steps[end - 1]);
      allowed = choose(when, level != Level::deny, allowed);
      unconfined = choose(when, level == Level::unconfined, unconfined);
      end = begin;
    }
    result_.allowed = allowed;
    result_.unconfined = unconfined;
    std::sort(result_.facts.begin(), result_.facts.end());
    result_.facts.erase(std::unique(result_.facts.begin(), result_.facts.end()),
                        result_.facts.end());
    return std::move(result_);
  }

 private:
  Level outcome(const Step& step) const {
    if (step.action == Action::deny) return Level::deny;
    const bool leaves = step.kind == Step::Kind::rule && base_.rules[step.rule].leaves_sandbox();
    return leaves ? Level::unconfined : Level::allow;
  }

  Tree& tree() { return result_.tree; }

  std::uint32_t negate(std::uint32_t node) {
    return tree().add({Tree::Kind::negation, false, 0, {node}});
  }

  /// `when ? value : otherwise`.
  std::uint32_t choose(std::uint32_t when, bool value, std::uint32_t otherwise) {
    if (value) return tree().add({Tree::Kind::any, false, 0, {when, otherwise}});
    return tree().add({Tree::Kind::all, false, 0, {negate(when), otherwise}});
  }

  std::uint32_t union_of(const std::vector<Step>& steps, std::size_t begin, std::size_t end) {
    Union parts;
    for (std::size_t i = begin; i < end; ++i) {
      const Step& step = steps[i];
      const auto* const filter = step.kind == Step::Kind::rule && base_.rules[step.rule].filter
                                     ? &*base_.rules[step.rule].filter
                                     : nullptr;
      if (filter == nullptr) return tree().constant(true);
      collect(*filter, parts);
    }
    return join(std::move(parts));
  }

  /// What a union is of.
  struct Union {
    std::vector<TextPattern> texts;
    std::vector<AtomId> expressions;
    std::vector<std::uint32_t> kids;  ///< nodes
  };

  /// Plain texts of a union go into one automaton, its expressions into another that is followed as
  /// one, everything else becomes a node.
  void collect(FilterId id, Union& parts) {
    const FilterNode& node = base_.filters[id];
    if (node.kind == FilterNode::Kind::any) {
      for (const FilterId kid : base_.kids_of(id)) collect(kid, parts);
      return;
    }
    if (node.kind == FilterNode::Kind::atom) {
      const Atom& atom = base_.atoms[node.first];
      if (auto text = plain(atom)) {
        parts.texts.push_back(std::move(*text));
        return;
      }
      if (is_expression(atom)) {
        parts.expressions.push_back(node.first);
        return;
      }
    }
    parts.kids.push_back(condition(id));
  }

  std::uint32_t join(Union parts) {
    std::vector<std::uint32_t>& kids = parts.kids;
    if (!parts.texts.empty()) kids.push_back(language(decide::Automaton::from_texts(parts.texts)));
    if (!parts.expressions.empty()) kids.push_back(any_expression(std::move(parts.expressions)));
    if (kids.size() == 1) return kids.front();
    return tree().add({Tree::Kind::any, false, 0, std::move(kids)});
  }

  /// One automaton for all of them, unless they are too large together.
  std::uint32_t any_expression(std::vector<AtomId> atoms) {
    std::sort(atoms.begin(), atoms.end(),
              [&](AtomId a, AtomId b) { return base_.atoms[a].text < base_.atoms[b].text; });
    std::vector<const pattern::Regex*> expressions;
    std::string source;
    for (const AtomId id : atoms) {
      const Atom& atom = base_.atoms[id];
      expressions.push_back(&base_.regexes[atom.regex].syntax);
      // No expression holds a NUL, so the list can be told from its text.
      source += atom.text;
      source.push_back('\0');
    }
    static thread_local Expressions known;
    if (auto all = known.any_of(expressions, source)) {
      return language(std::move(*all), std::move(source));
    }
    if (atoms.size() == 1) {
      result_.complete = false;
      return tree().constant(false);
    }
    std::vector<std::uint32_t> kids;
    for (const AtomId id : atoms) kids.push_back(any_expression({id}));
    return tree().add({Tree::Kind::any, false, 0, std::move(kids)});
  }

  // Depth is bounded by the reader (Limits::nesting).
  std::uint32_t condition(FilterId id) {
    const FilterNode& node = base_.filters[id];
    if (node.kind == FilterNode::Kind::atom) return atom(node.first);
    if (node.kind == FilterNode::Kind::any) {
      Union parts;
      collect(id, parts);
      return join(std::move(parts));
    }
    std::vector<std::uint32_t> kids;
    for (const FilterId kid : base_.kids_of(id)) kids.push_back(condition(kid));
    if (node.kind == FilterNode::Kind::negation) return negate(kids.front());
    return tree().add({Tree::Kind::all, false, 0, std::move(kids)});
  }

  std::uint32_t language(decide::Language language, std::string source = {}) {
    result_.languages.push_back(std::move(language));
    result_.sources.push_back(std::move(source));
    return tree().add({Tree::Kind::language,
                       false,
                       static_cast<std::uint32_t>(result_.languages.size() - 1),
                       {}});
  }

  /// The atom speaks about the text at hand.
  bool about_text(const Atom& atom) const {
    const auto about = variant_of(atom.filter, info(op_).subject);
    const FilterValue value = info(atom.filter).value;
    return about == variant_ &&
           (value == FilterValue::path || value == FilterValue::name ||
            value == FilterValue::regex) &&
           is_main(atom.filter);
  }

  /// The filters of a subject's own text; others (xattr, mount-relative, …) are facts beside it.
  bool is_main(seatbelt::Filter filter) const {
    if (variant_ != Variant::path && variant_ != Variant::unix_socket) return true;
    const seatbelt::Filter base = seatbelt::read::family_of(filter).base;
    return base == seatbelt::Filter::literal;
  }

  bool is_expression(const Atom& atom) const {
    return accepts(op_, atom.filter) && about_text(atom) && atom.kind == Atom::Kind::regex;
  }

  std::optional<TextPattern> plain(const Atom& atom) const {
    if (!accepts(op_, atom.filter) || !about_text(atom) || atom.kind == Atom::Kind::regex) {
      return std::nullopt;
    }
    switch (seatbelt::read::family_of(atom.filter).test) {
      case TextTest::exact: return TextPattern{TextPattern::Kind::literal, atom.text};
      case TextTest::prefix: return TextPattern{TextPattern::Kind::prefix, atom.text};
      case TextTest::subpath: return TextPattern{TextPattern::Kind::subpath, atom.text};
      case TextTest::ancestors: return TextPattern{TextPattern::Kind::ancestors, atom.text};
      case TextTest::regex: return std::nullopt;
    }
    return std::nullopt;
  }

  std::uint32_t atom(AtomId id) {
    const Atom& atom = base_.atoms[id];
    if (!accepts(op_, atom.filter)) return tree().constant(false);
    if (atom.filter == seatbelt::Filter::remote_unix ||
        atom.filter == seatbelt::Filter::local_unix) {
      return tree().constant(variant_ == Variant::unix_socket);
    }
    if (const auto text = plain(atom)) {
      return language(decide::Automaton::from_texts({&*text, 1}));
    }
    if (about_text(atom)) return any_expression({id});
    const auto about = variant_of(atom.filter, info(op_).subject);
    if (about && *about != variant_) return tree().constant(false);
    result_.facts.push_back(id);
    return tree().add({Tree::Kind::fact, false, id, {}});
  }

  const RuleBase& base_;
  Op op_;
  Variant variant_;
  Side::Prepared result_;
};

}  // namespace

Side::Prepared prepare(const RuleBase& base, const std::vector<Step>& steps, Op op,
                       Variant variant) {
  return Preparer{base, op, variant}.run(steps);
}

}  // namespace nd7::answer
