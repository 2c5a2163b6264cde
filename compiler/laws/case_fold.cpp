#include "compiler/laws/case_fold.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/pattern/glob.hpp"
#include "compiler/pattern/regex.hpp"

namespace nd7::laws {
namespace {

using ir::CondKind;
using seatbelt::Filter;

/// The directories above a path, without the root. A parameter at the front is one component.
std::string ancestors_regex(const ir::Text& path) {
  std::string regex = "^";
  std::size_t at = 0;
  if (!path.empty() && path.front() == '\0') {
    regex += path.substr(0, 2);
    at = 2;
  }
  std::string closing;
  for (std::size_t end = path.find('/', at + 1); end != std::string::npos;
       end = path.find('/', at + 1)) {
    const std::string component = pattern::quote_regex(path.substr(at, end - at));
    if (at == 0) {
      regex += component;
    } else {
      regex += "(" + component;
      closing += ")?";
    }
    at = end;
  }
  return regex + closing + "$";
}

/// The atom's meaning as a regular expression; nothing for atoms that are not about a path's names.
std::optional<std::string> as_regex(const ir::Atom& atom) {
  switch (atom.filter) {
    case Filter::subpath:
      return atom.text == "/" ? "^/" : "^" + pattern::quote_regex(atom.text) + "(/|$)";
    case Filter::literal: return "^" + pattern::quote_regex(atom.text) + "$";
    case Filter::prefix: return "^" + pattern::quote_regex(atom.text);
    case Filter::regex: return atom.text;
    case Filter::path_ancestors: return ancestors_regex(atom.text);
    default: return std::nullopt;
  }
}

ir::CondId fold_atom(ir::Conditions& conditions, ir::CondId cond, ir::AtomId id) {
  const ir::Atom atom = conditions.get(id);
  const auto regex = as_regex(atom);
  if (!regex) return cond;
  std::string folded = pattern::fold_ascii_case(*regex);
  if (folded == *regex) return cond;
  const ir::CondId other = conditions.atom({Filter::regex, std::move(folded), 0, {}});
  // The folded expression covers the one it came from; the plain filters stay for readers.
  return atom.filter == Filter::regex ? other : conditions.any({cond, other});
}

}  // namespace

ir::CondId fold_denied_names(ir::Conditions& conditions, ir::CondId cond, bool denying) {
  const ir::CondNode node = conditions.node(cond);
  switch (node.kind) {
    case CondKind::never:
    case CondKind::always: return cond;
    case CondKind::atom: return denying ? fold_atom(conditions, cond, node.atom) : cond;
    case CondKind::negation:
      return conditions.negate(fold_denied_names(conditions, node.kids.front(), !denying));
    case CondKind::all:
    case CondKind::any: break;
  }
  std::vector<ir::CondId> kids;
  kids.reserve(node.kids.size());
  for (const ir::CondId kid : node.kids) {
    kids.push_back(fold_denied_names(conditions, kid, denying));
  }
  return node.kind == CondKind::all ? conditions.all(std::move(kids))
                                    : conditions.any(std::move(kids));
}

std::optional<ir::Text> other_case_ancestors(const ir::Text& path) {
  const std::string regex = ancestors_regex(path);
  std::string folded = pattern::fold_ascii_case(regex);
  if (folded == regex) return std::nullopt;
  return folded;
}

}  // namespace nd7::laws
