// Equality of expressions apart from spans and from the numbering of nodes.
#pragma once

#include <cstdint>

#include "compiler/syntax/expression.hpp"

namespace nd7::test {

inline bool same_structure(const Expr& a, std::uint32_t x, const Expr& b, std::uint32_t y) {
  const ExprNode& left = a.nodes[x];
  const ExprNode& right = b.nodes[y];
  if (left.kind != right.kind || left.word != right.word ||
      left.values.size() != right.values.size() || left.kids.size() != right.kids.size()) {
    return false;
  }
  for (std::size_t i = 0; i < left.values.size(); ++i) {
    const ExprValue& v = left.values[i];
    const ExprValue& w = right.values[i];
    if (v.kind != w.kind || v.text != w.text || v.integer != w.integer) return false;
  }
  for (std::size_t i = 0; i < left.kids.size(); ++i) {
    if (!same_structure(a, left.kids[i], b, right.kids[i])) return false;
  }
  return true;
}

inline bool same_structure(const Expr& a, const Expr& b) {
  return same_structure(a, a.root, b, b.root);
}

}  // namespace nd7::test
