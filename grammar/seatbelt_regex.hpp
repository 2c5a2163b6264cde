// Seatbelt's regular expressions as PEGTL rules. Rules only: meaning is given by the actions in
// compiler/pattern.
//
// The grammar takes every text. What a dialect refuses has a rule of its own, so that the refusal
// is decided (and worded) by the action, at an exact place. No rule is tried that an earlier byte
// does not commit to, so an action never sees a match that is taken back.
#pragma once

#include <tao/pegtl.hpp>

namespace nd7::grammar::seatbelt_regex {

using namespace tao::pegtl;  // NOLINT(google-build-using-namespace): the vocabulary of every rule

struct alternation;

// A parameter: NUL and one byte that tells which. A NUL without that byte has no meaning.
struct hole : seq<one<'\0'>, not_one<'\0'>> {};
struct stray_nul : one<'\0'> {};

struct any_byte : one<'.'> {};
struct begin_anchor : one<'^'> {};
struct end_anchor : one<'$'> {};

// `\d`, `\b`, `\1`: other dialects give these a meaning of their own.
struct escaped_word : seq<one<'\\'>, alnum> {};
struct escaped_byte : seq<one<'\\'>, not_one<'\0'>> {};
struct stray_backslash : one<'\\'> {};

// `{2,3}` is another dialect's; a brace alone is only ever the character.
struct repeat_count : seq<one<'{'>, plus<digit>, opt<one<','>, star<digit>>, one<'}'>> {};
struct stray_brace : one<'{'> {};

struct quantifier : one<'*', '+', '?'> {};
struct second_quantifier : one<'*', '+', '?'> {};  // lazy, possessive or doubled
struct hole_quantifier : one<'*', '+', '?'> {};
struct stray_quantifier : one<'*', '+', '?'> {};  // with nothing before it

struct literal : not_one<'\0', '(', ')', '|', '*', '+', '?', '.', '^', '$', '[', '{', '\\'> {};

// Sets. A range is written with two plain bytes around `-`.
struct set_open : one<'['> {};
struct set_close : one<']'> {};
struct set_negation : one<'^'> {};
struct set_leading_bracket : one<']'> {};                     // `[]a]`
struct set_class : seq<one<'['>, at<one<':', '.', '='>>> {};  // `[[:alpha:]]`
struct set_backslash : one<'\\'> {};
struct set_nul : one<'\0'> {};
struct set_unit : not_one<']', '\\', '\0'> {};
struct set_range : seq<set_unit, one<'-'>, not_at<set_class>, set_unit> {};
struct set_byte : set_unit {};
struct set_item : sor<set_nul, set_class, set_backslash, set_range, set_byte> {};
struct set_unclosed : eof {};
struct set : seq<set_open, opt<set_negation>, opt<set_leading_bracket>, star<set_item>,
                 sor<set_close, set_unclosed>> {};

struct group_open : one<'('> {};
struct group_close : one<')'> {};
struct group_unclosed : eof {};
struct group : seq<group_open, alternation, sor<group_close, group_unclosed>> {};

struct anchor : sor<begin_anchor, end_anchor> {};
struct atom : sor<group, set, any_byte, escaped_word, escaped_byte, stray_backslash, repeat_count,
                  stray_brace, stray_quantifier, literal> {};
struct quantified_atom : seq<atom, opt<quantifier, star<second_quantifier>>> {};
struct quantified_hole : seq<hole, opt<hole_quantifier, star<second_quantifier>>> {};
struct piece : sor<anchor, quantified_hole, stray_nul, quantified_atom> {};

struct bar : one<'|'> {};
struct alternation : seq<star<piece>, star<bar, star<piece>>> {};

struct unmatched_close : one<')'> {};
struct whole : seq<alternation, sor<unmatched_close, eof>> {};

}  // namespace nd7::grammar::seatbelt_regex
