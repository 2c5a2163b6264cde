#include "compiler/seatbelt/read/rule_base.hpp"

#include <algorithm>

namespace nd7::seatbelt::read {

bool Rule::leaves_sandbox() const {
  return std::any_of(modifiers.begin(), modifiers.end(), [](const Modifier& modifier) {
    return modifier.kind == ModifierKind::no_sandbox ||
           modifier.kind == ModifierKind::default_sandbox;
  });
}

std::span<const FilterId> RuleBase::kids_of(FilterId filter) const {
  const FilterNode& node = filters[filter];
  if (node.kind == FilterNode::Kind::atom) return {};
  return std::span<const FilterId>{kids}.subspan(node.first, node.count);
}

bool RuleBase::names(RuleId rule, Op op) const {
  const std::vector<Op>& ops = rules[rule].ops;
  return std::find(ops.begin(), ops.end(), op) != ops.end();
}

std::vector<AtomId> RuleBase::atoms_of(FilterId filter) const {
  std::vector<AtomId> result;
  std::vector<FilterId> work{filter};
  while (!work.empty()) {
    const FilterId id = work.back();
    work.pop_back();
    if (filters[id].kind == FilterNode::Kind::atom) result.push_back(filters[id].first);
    const auto below = kids_of(id);
    work.insert(work.end(), below.begin(), below.end());
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

Action RuleBase::default_action() const {
  const std::vector<RuleId>& ids = naming[static_cast<std::size_t>(Op::default_)];
  for (auto id = ids.rbegin(); id != ids.rend(); ++id) {
    if (!rules[*id].filter) return rules[*id].action;
  }
  return Action::deny;
}

}  // namespace nd7::seatbelt::read
