// anchored_prefix: what every match begins with.
#include <algorithm>
#include <utility>

#include "compiler/pattern/regex.hpp"

namespace nd7::pattern {
namespace {

using Kind = RegexNode::Kind;

/// What is known of the beginnings of a node's matches.
struct Beginning {
  std::string text;       ///< every match begins with it
  bool anchored = false;  ///< every match passes `^` before its first byte
  bool exact = false;     ///< `text` is the only match
};

/// Bytes of the unit at `at`: a hole's two are one.
std::size_t unit_size(std::string_view text, std::size_t at) {
  return text[at] == '\0' && at + 1 < text.size() ? 2 : 1;
}

std::size_t common_prefix(std::string_view a, std::string_view b) {
  std::size_t at = 0;
  while (at < a.size() && at < b.size()) {
    const std::size_t size = unit_size(a, at);
    if (a.substr(at, size) != b.substr(at, size)) break;
    at += size;
  }
  return at;
}

Beginning of_concat(const RegexNode& node, std::vector<Beginning>& kids) {
  Beginning result;
  result.exact = true;
  for (const std::uint32_t id : node.kids) {
    const Beginning kid = std::move(kids[id]);
    if (kid.anchored) {
      // `^` after text cannot match; what follows says nothing about where a match begins.
      if (!result.text.empty()) {
        result.exact = false;
        break;
      }
      result.anchored = true;
    }
    result.text += kid.text;
    if (!kid.exact) {
      result.exact = false;
      break;
    }
  }
  return result;
}

Beginning of_alternate(const RegexNode& node, std::vector<Beginning>& kids) {
  Beginning result = std::move(kids[node.kids.front()]);
  for (std::size_t i = 1; i < node.kids.size(); ++i) {
    const Beginning kid = std::move(kids[node.kids[i]]);
    const std::size_t common = common_prefix(result.text, kid.text);
    result.exact =
        result.exact && kid.exact && common == result.text.size() && common == kid.text.size();
    result.anchored = result.anchored && kid.anchored;
    result.text.resize(common);
  }
  return result;
}

Beginning of_bytes(const RegexNode& node) {
  Beginning result;
  if (node.set.count() == 1) {
    std::size_t byte = 0;
    while (!node.set.test(byte)) ++byte;
    result.text = static_cast<char>(static_cast<unsigned char>(byte));
    result.exact = true;
  }
  return result;
}

}  // namespace

std::optional<std::string> anchored_prefix(const Regex& regex) {
  // Kids come before their parent, so one pass in order sees them first.
  std::vector<Beginning> all;
  all.reserve(regex.nodes.size());
  for (const RegexNode& node : regex.nodes) {
    Beginning result;
    switch (node.kind) {
      case Kind::empty:
      case Kind::end: result.exact = true; break;
      case Kind::begin: result.exact = result.anchored = true; break;
      case Kind::bytes: result = of_bytes(node); break;
      case Kind::hole: result = {encode_hole(node.hole), false, true}; break;
      case Kind::concat: result = of_concat(node, all); break;
      case Kind::alternate: result = of_alternate(node, all); break;
      case Kind::plus:
        result = std::move(all[node.kids.front()]);
        result.exact = false;
        break;
      case Kind::star:
      case Kind::optional: break;
    }
    all.push_back(std::move(result));
  }
  Beginning& root = all[regex.root];
  if (!root.anchored) return std::nullopt;
  return std::move(root.text);
}

}  // namespace nd7::pattern
