// Regular expressions for tests: built by hand or from random bytes, and matched the slow and
// obvious way, by trying everything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/pattern/regex.hpp"

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

/// Matching by definition: search for a beginning, try every way. For tiny subjects.
class NaiveRegex {
 public:
  explicit NaiveRegex(const pattern::Regex& regex) : regex_(regex) {}

  [[nodiscard]] bool found_in(std::string_view subject) const {
    for (std::size_t from = 0; from <= subject.size(); ++from) {
      if (match(regex_.root, subject, from, [](std::size_t) { return true; })) return true;
    }
    return false;
  }

 private:
  using Rest = std::function<bool(std::size_t)>;

  bool match(std::uint32_t id, std::string_view subject, std::size_t at, const Rest& rest) const {
    using Kind = pattern::RegexNode::Kind;
    const pattern::RegexNode& node = regex_.nodes[id];
    switch (node.kind) {
      case Kind::empty: return rest(at);
      case Kind::bytes:
        return at < subject.size() && node.set[static_cast<unsigned char>(subject[at])] &&
               rest(at + 1);
      case Kind::begin: return at == 0 && rest(at);
      case Kind::end: return at == subject.size() && rest(at);
      case Kind::concat: return sequence(node.kids, 0, subject, at, rest);
      case Kind::alternate:
        for (const std::uint32_t kid : node.kids) {
          if (match(kid, subject, at, rest)) return true;
        }
        return false;
      case Kind::optional: return rest(at) || match(node.kids[0], subject, at, rest);
      case Kind::star: return repeat(node.kids[0], subject, at, rest);
      case Kind::plus:
        return match(node.kids[0], subject, at,
                     [&](std::size_t next) { return repeat(node.kids[0], subject, next, rest); });
      case Kind::hole: return false;
    }
    return false;
  }

  bool sequence(const std::vector<std::uint32_t>& kids, std::size_t i, std::string_view subject,
                std::size_t at, const Rest& rest) const {
    if (i == kids.size()) return rest(at);
    return match(kids[i], subject, at,
                 [&](std::size_t next) { return sequence(kids, i + 1, subject, next, rest); });
  }

  bool repeat(std::uint32_t kid, std::string_view subject, std::size_t at, const Rest& rest) const {
    if (rest(at)) return true;
    return match(kid, subject, at,
                 [&](std::size_t next) { return next > at && repeat(kid, subject, next, rest); });
  }

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
