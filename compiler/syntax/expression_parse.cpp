// parse_expression: the actions of grammar/expression.hpp.
#include <fmt/format.h>

#include <charconv>
#include <string>
#include <utility>

#include "compiler/syntax/expression.hpp"
#include "compiler/syntax/expression_builder.hpp"
#include "grammar/expression.hpp"

namespace nd7 {
namespace {

namespace rules = grammar::expression;
using Builder = ExpressionBuilder;
using NodeKind = ExprNode::Kind;
using ValueKind = ExprValue::Kind;

template <typename Rule>
struct action : tao::pegtl::nothing<Rule> {};

// Defines what a rule means. `in` is its match, `at` where that begins, `b` the result.
#define ND7_ACTION(rule)                                                                       \
  template <>                                                                                  \
  struct action<rules::rule> {                                                                 \
    template <typename Input>                                                                  \
    static void apply(const Input& in, Builder& b) {                                           \
      run({in.begin(), in.size()}, static_cast<std::size_t>(in.begin() - b.text().data()), b); \
    }                                                                                          \
    static void run(std::string_view in, std::size_t at, Builder& b);                          \
  };                                                                                           \
  void action<rules::rule>::run([[maybe_unused]] std::string_view in,                          \
                                [[maybe_unused]] std::size_t at, [[maybe_unused]] Builder& b)

char byte_at(const Builder& b, std::size_t at) {
  return at < b.text().size() ? b.text()[at] : '\0';
}

bool ends_operand(const Builder& b, std::size_t at) {
  const std::string_view token = b.text().substr(at, token_size(b.text(), at));
  return token.empty() || token == ")" || token == "and" || token == "or";
}

void replace(Builder& b, Diagnostic& d, std::size_t from, std::size_t to, std::string text,
             std::string title) {
  d.fixits.push_back({b.span(from, to), std::move(text), std::move(title)});
}

// Operators of other languages ------------------------------------------------------------------

void wrong_operator(Builder& b, std::size_t at, std::string_view wrong, std::string_view right) {
  const std::size_t end = at + wrong.size();
  Diagnostic& d =
      b.report(Code::ND1010, at, wrong.size(), fmt::format("`{}` instead of `{}`", wrong, right));
  std::string text{right};
  // A word needs room where a sign did not.
  constexpr std::string_view kSpace = " \t\n\r";
  const auto room = [&](std::size_t i) { return kSpace.find(byte_at(b, i)) != kSpace.npos; };
  if (at > 0 && !room(at - 1) && byte_at(b, at - 1) != '(') text.insert(0, " ");
  if (!room(end)) text += ' ';
  replace(b, d, at, end, std::move(text), fmt::format("write `{}`", right));
}

ND7_ACTION(wrong_and) { wrong_operator(b, at, in, "and"); }
ND7_ACTION(wrong_or) { wrong_operator(b, at, in, "or"); }
ND7_ACTION(wrong_not) { wrong_operator(b, at, in, "not"); }
ND7_ACTION(wrong_equal) {
  Diagnostic& d = b.report(Code::ND1010, at, 1, "`=` instead of `==`");
  replace(b, d, at, at + 1, "==", "write `==`");
}
ND7_ACTION(wrong_unequal) {
  Diagnostic& d = b.report(Code::ND1010, at, 2, "`!=` instead of `not` with `==`");
  replace(b, d, b.word_begin(), at + 2, fmt::format("not {} ==", b.word()),
          fmt::format("write `not {} ==`", b.word()));
}

// Operators and groups --------------------------------------------------------------------------

ND7_ACTION(begin_all) { b.begin_operands(); }
ND7_ACTION(end_all) { b.end_operands(NodeKind::all); }
ND7_ACTION(begin_any) { b.begin_operands(); }
ND7_ACTION(end_any) { b.end_operands(NodeKind::any); }
ND7_ACTION(begin_not) {
  b.deepen(at, in.size());
  b.begin_not(at);
}
ND7_ACTION(end_not) { b.end_not(); }
ND7_ACTION(truth) { b.add_truth(at, at + in.size()); }
ND7_ACTION(skip_open) { b.deepen(at, 1); }
ND7_ACTION(skip_close) { b.rise(); }
ND7_ACTION(skip_list_open) { b.deepen(at, 1); }
ND7_ACTION(skip_list_close) { b.rise(); }
ND7_ACTION(skip_to_operator) { b.calm(at + in.size()); }
ND7_ACTION(skip_argument) { b.calm(at + in.size()); }
ND7_ACTION(skip_item_of_list) { b.calm(at + in.size()); }

ND7_ACTION(group_open) { b.open_group(at); }
ND7_ACTION(group_close) { b.close_group(at + 1); }
ND7_ACTION(unclosed_group) {
  const std::size_t open = b.group_begin();
  if (Diagnostic* d = b.expected(at, "`and`, `or` or `)`")) {
    d->labels.push_back({b.span(open, open + 1), "opened here"});
  }
  b.close_group(at);
}
ND7_ACTION(unmatched_close) {
  if (!b.take_forgiven()) b.report(Code::ND1010, at, 1, "a `)` without its `(`");
}

ND7_ACTION(bad_operand) {
  b.add_placeholder(at);
  if (b.text().find_first_not_of(" \t\n\r") == std::string_view::npos) {
    b.report(Code::ND1010, 0, b.text().size(), "an empty expression")
        .helps.emplace_back("`true` is the condition that every request meets");
    return;
  }
  Diagnostic* d = b.expected(at, "a condition");
  if (d != nullptr && byte_at(b, at) == '"') {
    d->helps.emplace_back("a filter tests a string, as in `subpath(\"/x\")`");
  }
}
ND7_ACTION(stray_text) { b.expected(at, "`and` or `or`"); }

// Conditions ------------------------------------------------------------------------------------

void foreign(Builder& b, std::string_view word, std::size_t at) {
  b.report(Code::ND1010, at, word.size(),
           fmt::format("a character outside ASCII in the name {}", token_name(b.text(), at)))
      .helps.emplace_back(
          "names are made of letters, digits, `-`, `_` and `*`; text goes in double quotes");
}

ND7_ACTION(subject) { b.begin_condition(in, at); }
ND7_ACTION(foreign_subject) {
  foreign(b, in, at);
  b.begin_condition(in, at);
}
ND7_ACTION(bad_condition) {
  Diagnostic* d = b.expected(at, fmt::format("`(`, `==` or `in` after `{}`", b.word()));
  if (d != nullptr && ends_operand(b, at)) {
    d->helps.push_back(
        fmt::format("a name alone is no condition; a filter takes it, as in "
                    "`subpath({})`",
                    b.word()));
  }
  b.end_condition(NodeKind::call);
}

ND7_ACTION(call_open) { b.open_brackets(at); }
ND7_ACTION(call_close) { b.set_end(at + 1); }
ND7_ACTION(call_done) { b.end_condition(NodeKind::call); }
ND7_ACTION(bad_argument) { b.expected(at, "a string, a number, a name or a list"); }
ND7_ACTION(bad_after_argument) { b.expected(at, "`,` or `)`"); }
ND7_ACTION(unclosed_call) {
  if (Diagnostic* d = b.expected(at, "`,` or `)`")) {
    d->labels.push_back({b.span(b.brackets(), b.brackets() + 1), "opened here"});
  }
  b.forgive_close();
}

ND7_ACTION(list_close) { b.set_end(at + 1); }
ND7_ACTION(list_done) { b.end_condition(NodeKind::in_list); }
ND7_ACTION(bad_item) { b.expected(at, "a string, a number or a name"); }
ND7_ACTION(bad_after_item) { b.expected(at, "`,` or `]`"); }
ND7_ACTION(unclosed_list) { b.expected(at, "`,` or `]`"); }

ND7_ACTION(bad_value) {
  Diagnostic* d = b.expected(at, "a string, a number or a name");
  if (d != nullptr && byte_at(b, at) == '[') {
    d->helps.emplace_back("`in` compares with several values");
  }
}
ND7_ACTION(equality_done) { b.end_condition(NodeKind::equals); }

ND7_ACTION(bad_membership) {
  if (Diagnostic* d = b.expected(at, "a list or a range after `in`")) {
    d->helps.emplace_back("`in [80, 443]`, `in 3000..3010`; `==` compares with one value");
  }
}
ND7_ACTION(missing_dots) {
  if (Diagnostic* d = b.expected(at, "`..` and the last number of the range")) {
    d->helps.emplace_back("`==` compares with one value, `in [...]` with several");
  }
}
ND7_ACTION(bad_range_end) {
  Diagnostic* d = b.expected(at, "a number after `..`");
  if (d != nullptr && byte_at(b, at) == '=') {
    d->helps.emplace_back("both ends belong to the range");
  }
}
ND7_ACTION(range_done) { b.end_condition(NodeKind::in_range); }

// Values ----------------------------------------------------------------------------------------

ND7_ACTION(word_value) {
  b.add_value({ValueKind::word, std::string{in}, 0, b.span(at, at + in.size())});
}
ND7_ACTION(foreign_value) { foreign(b, in, at); }
ND7_ACTION(reserved_value) {
  b.report(Code::ND1010, at, in.size(), fmt::format("the reserved word `{}` as a value", in))
      .helps.push_back(fmt::format("text goes in double quotes: `\"{}\"`", in));
}

ND7_ACTION(integer) {
  ExprValue value{ValueKind::integer, {}, 0, b.span(at, at + in.size())};
  const std::string_view digits = in.substr(in.front() == '-' ? 1 : 0);
  const auto [end, error] = std::from_chars(in.data(), in.data() + in.size(), value.integer);
  if (error != std::errc{}) {
    b.report(Code::ND1010, at, in.size(), "a number that does not fit in 64 bits");
  } else if (digits.size() > 1 && digits.front() == '0') {
    b.report(Code::ND1010, at, in.size(), "a number with a leading zero")
        .helps.emplace_back("numbers are decimal; other languages would read this one as octal");
  }
  b.add_value(std::move(value));
}
ND7_ACTION(bad_number) {
  Diagnostic& d = b.report(Code::ND1010, at, in.size(),
                           fmt::format("{} is not a number", token_name(b.text(), at)));
  const std::size_t dash = in.find('-', 1);
  const bool range = dash != std::string_view::npos && dash + 1 < in.size() &&
                     in.find_first_not_of("0123456789", dash + 1) == std::string_view::npos &&
                     in.find_first_not_of("0123456789", 1) == dash;
  if (range) {
    std::string text{in};
    text.replace(dash, 1, "..");
    replace(b, d, at, at + in.size(), text, fmt::format("write `{}`", text));
  } else {
    d.helps.emplace_back("text goes in double quotes");
  }
  b.calm(at + in.size());
}

ND7_ACTION(single_quoted) {
  Diagnostic& d = b.report(Code::ND1010, at, in.size(), "a string in single quotes");
  const std::string_view content = in.substr(1, in.size() - 2);
  if (content.find_first_of("\"\\") == std::string_view::npos) {
    replace(b, d, at, at + in.size(), fmt::format("\"{}\"", content), "write double quotes");
  } else {
    d.helps.emplace_back("write double quotes");
  }
  b.add_value({ValueKind::string, std::string{content}, 0, b.span(at, at + in.size())});
}

ND7_ACTION(string_open) { b.begin_string(at); }
ND7_ACTION(string_plain) { b.add_text(in); }
ND7_ACTION(string_nul) { b.report(Code::ND1010, at, 1, "a NUL character in a string"); }
ND7_ACTION(simple_escape) { b.add_text(in.substr(1)); }
ND7_ACTION(unicode_escape) {
  std::uint32_t value = 0;
  std::from_chars(in.data() + 3, in.data() + in.size() - 1, value, 16);
  if (value == 0) {
    b.report(Code::ND1010, at, in.size(), "a NUL character in a string");
  } else if (value > 0x10FFFFU || (value >= 0xD800U && value <= 0xDFFFU)) {
    b.report(Code::ND1010, at, in.size(), fmt::format("`{}` is no Unicode character", in));
  } else {
    b.add_code_point(value);
  }
}
ND7_ACTION(bad_escape) {
  Diagnostic& d = b.report(Code::ND1010, at, in.size(), fmt::format("an unknown escape `{}`", in));
  d.helps.emplace_back("the escapes are `\\\"`, `\\\\` and `\\u{HEX}`");
  replace(b, d, at, at + 1, "\\\\", "write `\\\\` for a backslash");
}
ND7_ACTION(string_close) { b.end_string(at + 1); }
ND7_ACTION(unclosed_string) {
  b.report(Code::ND1011, b.string_begin(), at - b.string_begin(),
           "a string without its closing quote");
  b.end_string(at);
  b.calm(at);
}

#undef ND7_ACTION

}  // namespace

std::optional<Expr> parse_expression(std::string_view text, FileId file, std::uint32_t begin,
                                     Diagnostics& diagnostics) {
  // An empty view may have no address; the input needs one.
  if (text.data() == nullptr) text = "";
  Builder builder(text, file, begin, diagnostics);
  try {
    tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy> in(text.data(), text.size(), "");
    if (!tao::pegtl::parse<rules::whole, action>(in, builder)) {
      builder.report(Code::ND1010, 0, text.size(), "an expression that does not parse");
    }
  } catch (const ExpressionStop&) {
    return std::nullopt;
  }
  return builder.take();
}

}  // namespace nd7
