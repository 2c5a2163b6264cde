#include "compiler/linux/regions.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "compiler/pattern/regex.hpp"

namespace nd7::linux_plan {
namespace {

using ir::CondId;
using ir::CondKind;
using seatbelt::Filter;
using seatbelt::FilterValue;

/// The parameter that a path begins with; empty for `/`.
std::string_view head(std::string_view path) {
  return !path.empty() && path.front() == '\0' ? path.substr(0, 2) : std::string_view{};
}

bool is_below(std::string_view inner, std::string_view outer) {
  if (outer == "/") return head(inner).empty() && inner != "/";
  return inner.size() > outer.size() && inner.substr(0, outer.size()) == outer &&
         inner[outer.size()] == '/';
}

/// The bytes that a regular expression spells, if it does nothing else.
std::optional<std::string> spelled(std::string_view regex) {
  constexpr std::string_view kSpecial = ".[]()|*+?^${}";
  std::string result;
  for (std::size_t at = 0; at < regex.size(); ++at) {
    char c = regex[at];
    if (c == '\0' && at + 1 < regex.size()) {
      result += regex.substr(at, 2);
      ++at;
      continue;
    }
    if (c == '\\') {
      if (++at == regex.size()) return std::nullopt;
      c = regex[at];
    } else if (c == '[') {
      // One character in brackets, which is how some are quoted.
      if (at + 2 >= regex.size() || regex[at + 2] != ']' || regex[at + 1] == '^') {
        return std::nullopt;
      }
      c = regex[at + 1];
      at += 2;
    } else if (kSpecial.find(c) != std::string_view::npos) {
      return std::nullopt;
    }
    result.push_back(c);
  }
  return result;
}

/// What stands before `(/|$)` at the end, and after `start`.
std::optional<std::string> spelled_tree(std::string_view regex, std::string_view start) {
  constexpr std::string_view kEnd = "(/|$)";
  if (regex.size() <= start.size() + kEnd.size() || regex.substr(0, start.size()) != start ||
      regex.substr(regex.size() - kEnd.size()) != kEnd) {
    return std::nullopt;
  }
  regex.remove_prefix(start.size());
  regex.remove_suffix(kEnd.size());
  return spelled(regex);
}

/// The name of `name:NAME` without wildcards.
std::optional<std::string> plain_name(const ir::Atom& atom, std::string_view text) {
  if (atom.filter != Filter::regex) return std::nullopt;
  auto name = spelled_tree(text, "/");
  if (!name || name->find('/') != std::string::npos || ir::has_holes(*name)) return std::nullopt;
  return name;
}

bool is_normal(std::string_view path) {
  if (path.empty() || (path.front() != '/' && path.front() != '\0')) return false;
  if (path.size() > 1 && path.back() == '/') return false;
  return path.find("//") == std::string_view::npos && path.find("/./") == std::string_view::npos &&
         path.find("/../") == std::string_view::npos;
}

}  // namespace

Relation relation(std::string_view first, std::string_view second) {
  if (first == second) return Relation::same;
  if (first == "/") return Relation::above;
  if (second == "/") return Relation::below;
  if (head(first) != head(second)) return Relation::unknown;
  if (is_below(second, first)) return Relation::above;
  if (is_below(first, second)) return Relation::below;
  return Relation::apart;
}

bool contains(const Tree& outer, const Tree& inner) {
  const Relation how = relation(outer.path, inner.path);
  if (how == Relation::same) return !outer.file || inner.file;
  return how == Relation::above && !outer.file;
}

std::vector<Piece> Regions::opened(CondId cond, PathOf what) const {
  return pieces(cond, what, Use::open);
}

std::vector<Piece> Regions::closed(CondId cond, PathOf what) const {
  return pieces(cond, what, Use::close);
}

ir::Text Regions::text_of(const ir::Atom& atom) const {
  const bool regex = info(atom.filter).value == FilterValue::regex;
  ir::Text text = ir::substitute(atom.text, [&](ir::ParamId id) {
    std::optional<std::string> value = policy_.params[id.value].value;
    if (value && regex) value = pattern::quote_regex(*value);
    return value;
  });
  // A parameter that is the root, with something below it.
  if (!regex && text.substr(0, 2) == "//") text.erase(0, 1);
  return text;
}

Tree Regions::tree_of(const ir::Atom& atom, PathOf what) const {
  switch (atom.filter) {
    case Filter::subpath: return {text_of(atom), false, {}};
    case Filter::literal: {
      ir::Text text = text_of(atom);
      // The root is a directory, and as a tree it would be everything.
      if (text == "/") return {};
      return {std::move(text), true, {}};
    }
    case Filter::remote_unix: return {what == PathOf::socket ? "/" : "", false, {}};
    case Filter::regex: {
      auto path = spelled_tree(text_of(atom), "^");
      if (!path || !is_normal(*path)) return {};
      return {std::move(*path), false, {}};
    }
    default: return {};
  }
}

std::vector<Piece> Regions::pieces(CondId cond, PathOf what, Use use) const {
  const ir::CondNode& node = policy_.conditions.node(cond);
  std::vector<Piece> result;
  switch (node.kind) {
    case CondKind::never: break;
    case CondKind::always: result.push_back({{"/", false, {}}, {}}); break;
    case CondKind::atom: {
      Tree tree = tree_of(policy_.conditions.get(node.atom), what);
      if (!tree.path.empty()) result.push_back({std::move(tree), {}});
      break;
    }
    case CondKind::any:
      for (const CondId kid : node.kids) {
        for (Piece& piece : pieces(kid, what, use)) result.push_back(std::move(piece));
      }
      break;
    case CondKind::all: return intersection(node, what, use);
    case CondKind::negation: {
      ir::CondNode alone{CondKind::all, {}, {cond}};
      return intersection(alone, what, use);
    }
  }
  return result;
}

std::vector<Piece> Regions::intersection(const ir::CondNode& node, PathOf what, Use use) const {
  std::vector<Piece> result{{{"/", false, {}}, {}}};
  std::vector<std::string> names;
  std::vector<Tree> except;
  for (const CondId kid : node.kids) {
    const ir::CondNode& part = policy_.conditions.node(kid);
    if (part.kind == CondKind::negation) {
      const CondId inner = part.kids.front();
      if (use == Use::open) {
        if (!around(inner, what, except)) return {};
        continue;
      }
      for (Piece& piece : pieces(inner, what, Use::open)) {
        if (piece.except.empty()) except.push_back(std::move(piece.tree));
      }
      continue;
    }
    if (part.kind == CondKind::atom && use == Use::open) {
      const ir::Atom& atom = policy_.conditions.get(part.atom);
      if (auto name = plain_name(atom, text_of(atom))) {
        names.push_back(std::move(*name));
        continue;
      }
    }
    std::vector<Piece> both;
    for (const Piece& piece : pieces(kid, what, use)) {
      for (const Piece& known : result) {
        const bool unknown = relation(known.tree.path, piece.tree.path) == Relation::unknown;
        const bool inside = contains(known.tree, piece.tree);
        // What closes may close more where it cannot be told how the two lie.
        if (!inside && !contains(piece.tree, known.tree) && !(unknown && use == Use::close)) {
          continue;
        }
        Piece one = inside ? piece : known;
        const Piece& other = inside ? known : piece;
        one.except.insert(one.except.end(), other.except.begin(), other.except.end());
        both.push_back(std::move(one));
      }
    }
    result = std::move(both);
  }
  // Of every directory of a name, the one right below the tree is one that Linux can name.
  if (names.size() > 1) return {};
  for (const std::string& name : names) {
    std::erase_if(result,
                  [](const Piece& piece) { return piece.tree.file || piece.tree.path == "/"; });
    for (Piece& piece : result) piece.tree.path += "/" + name;
  }
  for (Piece& piece : result) {
    piece.except.insert(piece.except.end(), except.begin(), except.end());
  }
  return result;
}

bool Regions::around(CondId cond, PathOf what, std::vector<Tree>& into) const {
  const ir::CondNode& node = policy_.conditions.node(cond);
  switch (node.kind) {
    case CondKind::never: return true;
    case CondKind::atom: {
      const ir::Atom& atom = policy_.conditions.get(node.atom);
      if (info(atom.filter).value == FilterValue::address) return true;
      Tree tree = tree_of(atom, what);
      if (tree.path.empty() || tree.path == "/") return false;
      into.push_back(std::move(tree));
      return true;
    }
    case CondKind::any:
      return std::all_of(node.kids.begin(), node.kids.end(),
                         [&](CondId kid) { return around(kid, what, into); });
    case CondKind::all:
      for (const CondId kid : node.kids) {
        std::vector<Tree> trees;
        if (!around(kid, what, trees)) continue;
        into.insert(into.end(), trees.begin(), trees.end());
        return true;
      }
      return false;
    default: return false;
  }
}

}  // namespace nd7::linux_plan
