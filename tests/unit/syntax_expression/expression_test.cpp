#include "compiler/syntax/expression.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/unit/syntax_expression/structure.hpp"

namespace nd7 {
namespace {

constexpr FileId kFile{7};
constexpr std::uint32_t kBegin = 100;

Expr parsed(std::string_view text) {
  Diagnostics diagnostics;
  const auto expr = parse_expression(text, kFile, kBegin, diagnostics);
  for (const Diagnostic& d : diagnostics.all()) ADD_FAILURE() << text << ": " << d.message;
  return expr ? *expr : Expr{{ExprNode{}}, 0};
}

/// The part of `text` that a span covers.
std::string_view covered(std::string_view text, const Span& span) {
  EXPECT_EQ(span.file, kFile);
  EXPECT_GE(span.begin, kBegin);
  EXPECT_LE(span.end, kBegin + text.size());
  return text.substr(span.begin - kBegin, span.size());
}

TEST(Expression, CanonicalText) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"true", "true"},
      {" true\n", "true"},
      {"name(\"a\")", "name(\"a\")"},
      {"subpath( \"/a\" ,\"/b\", )", "subpath(\"/a\", \"/b\")"},
      {"subpath([\"/a\", known], \"/b\", [])", "subpath(\"/a\", known, \"/b\")"},
      {"ancestors()", "ancestors()"},
      {"name(known)", "name(known)"},
      {"mode(420)", "mode(420)"},
      {"proto==tcp", "proto == tcp"},
      {"port == -1", "port == -1"},
      {"port == -0", "port == 0"},
      {"host == \"x\"", "host == \"x\""},
      {"port in[80,443,]", "port in [80, 443]"},
      {"port in []", "port in []"},
      {"port in 3000 .. 3010", "port in 3000..3010"},
      {"port in -9223372036854775808..9223372036854775807",
       "port in -9223372036854775808..9223372036854775807"},
      {"not name(\"a\")", "not name(\"a\")"},
      {"not not true", "not not true"},
      {"not port == 3", "not port == 3"},
      {"not (port == 3)", "not port == 3"},
      {"not(a() and b())", "not (a() and b())"},
      {"(not a()) and b()", "not a() and b()"},
      {"a() and b() or c() and d()", "a() and b() or c() and d()"},
      {"(a() and b()) or (c() and d())", "a() and b() or c() and d()"},
      {"a() and (b() or c())", "a() and (b() or c())"},
      {"a() or (b() or c())", "a() or (b() or c())"},
      {"a() and (b() and c())", "a() and (b() and c())"},
      {"((((a()))))", "a()"},
      {"file-read*(x)", "file-read*(x)"},
      {"android() or order() or nothing() or inside() or trueish()",
       "android() or order() or nothing() or inside() or trueish()"},
      {"a_b-c*2(d)", "a_b-c*2(d)"},
      {R"(name("a\"b\\c"))", R"(name("a\"b\\c"))"},
      {R"(name("\u{e9}\u{20AC}\u{1F600}\u{7f}\u{a}"))",
       "name(\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\\u{7f}\\u{a}\")"},
      {R"(name("\u{000041}"))", "name(\"A\")"},
      {"name(\"\xc3\xa9\xff\")", "name(\"\xc3\xa9\xff\")"},
      {R"(name("\u{85}\u{202e}\u{200f}"))", R"(name("\u{85}\u{202e}\u{200f}"))"},
      {"name(\"it's\")", R"(name("it\u{27}s"))"},
      {"name(\"a\tb\")", R"(name("a\u{9}b"))"},
      {"a(\"and or ( ) ,\")\tand\r\nb()", "a(\"and or ( ) ,\") and b()"},
  };
  for (const auto& [text, canonical] : cases) {
    const Expr expr = parsed(text);
    EXPECT_EQ(to_text(expr), canonical);
    const Expr again = parsed(canonical);
    EXPECT_TRUE(test::same_structure(expr, again)) << text;
    EXPECT_EQ(to_text(again), canonical);
  }
}

TEST(Expression, Structure) {
  const Expr expr = parsed("a(x, 1, \"s\") and not (b == c or true)");
  const ExprNode& root = expr.nodes[expr.root];
  ASSERT_EQ(root.kind, ExprNode::Kind::all);
  ASSERT_EQ(root.kids.size(), 2U);
  const ExprNode& call = expr.nodes[root.kids[0]];
  EXPECT_EQ(call.kind, ExprNode::Kind::call);
  EXPECT_EQ(call.word, "a");
  ASSERT_EQ(call.values.size(), 3U);
  EXPECT_EQ(call.values[0].kind, ExprValue::Kind::word);
  EXPECT_EQ(call.values[0].text, "x");
  EXPECT_EQ(call.values[1].kind, ExprValue::Kind::integer);
  EXPECT_EQ(call.values[1].integer, 1);
  EXPECT_EQ(call.values[2].kind, ExprValue::Kind::string);
  EXPECT_EQ(call.values[2].text, "s");
  const ExprNode& negation = expr.nodes[root.kids[1]];
  ASSERT_EQ(negation.kind, ExprNode::Kind::negation);
  const ExprNode& any = expr.nodes[negation.kids[0]];
  ASSERT_EQ(any.kind, ExprNode::Kind::any);
  EXPECT_EQ(expr.nodes[any.kids[0]].kind, ExprNode::Kind::equals);
  EXPECT_EQ(expr.nodes[any.kids[1]].kind, ExprNode::Kind::truth);
}

TEST(Expression, Spans) {
  const std::string text =
      "  a( x,[\"s\\\\\"] ) and not ( b == -3 or p in [1 ,2 ] )  or q in 4 .. 5 ";
  const Expr expr = parsed(text);
  std::vector<std::string_view> nodes;
  std::vector<std::string_view> words;
  std::vector<std::string_view> values;
  for (const ExprNode& node : expr.nodes) {
    nodes.push_back(covered(text, node.span));
    if (!node.word.empty()) words.push_back(covered(text, node.word_span));
    for (const ExprValue& value : node.values) values.push_back(covered(text, value.span));
  }
  EXPECT_EQ(nodes, (std::vector<std::string_view>{
                       "a( x,[\"s\\\\\"] )", "b == -3", "p in [1 ,2 ]", "b == -3 or p in [1 ,2 ]",
                       "not ( b == -3 or p in [1 ,2 ] )",
                       "a( x,[\"s\\\\\"] ) and not ( b == -3 or p in [1 ,2 ] )", "q in 4 .. 5",
                       "a( x,[\"s\\\\\"] ) and not ( b == -3 or p in [1 ,2 ] )  or q in 4 .. 5"}));
  EXPECT_EQ(words, (std::vector<std::string_view>{"a", "b", "p", "q"}));
  EXPECT_EQ(values, (std::vector<std::string_view>{"x", "\"s\\\\\"", "-3", "1", "2", "4", "5"}));
}

TEST(Expression, SpansOfParenthesesBelongToTheParent) {
  const std::string text = "( a() or ( true ) ) and (not(b()))";
  const Expr expr = parsed(text);
  std::vector<std::string_view> nodes;
  for (const ExprNode& node : expr.nodes) nodes.push_back(covered(text, node.span));
  EXPECT_EQ(nodes, (std::vector<std::string_view>{"a()", "true", "a() or ( true )", "b()",
                                                  "not(b())", text}));
}

std::string nested(std::string_view open, std::string_view close, std::size_t depth) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += open;
  text += "true";
  for (std::size_t i = 0; i < depth; ++i) text += close;
  return text;
}

TEST(Expression, DepthLimit) {
  for (const auto& [open, close] : {std::pair{"(", ")"}, std::pair{"not ", ""}}) {
    EXPECT_EQ(parsed(nested(open, close, kMaxExpressionDepth)).nodes.empty(), false);
    for (const std::size_t depth : {kMaxExpressionDepth + 1, std::size_t{100000}}) {
      Diagnostics diagnostics;
      EXPECT_FALSE(parse_expression(nested(open, close, depth), kFile, kBegin, diagnostics));
      ASSERT_EQ(diagnostics.all().size(), 1U);
      EXPECT_EQ(diagnostics.all()[0].code, Code::ND1012);
      EXPECT_EQ(diagnostics.all()[0].primary->begin,
                kBegin + kMaxExpressionDepth * std::string_view{open}.size());
    }
  }
  // Groups and negations count together, and each is given back when it ends.
  Diagnostics diagnostics;
  EXPECT_FALSE(parse_expression(nested("not (", ")", 33), kFile, kBegin, diagnostics));
  EXPECT_TRUE(diagnostics.has(Code::ND1012));
  std::string wide = "true";
  for (int i = 0; i < 200; ++i) wide += " and not (not (true))";
  EXPECT_EQ(to_text(parsed(wide)).size(), wide.size() - 200U * 4U);
  // What is skipped after an error is no way around the limit.
  Diagnostics skipped;
  EXPECT_FALSE(parse_expression("a b " + std::string(100000, '('), kFile, kBegin, skipped));
  EXPECT_TRUE(skipped.has(Code::ND1012));
}

TEST(Expression, LongInputs) {
  std::string text = "a()";
  for (int i = 0; i < 20000; ++i) text += i % 2 == 0 ? " and a()" : " or a()";
  EXPECT_EQ(to_text(parsed(text)), text);
  const std::string list = "port in [" + std::string(100000, ' ') + "1" +
                           std::string(100000, '\n') + ", \"" + std::string(100000, 'x') + "\"]";
  EXPECT_EQ(to_text(parsed(list)).size(), 100000U + 15U);
}

}  // namespace
}  // namespace nd7
