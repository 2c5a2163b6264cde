// The expressions of `where` as PEGTL rules. Rules only: meaning is given by the actions in
// compiler/syntax.
//
// The grammar takes every text. What is not in the language has a rule of its own (`bad_…`,
// `stray_…`, `unclosed_…`), whose action reports it; a `skip_…` rule then goes on to a place where
// the next error is worth reporting. No rule with an action is tried that may be taken back later.
#pragma once

#include <tao/pegtl.hpp>

namespace nd7::grammar::expression {

using namespace tao::pegtl;  // NOLINT(google-build-using-namespace): the vocabulary of every rule

struct disjunction;
struct unary;

struct ws : star<one<' ', '\t', '\n', '\r'>> {};
struct line_end : one<'\n', '\r'> {};

// Words. Any byte of a character outside ASCII is kept in the word, so that one error covers it.
struct word_byte : sor<ranges<'a', 'z', 'A', 'Z', '0', '9'>, one<'-', '_', '*'>> {};
struct foreign_byte : range<'\x80', '\xff'> {};
struct word_end : not_at<sor<word_byte, foreign_byte>> {};
struct identifier : seq<alpha, star<word_byte>, word_end> {};
struct foreign_word : seq<star<word_byte>, foreign_byte, star<sor<word_byte, foreign_byte>>> {};

template <char... Cs>
struct keyword : seq<string<Cs...>, word_end> {};
struct key_and : keyword<'a', 'n', 'd'> {};
struct key_or : keyword<'o', 'r'> {};
struct key_not : keyword<'n', 'o', 't'> {};
struct key_in : keyword<'i', 'n'> {};
struct key_true : keyword<'t', 'r', 'u', 'e'> {};
struct reserved : sor<key_and, key_or, key_not, key_in, key_true> {};

// Operators that other languages spell otherwise. The right spelling comes first.
struct wrong_and : sor<string<'&', '&'>, one<'&'>> {};
struct wrong_or : sor<string<'|', '|'>, one<'|'>> {};
struct wrong_not : seq<one<'!'>, not_at<one<'='>>> {};
struct and_operator : sor<key_and, wrong_and> {};
struct or_operator : sor<key_or, wrong_or> {};
struct not_operator : sor<key_not, wrong_not> {};

// Strings end on their line.
struct string_open : one<'"'> {};
struct string_close : one<'"'> {};
struct string_plain : plus<not_one<'"', '\\', '\n', '\r', '\0'>> {};
struct string_nul : one<'\0'> {};
struct simple_escape : seq<one<'\\'>, one<'"', '\\'>> {};
struct unicode_escape : seq<one<'\\'>, one<'u'>, one<'{'>, rep_min_max<1, 6, xdigit>, one<'}'>> {};
struct bad_escape : seq<one<'\\'>, not_one<'\n', '\r', '\0'>, star<range<'\x80', '\xbf'>>> {};
struct lone_backslash : one<'\\'> {};
struct string_part
    : sor<string_plain, string_nul, simple_escape, unicode_escape, bad_escape, lone_backslash> {};
struct unclosed_string : success {};
struct string_value : seq<string_open, star<string_part>, sor<string_close, unclosed_string>> {};
struct single_quoted : seq<one<'\''>, star<not_one<'\'', '\n', '\r'>>, one<'\''>> {};

// Numbers.
struct integer : seq<opt<one<'-'>>, plus<digit>, word_end> {};
struct bad_number : seq<opt<one<'-'>>, plus<digit>, star<sor<word_byte, foreign_byte>>> {};

// Skipping. Strings and groups are passed over as a whole.
struct skip_open : one<'('> {};
struct skip_close : one<')'> {};
struct skip_string
    : seq<one<'"'>, star<sor<seq<one<'\\'>, any>, not_one<'"', '\n', '\r'>>>, opt<one<'"'>>> {};
struct skip_word : plus<sor<word_byte, foreign_byte>> {};
struct skip_item;
struct skip_group : seq<skip_open, star<not_at<one<')'>>, skip_item>, sor<skip_close, eof>> {};
struct skip_list_open : one<'['> {};
struct skip_list_close : opt<one<']'>> {};
struct skip_list;
struct skip_item : sor<skip_group, skip_list, skip_string, skip_word, any> {};

struct operand_follow : sor<key_and, key_or, wrong_and, wrong_or, one<')'>> {};
struct skip_list
    : seq<skip_list_open, star<not_at<sor<operand_follow, one<']'>>>, skip_item>, skip_list_close> {
};
struct argument_follow : sor<operand_follow, one<','>> {};
struct item_follow : sor<argument_follow, one<']'>> {};
struct skip_to_operator : seq<star<not_at<operand_follow>, skip_item>, ws> {};
struct skip_argument : seq<star<not_at<argument_follow>, skip_item>, ws> {};
struct skip_item_of_list : seq<star<not_at<item_follow>, skip_item>, ws> {};

// Values.
struct word_value : seq<not_at<reserved>, identifier> {};
struct foreign_value : foreign_word {};
struct reserved_value : seq<at<reserved>, identifier, at<ws, one<',', ')', ']'>>> {};
struct value : seq<sor<string_value, single_quoted, integer, bad_number, word_value, foreign_value,
                       reserved_value>,
                   ws> {};

// `[ ... ]`, a comma at the end included.
struct list_open : one<'['> {};
struct list_close : one<']'> {};
struct bad_item : success {};
struct bad_after_item : success {};
struct unclosed_list : success {};
struct list_end : sor<one<']'>, eof> {};
struct list_item : seq<sor<value, seq<bad_item, skip_item_of_list>>,
                       opt<not_at<sor<list_end, one<','>>>, bad_after_item, skip_item_of_list>> {};
struct list_items
    : opt<not_at<list_end>, list_item, star<one<','>, ws, opt<not_at<list_end>, list_item>>> {};
struct list : seq<list_open, ws, list_items, sor<list_close, unclosed_list>, ws> {};

// `subpath("/x", ...)`
struct call_open : one<'('> {};
struct call_close : one<')'> {};
struct bad_argument : success {};
struct bad_after_argument : success {};
struct unclosed_call : success {};
struct call_end : sor<one<')'>, eof> {};
struct argument : seq<sor<list, value, seq<bad_argument, skip_argument>>,
                      opt<not_at<sor<call_end, one<','>>>, bad_after_argument, skip_argument>> {};
struct arguments
    : opt<not_at<call_end>, argument, star<one<','>, ws, opt<not_at<call_end>, argument>>> {};
struct call_done : success {};
struct call : seq<call_open, ws, arguments, sor<call_close, unclosed_call>, call_done, ws> {};

// `proto == tcp`
struct wrong_equal : one<'='> {};
struct wrong_unequal : string<'!', '='> {};
struct equal : sor<string<'=', '='>, wrong_equal, wrong_unequal> {};
struct bad_value : success {};
struct equality_done : success {};
struct equality : seq<equal, ws, sor<value, seq<bad_value, skip_to_operator>>, equality_done> {};

// `port in [80, 443]`, `port in 3000..3010`
struct dots : string<'.', '.'> {};
struct bad_range_end : success {};
struct missing_dots : success {};
struct range_end : sor<seq<sor<integer, bad_number>, ws>, seq<bad_range_end, skip_to_operator>> {};
struct range_done : success {};
struct range_value
    : seq<sor<integer, bad_number>, ws,
          sor<seq<dots, ws, range_end>, seq<missing_dots, skip_to_operator>>, range_done> {};
struct list_done : success {};
struct bad_membership : success {};
struct membership : seq<key_in, ws,
                        sor<seq<list, list_done>, range_value,
                            seq<bad_membership, skip_to_operator, list_done>>> {};

// A filter or a field begins with a word.
struct subject : seq<not_at<reserved>, identifier> {};
struct foreign_subject : foreign_word {};
struct bad_condition : success {};
struct condition : seq<sor<subject, foreign_subject>, ws,
                       sor<call, equality, membership, seq<bad_condition, skip_to_operator>>> {};

// Operators, from tight to loose.
struct group_open : one<'('> {};
struct group_close : one<')'> {};
struct unclosed_group : success {};
struct group : seq<group_open, ws, disjunction, sor<group_close, unclosed_group>, ws> {};
struct truth : key_true {};
struct bad_operand : success {};
struct primary : sor<group, seq<truth, ws>, condition, seq<bad_operand, skip_to_operator>> {};

struct begin_not : not_operator {};
struct end_not : success {};
struct unary : sor<seq<begin_not, ws, unary, end_not>, primary> {};

struct stray_text : success {};
struct after_operand : opt<not_at<sor<operand_follow, eof>>, stray_text, skip_to_operator> {};
struct operand : seq<unary, after_operand> {};

struct begin_all : success {};
struct end_all : success {};
struct conjunction : seq<begin_all, operand, star<and_operator, ws, operand>, end_all> {};
struct begin_any : success {};
struct end_any : success {};
struct disjunction : seq<begin_any, conjunction, star<or_operator, ws, conjunction>, end_any> {};

// After a `)` too many, what follows is still looked at.
struct unmatched_close : one<')'> {};
struct rest
    : seq<unmatched_close, ws, after_operand, star<sor<and_operator, or_operator>, ws, operand>> {};
struct whole : seq<ws, disjunction, star<rest>, eof> {};

}  // namespace nd7::grammar::expression
