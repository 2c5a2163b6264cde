// The expression language of `where`: syntax tree and parser.
//
// clang-format off
//   expr    = and { "or" and } ;
//   and     = unary { "and" unary } ;
//   unary   = "not" unary | primary ;
//   primary = "(" expr ")" | "true" | call | test ;
//   call    = IDENT "(" [ arg { "," arg } [ "," ] ] ")" ;          subpath("~/x", "/y")   name(known)
//   test    = IDENT "==" value | IDENT "in" ( list | range ) ;     proto == tcp   port in 3000..3010
//   arg     = value | list ;
//   list    = "[" [ value { "," value } [ "," ] ] "]" ;
//   range   = INT ".." INT ;
//   value   = STRING | INT | IDENT ;
//   STRING  = '"' { char | '\"' | '\\' | '\u{' HEX '}' } '"' ;     on one line; 1 to 6 digits, not NUL
//   INT     = [ "-" ] ( "0" | digit without 0 { digit } ) ;        64 bits
//   IDENT   = letter { letter | digit | "-" | "_" | "*" } ;        not: and or not in true
// clang-format on
//
// Spaces, tabs and line ends may stand between any two of these. Letters and digits are ASCII.
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

/// Groups and negations inside each other.
inline constexpr std::size_t kMaxExpressionDepth = 64;

/// One operand: a string (decoded), an integer, or a bare word.
struct ExprValue {
  enum class Kind : std::uint8_t { string, integer, word };
  Kind kind = Kind::string;
  std::string text;          ///< string: decoded content; word: the word
  std::int64_t integer = 0;  ///< integer
  Span span;                 ///< quotes included
};

/// A node; kids are indices into Expr::nodes, smaller than the node's own.
struct ExprNode {
  enum class Kind : std::uint8_t { truth, all, any, negation, call, equals, in_list, in_range };
  Kind kind = Kind::truth;
  Span span;  ///< from first to last token; parentheses around the whole are not part of it
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
/// file (under 4 GiB). nullopt after at least one error (ND1010–ND1012) was added; goes on after an
/// error where it can, so that one run shows several. Takes any bytes; those of strings are kept,
/// NUL excepted, which is refused.
[[nodiscard]] std::optional<Expr> parse_expression(std::string_view text, FileId file,
                                                   std::uint32_t begin, Diagnostics& diagnostics);

/// Canonical text: single spaces, minimal parentheses, decoded strings re-escaped. Reading it back
/// gives the same tree. `'` and characters that a text gate refuses are escaped, so that the text
/// can stand in a TOML literal string. `expr` is nested no deeper than the parser allows.
[[nodiscard]] std::string to_text(const Expr& expr);

}  // namespace nd7
