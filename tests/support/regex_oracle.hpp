// Regular expressions for tests: built by hand or from random bytes, and matched the slow and
// obvious way, by trying everything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/pattern/regex.hpp"

namespace nd7::pattern::oracle {

/// From a place, the places where a node's matches end. Subjects may hold encoded holes.
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

}  // namespace nd7::pattern::oracle

namespace nd7::testing {

/// Builds syntax trees without the parser.
class RegexMaker {
 public:
  using Kind = pattern::RegexNode::Kind;
  using Id = std::uint32_t;

  Id node(Kind kind, std::vector<Id> kids = {}) {
    pattern::RegexNode made;
    made.kind = kind;
    made.kids = std::move(kids);
    regex_.nodes.push_back(std::move(made));
    return static_cast<Id>(regex_.nodes.size() - 1);
  }
  Id set(const pattern::ByteSet& bytes) {
    const Id id = node(Kind::bytes);
    regex_.nodes[id].set = bytes;
    return id;
  }
  Id byte(char c) { return set(pattern::ByteSet().set(static_cast<unsigned char>(c))); }
  Id but(char c) { return set(pattern::ByteSet().set().reset(static_cast<unsigned char>(c))); }
  Id dot() { return set(pattern::ByteSet().set()); }
  Id text(std::string_view bytes) {
    std::vector<Id> kids;
    for (const char c : bytes) kids.push_back(byte(c));
    return node(kids.empty() ? Kind::empty : Kind::concat, kids);
  }
  Id hole(std::uint32_t index) {
    const Id id = node(Kind::hole);
    regex_.nodes[id].hole = index;
    return id;
  }
  Id seq(std::vector<Id> kids) { return node(Kind::concat, std::move(kids)); }
  Id alt(std::vector<Id> kids) { return node(Kind::alternate, std::move(kids)); }
  Id star(Id kid) { return node(Kind::star, {kid}); }
  Id begin() { return node(Kind::begin); }
  Id end() { return node(Kind::end); }

  pattern::Regex done(Id root) {
    regex_.root = root;
    return std::move(regex_);
  }

 private:
  pattern::Regex regex_;
};

/// A tree for any bytes: a program for a stack machine over the letters `a`, `b` and `/`.
inline pattern::Regex regex_from(std::span<const std::uint8_t> program) {
  using Kind = pattern::RegexNode::Kind;
  RegexMaker make;
  std::vector<RegexMaker::Id> stack;
  const auto pop = [&] {
    if (stack.empty()) return make.node(Kind::empty);
    const RegexMaker::Id top = stack.back();
    stack.pop_back();
    return top;
  };
  for (const std::uint8_t op : program) {
    switch (op % 12) {
      case 0: stack.push_back(make.byte('a')); break;
      case 1: stack.push_back(make.byte('b')); break;
      case 2: stack.push_back(make.byte('/')); break;
      case 3: stack.push_back(make.dot()); break;
      case 4: stack.push_back(make.but('/')); break;
      case 5: stack.push_back(make.begin()); break;
      case 6: stack.push_back(make.end()); break;
      case 7:
      case 8: {
        const RegexMaker::Id right = pop();
        const RegexMaker::Id left = pop();
        stack.push_back(op % 12 == 7 ? make.seq({left, right}) : make.alt({left, right}));
        break;
      }
      case 9: stack.push_back(make.star(pop())); break;
      case 10: stack.push_back(make.node(Kind::plus, {pop()})); break;
      default: stack.push_back(make.node(Kind::optional, {pop()})); break;
    }
  }
  RegexMaker::Id root = pop();
  while (!stack.empty()) root = make.seq({pop(), root});
  return make.done(root);
}

/// The obvious matcher over one expression. For tiny subjects.
class NaiveRegex {
 public:
  explicit NaiveRegex(const pattern::Regex& regex) : regex_(regex) {}

  [[nodiscard]] bool found_in(std::string_view subject) const {
    return pattern::oracle::matches(regex_, subject);
  }

 private:
  const pattern::Regex& regex_;
};

/// Every word over `letters` of at most `longest` letters, shortest first.
inline std::vector<std::string> all_words(std::string_view letters, std::size_t longest) {
  std::vector<std::string> words{""};
  std::size_t begin = 0;
  for (std::size_t length = 1; length <= longest; ++length) {
    const std::size_t end = words.size();
    for (std::size_t i = begin; i < end; ++i) {
      for (const char letter : letters) words.push_back(words[i] + letter);
    }
    begin = end;
  }
  return words;
}

}  // namespace nd7::testing
