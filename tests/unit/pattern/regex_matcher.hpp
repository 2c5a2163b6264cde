// The obvious matcher of regular expressions, as an oracle: from a place, the set of places where a
// node's matches end. Subjects may hold encoded holes.
#pragma once

#include <cstddef>
#include <set>
#include <string_view>

#include "compiler/pattern/regex.hpp"

namespace nd7::pattern::oracle {

using Places = std::set<std::size_t>;

inline Places ends(const Regex& regex, std::uint32_t id, std::string_view subject,
                   std::size_t from) {
  using Kind = RegexNode::Kind;
  const RegexNode& node = regex.nodes[id];
  switch (node.kind) {
    case Kind::empty: return {from};
    case Kind::begin: return from == 0 ? Places{from} : Places{};
    case Kind::end: return from == subject.size() ? Places{from} : Places{};
    case Kind::bytes:
      if (from < subject.size() && node.set.test(static_cast<unsigned char>(subject[from]))) {
        return {from + 1};
      }
      return {};
    case Kind::hole:
      return subject.substr(from, 2) == encode_hole(node.hole) ? Places{from + 2} : Places{};
    case Kind::concat: {
      Places now{from};
      for (const std::uint32_t kid : node.kids) {
        Places next;
        for (const std::size_t at : now) next.merge(ends(regex, kid, subject, at));
        now = std::move(next);
      }
      return now;
    }
    case Kind::alternate: {
      Places all;
      for (const std::uint32_t kid : node.kids) all.merge(ends(regex, kid, subject, from));
      return all;
    }
    case Kind::star:
    case Kind::plus:
    case Kind::optional: break;
  }
  Places all;
  if (node.kind != Kind::plus) all.insert(from);
  Places now{from};
  for (bool again = true; again;) {
    Places next;
    for (const std::size_t at : now) next.merge(ends(regex, node.kids[0], subject, at));
    now.clear();
    for (const std::size_t at : next) {
      if (all.insert(at).second) now.insert(at);
    }
    again = node.kind != Kind::optional && !now.empty();
  }
  return all;
}

/// Unanchored search, as Seatbelt does it.
inline bool matches(const Regex& regex, std::string_view subject) {
  for (std::size_t from = 0; from <= subject.size(); ++from) {
    if (!ends(regex, regex.root, subject, from).empty()) return true;
  }
  return false;
}

/// False also when `text` is not in the strict dialect; tests that care check that first.
inline bool matches(std::string_view text, std::string_view subject) {
  const RegexResult parsed = parse_regex(text, RegexMode::strict);
  return parsed.regex && matches(*parsed.regex, subject);
}

}  // namespace nd7::pattern::oracle
