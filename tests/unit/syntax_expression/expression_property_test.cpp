#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "compiler/syntax/expression.hpp"
#include "tests/unit/pattern/census.hpp"
#include "tests/unit/syntax_expression/structure.hpp"

namespace nd7 {
namespace {

using NodeKind = ExprNode::Kind;
using ValueKind = ExprValue::Kind;

std::string any_word() {
  std::string word =
      *rc::gen::element<std::string>("port", "a", "notary", "in-", "or_", "Z9", "true*");
  if (*rc::gen::arbitrary<bool>()) word += *rc::gen::elementOf(std::string{"a1-_*"});
  return word;
}

ExprValue any_value() {
  ExprValue value;
  value.kind = *rc::gen::element(ValueKind::string, ValueKind::integer, ValueKind::word);
  switch (value.kind) {
    case ValueKind::word: value.text = any_word(); break;
    case ValueKind::integer:
      value.integer = *rc::gen::oneOf(rc::gen::arbitrary<std::int64_t>(),
                                      rc::gen::inRange<std::int64_t>(-3, 70000),
                                      rc::gen::element<std::int64_t>(INT64_MIN, INT64_MAX, 0));
      break;
    case ValueKind::string: {
      const auto pieces = *rc::gen::container<std::vector<std::string>>(
          *rc::gen::inRange<std::size_t>(0, 6),
          rc::gen::element<std::string>("/", "~", "a", "\"", "\\", "'", "\n", "\t", "\x7f", "\x01",
                                        "\xc3\xa9", "\xe2\x80\xae", "\xf0\x9f\x98\x80", "\xc2\x85",
                                        "\xff", "\xe2\x80", "\\u{41}", " and ", ")"));
      for (const std::string& piece : pieces) value.text += piece;
      break;
    }
  }
  return value;
}

ExprValue any_integer() {
  ExprValue value = any_value();
  while (value.kind != ValueKind::integer) value = any_value();
  return value;
}

std::vector<ExprValue> any_values() {
  std::vector<ExprValue> values(*rc::gen::inRange<std::size_t>(0, 4));
  for (ExprValue& value : values) value = any_value();
  return values;
}

/// Adds a random tree that a parser can make; `budget` bounds its depth.
std::uint32_t add_node(Expr& expr, int budget) {
  ExprNode node;
  node.kind = budget > 0 ? *rc::gen::weightedElement<NodeKind>({{1, NodeKind::truth},
                                                                {4, NodeKind::all},
                                                                {4, NodeKind::any},
                                                                {3, NodeKind::negation},
                                                                {2, NodeKind::call},
                                                                {1, NodeKind::equals},
                                                                {1, NodeKind::in_list},
                                                                {1, NodeKind::in_range}})
                         : *rc::gen::element(NodeKind::truth, NodeKind::call, NodeKind::equals,
                                             NodeKind::in_list, NodeKind::in_range);
  std::size_t kids = 0;
  switch (node.kind) {
    case NodeKind::truth: break;
    case NodeKind::all:
    case NodeKind::any: kids = *rc::gen::inRange<std::size_t>(2, 4); break;
    case NodeKind::negation: kids = 1; break;
    case NodeKind::call:
    case NodeKind::in_list: node.values = any_values(); break;
    case NodeKind::equals: node.values = {any_value()}; break;
    case NodeKind::in_range: node.values = {any_integer(), any_integer()}; break;
  }
  if (kids == 0 && node.kind != NodeKind::truth) node.word = any_word();
  for (std::size_t i = 0; i < kids; ++i) node.kids.push_back(add_node(expr, budget - 1));
  expr.nodes.push_back(std::move(node));
  return static_cast<std::uint32_t>(expr.nodes.size() - 1);
}

Expr any_expression() {
  // Two levels have kids, so that most cases say something about nesting.
  Expr expr;
  ExprNode root;
  root.kind = *rc::gen::element(NodeKind::all, NodeKind::any);
  for (int i = 0; i < 2; ++i) {
    ExprNode child;
    child.kind = *rc::gen::element(NodeKind::all, NodeKind::any, NodeKind::negation);
    for (int j = child.kind == NodeKind::negation ? 1 : 0; j < 2; ++j) {
      child.kids.push_back(add_node(expr, 2));
    }
    expr.nodes.push_back(std::move(child));
    root.kids.push_back(static_cast<std::uint32_t>(expr.nodes.size() - 1));
  }
  expr.nodes.push_back(std::move(root));
  expr.root = static_cast<std::uint32_t>(expr.nodes.size() - 1);
  return expr;
}

TEST(ExpressionProperty, PrintedTextReadsBackAsTheSameTree) {
  test::Census census;
  ASSERT_TRUE(rc::check("round trip", [&] {
    const Expr expr = any_expression();
    const auto composed = std::count_if(expr.nodes.begin(), expr.nodes.end(),
                                        [](const ExprNode& n) { return !n.kids.empty(); });
    const auto with_values = std::count_if(expr.nodes.begin(), expr.nodes.end(),
                                           [](const ExprNode& n) { return !n.values.empty(); });
    census.count(composed >= 3 && with_values >= 1);
    RC_CLASSIFY(expr.nodes.size() >= 10, "ten nodes or more");
    const std::string text = to_text(expr);
    RC_LOG() << text << '\n';
    Diagnostics diagnostics;
    const auto again = parse_expression(text, FileId{0}, 0, diagnostics);
    RC_ASSERT(again.has_value());
    RC_ASSERT(diagnostics.all().empty());
    RC_ASSERT(test::same_structure(expr, *again));
    RC_ASSERT(to_text(*again) == text);
    RC_ASSERT(text.find('\'') == std::string::npos);
    for (const ExprNode& node : again->nodes) {
      RC_ASSERT(node.span.begin < node.span.end && node.span.end <= text.size());
      for (const ExprValue& value : node.values) {
        RC_ASSERT(node.span.begin < value.span.begin && value.span.end <= node.span.end);
      }
    }
  }));
  census.expect_mostly_worthwhile();
}

// Damage inside of a string, or a doubled blank, may leave an expression; both outcomes are
// checked.
TEST(ExpressionProperty, ADamagedTextIsReadOrReported) {
  ASSERT_TRUE(rc::check("damage", [&] {
    std::string text = to_text(any_expression());
    const int damages = *rc::gen::inRange(1, 4);
    for (int i = 0; i < damages && !text.empty(); ++i) {
      const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
      const auto junk = *rc::gen::element<std::string>("", "(", ")", ",", "\"", "[", "]", " and ",
                                                       " not ", "=", "&&", "'", "\\", "\xc3", "..");
      text.replace(at, junk.empty() ? 3 : 0, junk);
    }
    Diagnostics diagnostics;
    const auto expr = parse_expression(text, FileId{0}, 0, diagnostics);
    RC_CLASSIFY(!expr.has_value(), "reported");
    RC_ASSERT(expr.has_value() != diagnostics.has_errors());
    for (const Diagnostic& d : diagnostics.all()) {
      RC_ASSERT(d.primary.has_value());
      RC_ASSERT(d.primary->begin <= d.primary->end && d.primary->end <= text.size());
    }
  }));
}

}  // namespace
}  // namespace nd7
