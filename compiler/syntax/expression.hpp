// The expression language of `where`: syntax tree and parser.
//
//   expr    = or ;  or = and { "or" and } ;  and = unary { "and" unary } ;  unary = "not" unary |
//   primary primary = "(" expr ")" | "true" | call | test call    = IDENT "(" [ arg { "," arg }
//   [","] ] ")"          subpath("~/x", "/y")   name(known) test    = IDENT "==" value | IDENT "in"
//   ( list | range )   port in 3000..3010   proto == tcp arg     = STRING | INT | IDENT | list ;
//   list = "[" [ value { "," value } [","] ] "]" value   = STRING | INT | IDENT ;         range =
//   INT ".." INT STRING  = '"' { char | \" | \\ | \u{HEX} } '"'      IDENT = letter { letter |
//   digit | "-" | "_" | "*" }
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/source_map.hpp"

namespace nd7 {

inline constexpr std::size_t kMaxExpressionDepth = 64;

/// One operand: a string (decoded), an integer, or a bare word.
struct ExprValue {
  enum class Kind : std::uint8_t { string, integer, word };
  Kind kind = Kind::string;
  std::string text;          ///< string: decoded content; word: the word
  std::int64_t integer = 0;  ///< integer
  Span span;                 ///< quotes included
};

/// A node; kids are indices into Expr::nodes.
struct ExprNode {
  enum class Kind : std::uint8_t { truth, all, any, negation, call, equals, in_list, in_range };
  Kind kind = Kind::truth;
  Span span;
  std::vector<std::uint32_t> kids;  ///< all, any (two or more), negation (one)
  std::string word;                 ///< call: the filter; equals, in_*: the field
  Span word_span;
  std::vector<ExprValue> values;  ///< call: arguments, lists flattened; equals: one; in_list: all;
                                  ///< in_range: the two ends, both inclusive
};

struct Expr {
  std::vector<ExprNode> nodes;
  std::uint32_t root = 0;
};

/// Parses `text`, whose first byte is byte `begin` of `file`, so that spans are positions in the
/// file. Adds ND1010–ND1012 and goes on after an error where it can, so that one run shows several.
[[nodiscard]] std::optional<Expr> parse_expression(std::string_view text, FileId file,
                                                   std::uint32_t begin, Diagnostics& diagnostics);

/// Canonical text: single spaces, minimal parentheses, decoded strings re-escaped.
[[nodiscard]] std::string to_text(const Expr& expr);

}  // namespace nd7
