#include "compiler/laws/stability.hpp"

#include <algorithm>
#include <unordered_set>

#include "compiler/pattern/regex.hpp"

namespace nd7::laws {
namespace {

using ir::CondKind;
using pattern::Regex;
using pattern::RegexNode;
using seatbelt::Filter;

/// How a set of paths behaves when directories move.
enum class Shape : std::uint8_t {
  not_path,  ///< no test of the path
  rooted,    ///< below fixed directories, and every directory on the way in is in the set or fixed
  named,     ///< a component decides: it moves along
  mixed,     ///< a union of rooted and named: stable by itself
  moving,    ///< neither
};

std::vector<std::uint32_t> top_level(const Regex& regex) {
  const RegexNode& root = regex.nodes[regex.root];
  if (root.kind == RegexNode::Kind::concat) return root.kids;
  return {regex.root};
}

bool is_byte(const RegexNode& node, char byte) {
  return node.kind == RegexNode::Kind::bytes && node.set.count() == 1 &&
         node.set.test(static_cast<unsigned char>(byte));
}

/// True if some match of the node holds a slash, or if it tests a position.
bool may_cross(const Regex& regex, std::uint32_t index) {
  std::vector<std::uint32_t> stack{index};
  while (!stack.empty()) {
    const RegexNode& node = regex.nodes[stack.back()];
    stack.pop_back();
    switch (node.kind) {
      case RegexNode::Kind::bytes:
        if (node.set.test('/')) return true;
        break;
      case RegexNode::Kind::begin:
      case RegexNode::Kind::end:
      case RegexNode::Kind::hole: return true;
      default: break;
    }
    stack.insert(stack.end(), node.kids.begin(), node.kids.end());
  }
  return false;
}

/// `(/|$)`.
bool is_component_end(const Regex& regex, std::uint32_t index) {
  const RegexNode& node = regex.nodes[index];
  if (node.kind != RegexNode::Kind::alternate || node.kids.size() != 2) return false;
  const RegexNode& first = regex.nodes[node.kids[0]];
  const RegexNode& second = regex.nodes[node.kids[1]];
  return (is_byte(first, '/') && second.kind == RegexNode::Kind::end) ||
         (is_byte(second, '/') && first.kind == RegexNode::Kind::end);
}

/// `([^/]+/)*`.
bool is_any_directories(const Regex& regex, std::uint32_t index) {
  const RegexNode& star = regex.nodes[index];
  if (star.kind != RegexNode::Kind::star) return false;
  const RegexNode& pair = regex.nodes[star.kids.front()];
  if (pair.kind != RegexNode::Kind::concat || pair.kids.size() != 2) return false;
  const RegexNode& plus = regex.nodes[pair.kids[0]];
  if (plus.kind != RegexNode::Kind::plus || !is_byte(regex.nodes[pair.kids[1]], '/')) return false;
  const RegexNode& byte = regex.nodes[plus.kids.front()];
  return byte.kind == RegexNode::Kind::bytes && byte.set.count() >= 254 && !byte.set.test('/');
}

/// `/component(/|$)`: unanchored, one component.
bool is_named(const Regex& regex) {
  const auto kids = top_level(regex);
  if (kids.size() < 3 || !is_byte(regex.nodes[kids.front()], '/') ||
      !is_component_end(regex, kids.back())) {
    return false;
  }
  return std::none_of(kids.begin() + 1, kids.end() - 1,
                      [&](std::uint32_t kid) { return may_cross(regex, kid); });
}

/// `^/([^/]+/)*component$`, the glob `**/component`: the last component alone decides.
bool is_last_name(const Regex& regex) {
  const auto kids = top_level(regex);
  if (kids.size() < 5 || regex.nodes[kids[0]].kind != RegexNode::Kind::begin ||
      !is_byte(regex.nodes[kids[1]], '/') || !is_any_directories(regex, kids[2]) ||
      regex.nodes[kids.back()].kind != RegexNode::Kind::end) {
    return false;
  }
  return std::none_of(kids.begin() + 3, kids.end() - 1,
                      [&](std::uint32_t kid) { return may_cross(regex, kid); });
}

/// `^/literal/directory/` and then at most one component's worth of pattern.
bool is_rooted(const Regex& regex) {
  const auto kids = top_level(regex);
  if (kids.empty() || regex.nodes[kids.front()].kind != RegexNode::Kind::begin) return false;
  std::size_t after_slash = 0;
  for (std::size_t i = 1; i < kids.size(); ++i) {
    const RegexNode& node = regex.nodes[kids[i]];
    if (node.kind == RegexNode::Kind::hole) continue;
    if (node.kind != RegexNode::Kind::bytes || node.set.count() != 1) break;
    if (node.set.test('/')) after_slash = i + 1;
  }
  if (after_slash == 0) return false;
  std::size_t end = kids.size();
  const std::size_t rest = end - after_slash;
  // `^/dir/.`: everything below the directory.
  if (rest == 1 && regex.nodes[kids[after_slash]].kind == RegexNode::Kind::bytes &&
      regex.nodes[kids[after_slash]].set.count() >= 255) {
    return true;
  }
  if (rest > 0 && (regex.nodes[kids[end - 1]].kind == RegexNode::Kind::end ||
                   is_component_end(regex, kids[end - 1]))) {
    --end;
  }
  return std::none_of(kids.begin() + static_cast<std::ptrdiff_t>(after_slash),
                      kids.begin() + static_cast<std::ptrdiff_t>(end),
                      [&](std::uint32_t kid) { return may_cross(regex, kid); });
}

Shape regex_shape(const std::string& text) {
  const auto parsed = pattern::parse_regex(text, pattern::RegexMode::strict);
  if (!parsed.regex) return Shape::moving;
  if (is_named(*parsed.regex) || is_last_name(*parsed.regex)) return Shape::named;
  return is_rooted(*parsed.regex) ? Shape::rooted : Shape::moving;
}

Shape atom_shape(const ir::Atom& atom) {
  switch (atom.filter) {
    case Filter::subpath:
    case Filter::literal:
    case Filter::prefix:
    case Filter::path_ancestors: return Shape::rooted;
    case Filter::regex: return regex_shape(atom.text);
    case Filter::mount_relative_literal:
    case Filter::mount_relative_prefix:
    case Filter::mount_relative_regex:
    case Filter::mount_relative_subpath: return Shape::moving;
    default: return Shape::not_path;
  }
}

class Analysis {
 public:
  explicit Analysis(const ir::Policy& policy) : policy_(policy) {}

  // Depth is that of expressions: bounded by the parser, plus the flattened unions around them.
  Shape shape(ir::CondId id) {
    const ir::CondNode& node = policy_.conditions.node(id);
    switch (node.kind) {
      case CondKind::never:
      case CondKind::always: return Shape::not_path;
      case CondKind::atom: return leaf(policy_.conditions.get(node.atom));
      case CondKind::any: return any(node);
      case CondKind::all: return all(node);
      case CondKind::negation: return Shape::moving;
    }
    return Shape::moving;
  }

  /// The atom to blame, if one alone is.
  const ir::Atom* culprit() const { return culprit_; }

 private:
  Shape leaf(const ir::Atom& atom) {
    const Shape result = atom_shape(atom);
    if (result == Shape::moving && culprit_ == nullptr) culprit_ = &atom;
    return result;
  }

  Shape any(const ir::CondNode& node) {
    bool rooted = false;
    bool named = false;
    for (const ir::CondId kid : node.kids) {
      const Shape at = shape(kid);
      if (at == Shape::moving) return at;
      rooted = rooted || at == Shape::rooted || at == Shape::mixed;
      named = named || at == Shape::named || at == Shape::mixed;
    }
    if (rooted && named) return Shape::mixed;
    return rooted ? Shape::rooted : named ? Shape::named : Shape::not_path;
  }

  Shape all(const ir::CondNode& node) {
    std::size_t rooted = 0;
    std::size_t named = 0;
    std::size_t mixed = 0;
    std::size_t exceptions = 0;
    for (const ir::CondId kid : node.kids) {
      const ir::CondNode& at = policy_.conditions.node(kid);
      if (at.kind == CondKind::negation) {
        if (shape(at.kids.front()) == Shape::not_path) continue;
        if (!closed_below(policy_.conditions, at.kids.front())) return Shape::moving;
        ++exceptions;
        continue;
      }
      const Shape of = shape(kid);
      if (of == Shape::moving) return of;
      rooted += of == Shape::rooted ? 1 : 0;
      named += of == Shape::named ? 1 : 0;
      mixed += of == Shape::mixed ? 1 : 0;
    }
    if (named + mixed == 0) return rooted > 0 ? Shape::rooted : Shape::not_path;
    // What a name decides can be carried out of a tree, into an exception, or out from under
    // another name.
    if (rooted + exceptions > 0 || named + mixed > 1) return Shape::moving;
    return mixed > 0 ? Shape::mixed : Shape::named;
  }

  const ir::Policy& policy_;
  const ir::Atom* culprit_ = nullptr;
};

}  // namespace

Stability stability(const ir::Policy& policy, ir::CondId denied) {
  Analysis analysis{policy};
  if (analysis.shape(denied) != Shape::moving) return {};
  Stability result{false, {}, {}};
  const ir::Atom* const culprit = analysis.culprit();
  if (culprit == nullptr || culprit->filter != Filter::regex) return result;
  const auto parsed = pattern::parse_regex(culprit->text, pattern::RegexMode::strict);
  if (!parsed.regex) return result;
  std::string path = pattern::sample(*parsed.regex).value_or("");
  if (path.empty() || (path.front() != '/' && path.front() != '\0')) path = "/x" + path;
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos || slash == 0) return result;
  result.denied = path;
  result.moved = path.substr(0, slash);
  return result;
}

bool closed_below(const ir::Conditions& conditions, ir::CondId cond) {
  const ir::CondNode& node = conditions.node(cond);
  switch (node.kind) {
    case CondKind::never:
    case CondKind::always: return true;
    case CondKind::negation: return false;
    case CondKind::all:
    case CondKind::any:
      return std::all_of(node.kids.begin(), node.kids.end(),
                         [&](ir::CondId kid) { return closed_below(conditions, kid); });
    case CondKind::atom: break;
  }
  const ir::Atom& atom = conditions.get(node.atom);
  if (atom.filter == Filter::subpath || atom.filter == Filter::prefix) return true;
  if (atom.filter == Filter::regex) {
    const auto parsed = pattern::parse_regex(atom.text, pattern::RegexMode::strict);
    return parsed.regex && is_named(*parsed.regex);
  }
  return atom_shape(atom) == Shape::not_path;
}

std::vector<ir::Text> fixed_parts(const ir::Policy& policy, ir::CondId denied) {
  std::vector<ir::Text> result;
  std::unordered_set<ir::Text> seen;
  const auto add = [&](ir::Text text) {
    if (text.empty() || text == "/" || !seen.insert(text).second) return;
    result.push_back(std::move(text));
  };
  for (const ir::AtomId id : policy.conditions.positive_atoms_of(denied)) {
    const ir::Atom& atom = policy.conditions.get(id);
    if (atom.filter == Filter::subpath || atom.filter == Filter::literal) {
      add(atom.text);
    } else if (atom.filter == Filter::prefix) {
      // A prefix that ends a component protects that directory, too.
      add(atom.text.back() == '/' ? atom.text + "x" : atom.text);
    } else if (atom.filter == Filter::regex) {
      const auto parsed = pattern::parse_regex(atom.text, pattern::RegexMode::strict);
      if (!parsed.regex) continue;
      const auto prefix = pattern::anchored_prefix(*parsed.regex);
      if (!prefix) continue;
      const std::size_t slash = prefix->rfind('/');
      if (slash == std::string::npos) continue;
      add(prefix->substr(0, slash + 1) + "x");
    }
  }
  return result;
}

}  // namespace nd7::laws
