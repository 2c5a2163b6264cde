// parse_regex: the actions of grammar/seatbelt_regex.hpp.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "compiler/pattern/regex.hpp"
#include "compiler/pattern/regex_builder.hpp"
#include "grammar/seatbelt_regex.hpp"

namespace nd7::pattern {
namespace {

namespace rules = grammar::seatbelt_regex;

std::string escape_name(char letter) {
  if (letter >= '0' && letter <= '9') return fmt::format("a back-reference `\\{}`", letter);
  switch (letter) {
    case 'd':
    case 'D':
    case 'w':
    case 'W':
    case 's':
    case 'S': return fmt::format("a class escape `\\{}`", letter);
    case 'b':
    case 'B': return fmt::format("a word boundary `\\{}`", letter);
    default: return fmt::format("an escape `\\{}` that dialects disagree about", letter);
  }
}

std::string escape_help(char letter) {
  switch (letter) {
    case 'd': return "write `[0-9]`";
    case 'D': return "write `[^0-9]`";
    case 'w': return "write `[A-Za-z0-9_]`";
    case 'W': return "write `[^A-Za-z0-9_]`";
    case 's': return "write a space, or a set of the spaces that are meant";
    default: break;
  }
  if (letter >= '0' && letter <= '9') return "the matcher keeps no groups; spell the text out";
  if (letter == 'b' || letter == 'B') return "write what may stand beside the word, as in `(/|$)`";
  return fmt::format("write `{}` for the character itself", letter);
}

std::string group_name(std::string_view after_open) {
  const auto begins = [&](std::string_view s) { return after_open.substr(0, s.size()) == s; };
  if (begins("?=") || begins("?!")) {
    return fmt::format("look-ahead `({}`", after_open.substr(0, 2));
  }
  if (begins("?<=") || begins("?<!")) {
    return fmt::format("look-behind `({}`", after_open.substr(0, 3));
  }
  if (begins("?:")) return "a non-capturing group `(?:`";
  return "an extended group `(?`";
}

std::string second_quantifier_name(char quantifier) {
  switch (quantifier) {
    case '?': return "a lazy quantifier";
    case '+': return "a possessive quantifier";
    default: return "a quantifier after a quantifier";
  }
}

template <typename Rule>
struct action : tao::pegtl::nothing<Rule> {};

template <typename Input>
std::size_t offset(const Input& in, const RegexBuilder& builder) {
  return static_cast<std::size_t>(in.begin() - builder.text().data());
}

// Defines what a rule means. `in` is its match, `at` where that begins, `builder` the result.
#define ND7_ACTION(rule)                                                          \
  template <>                                                                     \
  struct action<rules::rule> {                                                    \
    template <typename Input>                                                     \
    static void apply(const Input& in, RegexBuilder& builder) {                   \
      run(std::string_view{in.begin(), in.size()}, offset(in, builder), builder); \
    }                                                                             \
    static void run(std::string_view in, std::size_t at, RegexBuilder& builder);  \
  };                                                                              \
  void action<rules::rule>::run([[maybe_unused]] std::string_view in,             \
                                [[maybe_unused]] std::size_t at, RegexBuilder& builder)

ND7_ACTION(hole) {
  builder.add_hole(static_cast<std::uint32_t>(static_cast<unsigned char>(in[1])) - 1U);
}
ND7_ACTION(stray_nul) { builder.refuse(at, 1, "a NUL byte"); }

ND7_ACTION(any_byte) { builder.add_any_byte(); }
ND7_ACTION(begin_anchor) { builder.add_anchor(RegexNode::Kind::begin); }
ND7_ACTION(end_anchor) { builder.add_anchor(RegexNode::Kind::end); }
ND7_ACTION(literal) { builder.add_byte(in.front()); }

ND7_ACTION(escaped_byte) { builder.add_byte(in[1]); }
ND7_ACTION(escaped_word) {
  builder.unsupported(at, 2, escape_name(in[1]), escape_help(in[1]));
  builder.add_byte(in[1]);
}
ND7_ACTION(stray_backslash) {
  builder.refuse(at, 1, "a backslash with nothing to escape", "write `\\\\` for a backslash");
}

ND7_ACTION(repeat_count) {
  builder.unsupported(at, in.size(), fmt::format("a repetition count `{}`", in),
                      "write the part that often, with `?` after what may be missing");
  for (const char byte : in) builder.add_byte(byte);
}
ND7_ACTION(stray_brace) {
  builder.unsupported(at, 1, "an unescaped `{`", "write `\\{` for the character");
  builder.add_byte('{');
}

ND7_ACTION(quantifier) { builder.quantify(in.front()); }
ND7_ACTION(hole_quantifier) {
  builder.unsupported(at, 1, fmt::format("a `{}` after a parameter", in.front()),
                      "it would repeat the whole value; if that is meant, put the parameter in a "
                      "group");
  builder.quantify(in.front());
}
ND7_ACTION(second_quantifier) {
  const char before = builder.text()[at - 1];
  builder.unsupported(
      at - 1, 2, fmt::format("{} `{}{}`", second_quantifier_name(in.front()), before, in.front()),
      "a match is a yes or no here, so one quantifier says it all");
  builder.quantify(in.front());
}
ND7_ACTION(stray_quantifier) {
  builder.unsupported(at, 1, fmt::format("a `{}` with nothing to repeat", in.front()),
                      in.front() == '*'
                          ? std::string{"write `.*` for any text, or `\\*` for the character"}
                          : fmt::format("write `\\{}` for the character", in.front()));
  builder.add_byte(in.front());
}

ND7_ACTION(set_open) { builder.open_set(at); }
ND7_ACTION(set_negation) { builder.negate_set(); }
ND7_ACTION(set_leading_bracket) {
  builder.unsupported(at, 1, "a `]` at the start of a set",
                      "write `\\]` outside of the set: `(\\]|[abc])`");
  builder.add_to_set(at, ']', ']');
}
ND7_ACTION(set_class) {
  builder.unsupported(at, 2, fmt::format("a named class `[{}`", builder.text()[at + 1]),
                      "write the characters, as in `[A-Za-z]`; a `[` that is meant goes last");
  builder.add_to_set(at, '[', '[');
}
ND7_ACTION(set_backslash) {
  builder.unsupported(at, 1, "a backslash in a set",
                      "characters need no escape in a set; write `\\\\` or `\\]` outside of it: "
                      "`(\\]|[abc])`");
  builder.add_to_set(at, '\\', '\\');
}
ND7_ACTION(set_nul) { builder.refuse(at, 1, "a parameter in a set", "a set holds single bytes"); }
ND7_ACTION(set_range) { builder.add_to_set(at, in.front(), in.back()); }
ND7_ACTION(set_byte) {
  const std::string_view text = builder.text();
  const bool last = at + 1 == text.size() || text[at + 1] == ']';
  if (in.front() == '-' && !builder.set_is_empty() && !last) {
    builder.unsupported(at, 1, "a `-` in the middle of a set",
                        "put it first or last, where it is the character");
  }
  builder.add_to_set(at, in.front(), in.front());
}
ND7_ACTION(set_close) { builder.close_set(at + 1); }
ND7_ACTION(set_unclosed) {
  builder.refuse(builder.set_begin(), 1, "a `[` without its `]`", "write `\\[` for the character");
}

ND7_ACTION(group_open) {
  const std::string_view after = builder.text().substr(at + 1);
  if (!after.empty() && after.front() == '?') {
    builder.unsupported(at, 2, group_name(after),
                        after.substr(0, 2) == "?:" ? "every group is one here: write `(`"
                                                   : "the matcher is a plain automaton");
  }
  builder.open_group(at);
}
ND7_ACTION(group_close) { builder.close_group(); }
ND7_ACTION(group_unclosed) {
  builder.refuse(builder.group_begin(), 1, "a `(` without its `)`",
                 "write `\\(` for the character");
}
ND7_ACTION(unmatched_close) {
  builder.refuse(at, 1, "a `)` without its `(`", "write `\\)` for the character");
}
ND7_ACTION(bar) { builder.next_alternative(); }

#undef ND7_ACTION

}  // namespace

RegexResult parse_regex(std::string_view text, RegexMode mode) {
  // An empty view may have no address; the input needs one.
  if (text.data() == nullptr) text = "";
  RegexBuilder builder(text, mode);
  RegexResult result;
  try {
    tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy> in(text.data(), text.size(), "");
    if (!tao::pegtl::parse<rules::whole, action>(in, builder)) {
      RegexBuilder::refuse(0, text.size(), "an expression that does not parse");
    }
    result.regex = builder.take();
    result.warnings = builder.take_warnings();
  } catch (RegexRefusal& refusal) {
    result.regex.reset();
    result.error = std::move(refusal.error);
  }
  return result;
}

}  // namespace nd7::pattern
