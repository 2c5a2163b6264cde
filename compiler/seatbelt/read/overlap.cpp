#include "compiler/seatbelt/read/overlap.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/seatbelt/read/condition.hpp"

namespace nd7::seatbelt::read {
namespace {

/// Everything that an atom matches begins with `text`.
struct Beginning {
  std::string text;
  enum class End : std::uint8_t { exact, component, anything } end = End::anything;
};

std::optional<Beginning> beginning(const RuleBase& base, const Atom& atom) {
  if (atom.kind == Atom::Kind::regex) {
    const auto start = pattern::anchored_prefix(base.regexes[atom.regex].syntax);
    if (!start || is_opaque(*start)) return std::nullopt;
    return Beginning{*start, Beginning::End::anything};
  }
  if (atom.kind != Atom::Kind::text || is_opaque(atom.text)) return std::nullopt;
  switch (family_of(atom.filter).test) {
    case TextTest::exact: return Beginning{atom.text, Beginning::End::exact};
    case TextTest::subpath: return Beginning{atom.text, Beginning::End::component};
    case TextTest::prefix: return Beginning{atom.text, Beginning::End::anything};
    case TextTest::ancestors:
    case TextTest::regex: break;
  }
  return std::nullopt;
}

bool reaches(const Beginning& shorter, const Beginning& longer) {
  switch (shorter.end) {
    case Beginning::End::exact:
      // An exact text is all that there is: the other one must begin no later.
      return shorter.text == longer.text;
    case Beginning::End::component:
      if (longer.end == Beginning::End::anything && shorter.text != "/") {
        // `longer.text` may end inside a component.
        return longer.text.size() == shorter.text.size() || longer.text[shorter.text.size()] == '/';
      }
      return test_text(TextTest::subpath, shorter.text, longer.text);
    case Beginning::End::anything: return true;
  }
  return true;
}

bool may_overlap(const Beginning& a, const Beginning& b) {
  const Beginning& shorter = a.text.size() <= b.text.size() ? a : b;
  const Beginning& longer = a.text.size() <= b.text.size() ? b : a;
  if (longer.text.compare(0, shorter.text.size(), shorter.text) != 0) return false;
  return reaches(shorter, longer);
}

bool atoms_may_overlap(const RuleBase& base, const Atom& a, const Atom& b, Op op) {
  const Subject subject = info(op).subject;
  const auto left = variant_of(a.filter, subject);
  const auto right = variant_of(b.filter, subject);
  if (left && right && *left != *right) return false;
  if (a.kind == Atom::Kind::address && b.kind == Atom::Kind::address) {
    const bool same_side = a.filter == b.filter;
    return !(same_side && a.address.port && b.address.port && *a.address.port != *b.address.port);
  }
  if (family_of(a.filter).base != family_of(b.filter).base) return true;
  if (a.kind == Atom::Kind::symbol && b.kind == Atom::Kind::symbol) {
    return a.filter == Filter::target || a.text == b.text;
  }
  if (a.filter == Filter::extension) return true;  // a process may hold several
  const std::optional<Beginning> one = beginning(base, a);
  const std::optional<Beginning> other = beginning(base, b);
  return !one || !other || may_overlap(*one, *other);
}

}  // namespace

bool may_overlap(const RuleBase& base, FilterId a, FilterId b, Op op, std::size_t& budget) {
  if (budget == 0) return true;
  --budget;
  const FilterNode& left = base.filters[a];
  if (left.kind == FilterNode::Kind::atom) {
    const FilterNode& right = base.filters[b];
    if (right.kind == FilterNode::Kind::atom) {
      return atoms_may_overlap(base, base.atoms[left.first], base.atoms[right.first], op);
    }
    return may_overlap(base, b, a, op, budget);
  }
  if (left.kind == FilterNode::Kind::negation) return true;
  const auto kids = base.kids_of(a);
  const auto with_other = [&](FilterId kid) { return may_overlap(base, kid, b, op, budget); };
  return left.kind == FilterNode::Kind::any ? std::any_of(kids.begin(), kids.end(), with_other)
                                            : std::all_of(kids.begin(), kids.end(), with_other);
}

bool equal_filters(const RuleBase& base, FilterId a, FilterId b, std::size_t& budget) {
  if (a == b) return true;
  if (budget == 0) return false;
  --budget;
  const FilterNode& left = base.filters[a];
  const FilterNode& right = base.filters[b];
  if (left.kind != right.kind || left.tree_size != right.tree_size) return false;
  if (left.kind == FilterNode::Kind::atom) {
    const Atom& one = base.atoms[left.first];
    const Atom& other = base.atoms[right.first];
    return one.filter == other.filter && one.kind == other.kind && one.text == other.text &&
           one.number == other.number && one.address == other.address;
  }
  const auto left_kids = base.kids_of(a);
  const auto right_kids = base.kids_of(b);
  return std::equal(
      left_kids.begin(), left_kids.end(), right_kids.begin(), right_kids.end(),
      [&](FilterId one, FilterId other) { return equal_filters(base, one, other, budget); });
}

}  // namespace nd7::seatbelt::read
