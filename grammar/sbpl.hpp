// Lexical grammar of Seatbelt profiles: the tokens of a TinyScheme with Apple's raw strings.
//
// A profile is a flat run of tokens. Lists are put together by the reader with a stack of its own,
// so that nesting costs no recursion here and an unbalanced parenthesis has a place.
#pragma once

#include <tao/pegtl.hpp>

namespace nd7::grammar::sbpl {

namespace pegtl = tao::pegtl;

struct blank : pegtl::one<' ', '\t', '\n', '\v', '\f', '\r'> {};
struct delimiter : pegtl::sor<blank, pegtl::one<'(', ')', ';', '"'>> {};

struct line_comment
    : pegtl::seq<pegtl::sor<pegtl::one<';'>, pegtl::string<'#', '!'>>, pegtl::until<pegtl::eolf>> {
};
// Not TinyScheme: other tools accept it.
struct block_comment : pegtl::seq<pegtl::string<'#', '|'>, pegtl::until<pegtl::string<'|', '#'>>> {
};

struct list_open : pegtl::one<'('> {};
struct list_close : pegtl::one<')'> {};
struct quote_mark : pegtl::sor<pegtl::one<'\'', '`'>, pegtl::string<',', '@'>, pegtl::one<','>> {};

struct escape : pegtl::seq<pegtl::one<'\\'>, pegtl::any> {};
struct string_body : pegtl::star<pegtl::sor<pegtl::not_one<'"', '\\'>, escape>> {};
struct string_literal : pegtl::seq<pegtl::one<'"'>, string_body, pegtl::one<'"'>> {};
// No escapes at all: ends at the first quote.
struct raw_body : pegtl::star<pegtl::not_one<'"'>> {};
struct raw_string : pegtl::seq<pegtl::string<'#', '"'>, raw_body, pegtl::one<'"'>> {};
// Stands after the two above: a quote that no other one answers, or a comment without end. Takes
// the rest of the text, which would be scanned again and again otherwise.
struct unterminated
    : pegtl::seq<pegtl::sor<pegtl::one<'"'>, pegtl::string<'#', '"'>, pegtl::string<'#', '|'>>,
                 pegtl::star<pegtl::any>> {};

struct character : pegtl::seq<pegtl::string<'#', '\\'>, pegtl::any,
                              pegtl::star<pegtl::not_at<delimiter>, pegtl::any>> {};
struct word : pegtl::plus<pegtl::not_at<delimiter>, pegtl::any> {};

struct token : pegtl::sor<blank, line_comment, block_comment, list_open, list_close, quote_mark,
                          string_literal, raw_string, unterminated, character, word> {};
struct profile : pegtl::until<pegtl::eof, token> {};

}  // namespace nd7::grammar::sbpl
