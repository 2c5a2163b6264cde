#include "compiler/pattern/regex.hpp"

#include <gtest/gtest.h>
#include <tao/pegtl/contrib/analyze.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "grammar/seatbelt_regex.hpp"
#include "tests/unit/pattern/regex_matcher.hpp"

namespace nd7::pattern {
namespace {

using namespace std::string_literals;

struct Match {
  std::string regex;
  std::vector<std::string> yes;
  std::vector<std::string> no;
};

struct Refused {
  std::string regex;
  std::size_t offset;
  std::size_t length;
  std::string message;
};

TEST(RegexGrammar, MakesProgress) {
  EXPECT_EQ(tao::pegtl::analyze<grammar::seatbelt_regex::whole>(-1), 0U);
}

TEST(Regex, Matches) {
  const std::vector<Match> cases{
      {"", {"", "a"}, {}},
      {"a", {"a", "xay"}, {"", "b", "A"}},
      {"a.c",
       {"abc", "a/c", "a\nc",
        "a\xff"
        "c"},
       {"ac", "abbc"}},
      {"\\.", {"."}, {"a"}},
      {"\\\\", {"\\"}, {"/"}},
      {"\\\xc3", {"\xc3"}, {"\\"}},
      {"^a", {"a", "ab"}, {"ba"}},
      {"a$", {"a", "ba"}, {"ab"}},
      {"^$", {""}, {"a"}},
      {"(^|/)x(/|$)", {"x", "/x", "x/y", "/a/x/b"}, {"ax", "/xa", "/ax/"}},
      {"a^b", {}, {"ab", "a", "b", "a^b"}},
      {"a$b", {}, {"ab", "a$b"}},
      {"^(a|bc)*d$", {"d", "ad", "bcad", "bcbcd"}, {"bd", "cd", "da"}},
      {"^a+$", {"a", "aa"}, {"", "b"}},
      {"^a?b$", {"b", "ab"}, {"aab", "a"}},
      {"^(a|)b$", {"b", "ab"}, {"aab"}},
      {"^()$", {""}, {"a"}},
      {"^(|a)$", {"", "a"}, {"aa"}},
      {"^(a||b)$", {"", "a", "b"}, {"ab"}},
      {"^[abc]$", {"a", "c"}, {"d", "ab", ""}},
      {"^[^abc]$", {"d", "/", "\xff"}, {"a", ""}},
      {"^[a-cx]$", {"a", "b", "c", "x"}, {"d", "-"}},
      {"^[-a]$", {"-", "a"}, {"b"}},
      {"^[a-]$", {"-", "a"}, {"b"}},
      {"^[^-a]$", {"b"}, {"-", "a"}},
      {"^[+--]$", {"+", ",", "-"}, {"."}},
      {"^[a[]$", {"a", "["}, {"]"}},
      {"^[.*+?$|(){}^]$", {".", "*", "+", "?", "$", "|", "(", ")", "{", "}", "^"}, {"\\", "a"}},
      {"^a]$", {"a]"}, {"a"}},
      {"^a}$", {"a}"}, {"a"}},
      {"^(a*)*$", {"", "aa"}, {"b"}},
      {"^(a+)?$", {"", "a", "aa"}, {"b"}},
      {"^((a)+)$", {"a", "aa"}, {"", "b"}},
      {"^((((a|b))))$", {"a", "b"}, {"c"}},
      {"^"s + encode_hole(3) + "/x$", {encode_hole(3) + "/x"}, {encode_hole(4) + "/x", "/x"}},
      {"^("s + encode_hole(0) + ")*$", {"", encode_hole(0) + encode_hole(0)}, {"a"}},
  };
  for (const Match& c : cases) {
    const RegexResult parsed = parse_regex(c.regex, RegexMode::strict);
    ASSERT_TRUE(parsed.regex) << c.regex << ": " << parsed.error->message;
    EXPECT_TRUE(parsed.warnings.empty());
    const RegexResult tolerant = parse_regex(c.regex, RegexMode::tolerant);
    ASSERT_TRUE(tolerant.regex) << c.regex;
    EXPECT_TRUE(tolerant.warnings.empty()) << c.regex;
    for (const std::string& subject : c.yes) {
      EXPECT_TRUE(oracle::matches(*parsed.regex, subject)) << c.regex << " on " << subject;
    }
    for (const std::string& subject : c.no) {
      EXPECT_FALSE(oracle::matches(*parsed.regex, subject)) << c.regex << " on " << subject;
    }
  }
}

TEST(Regex, EveryHoleIndexIsOneUnit) {
  for (std::uint32_t index = 0; index < kMaxHoles; ++index) {
    const std::string hole = encode_hole(index);
    const RegexResult parsed = parse_regex("^" + hole + "$", RegexMode::strict);
    ASSERT_TRUE(parsed.regex) << index;
    EXPECT_EQ(parsed.regex->nodes[1].hole, index);
    EXPECT_EQ(anchored_prefix(*parsed.regex), hole);
    EXPECT_EQ(sample(*parsed.regex), hole);
    EXPECT_EQ(quote_regex(hole), hole);
  }
}

TEST(Regex, RefusesInEveryMode) {
  const std::string nul(1, '\0');
  const std::vector<Refused> cases{
      {"a(b", 1, 1, "a `(` without its `)`"},
      {"(a(b)", 0, 1, "a `(` without its `)`"},
      {"a)b", 1, 1, "a `)` without its `(`"},
      {"(a))", 3, 1, "a `)` without its `(`"},
      {"a[bc", 1, 1, "a `[` without its `]`"},
      {"([bc)", 1, 1, "a `[` without its `]`"},
      {"a\\", 1, 1, "a backslash with nothing to escape"},
      {"a\\" + nul + "\1", 1, 1, "a backslash with nothing to escape"},
      {"[z-a]", 1, 3, "a range whose ends are in the wrong order"},
      {"x[^\x01-\xff]", 1, 6, "a set that no byte is in"},
      {"[a" + nul + "\1]", 2, 1, "a parameter in a set"},
      {"a" + nul, 1, 1, "a NUL byte"},
      {nul + nul + "\1", 0, 1, "a NUL byte"},
  };
  for (const Refused& c : cases) {
    for (const RegexMode mode : {RegexMode::strict, RegexMode::tolerant}) {
      const RegexResult parsed = parse_regex(c.regex, mode);
      ASSERT_FALSE(parsed.regex) << c.regex;
      ASSERT_TRUE(parsed.error) << c.regex;
      EXPECT_FALSE(parsed.error->unsupported) << c.regex;
      EXPECT_EQ(parsed.error->offset, c.offset) << c.regex;
      EXPECT_EQ(parsed.error->length, c.length) << c.regex;
      EXPECT_EQ(parsed.error->message, c.message);
    }
  }
}

TEST(Regex, StrictRefusesWhatDialectsDisagreeAbout) {
  const std::vector<Refused> cases{
      {"ab{2,3}", 2, 5, "a repetition count `{2,3}`"},
      {"a{2}", 1, 3, "a repetition count `{2}`"},
      {"a{2,}", 1, 4, "a repetition count `{2,}`"},
      {"a{,2}", 1, 1, "an unescaped `{`"},
      {"{", 0, 1, "an unescaped `{`"},
      {"\\d", 0, 2, "a class escape `\\d`"},
      {"x\\W", 1, 2, "a class escape `\\W`"},
      {"\\bfoo", 0, 2, "a word boundary `\\b`"},
      {"(a)\\1", 3, 2, "a back-reference `\\1`"},
      {"\\n", 0, 2, "an escape `\\n` that dialects disagree about"},
      {"[[:alpha:]]", 1, 2, "a named class `[:`"},
      {"[a[=b=]]", 2, 2, "a named class `[=`"},
      {"[+-[:]", 2, 1, "a `-` in the middle of a set"},
      {"[]a]", 1, 1, "a `]` at the start of a set"},
      {"[^]a]", 2, 1, "a `]` at the start of a set"},
      {"[a\\.]", 2, 1, "a backslash in a set"},
      {"[a-\\]", 2, 1, "a `-` in the middle of a set"},
      {"[a-c-e]", 4, 1, "a `-` in the middle of a set"},
      {"a(?=b)", 1, 2, "look-ahead `(?=`"},
      {"(?!b)", 0, 2, "look-ahead `(?!`"},
      {"(?<=b)", 0, 2, "look-behind `(?<=`"},
      {"(?<!b)", 0, 2, "look-behind `(?<!`"},
      {"(?:b)", 0, 2, "a non-capturing group `(?:`"},
      {"(?i)b", 0, 2, "an extended group `(?`"},
      {"a*?", 1, 2, "a lazy quantifier `*?`"},
      {"a??", 1, 2, "a lazy quantifier `??`"},
      {"a++", 1, 2, "a possessive quantifier `++`"},
      {"a+*", 1, 2, "a quantifier after a quantifier `+*`"},
      {"*a", 0, 1, "a `*` with nothing to repeat"},
      {"(+a)", 1, 1, "a `+` with nothing to repeat"},
      {"a|?", 2, 1, "a `?` with nothing to repeat"},
      {"^*", 1, 1, "a `*` with nothing to repeat"},
      {"$+", 1, 1, "a `+` with nothing to repeat"},
      {"/"s + encode_hole(1) + "*", 3, 1, "a `*` after a parameter"},
  };
  for (const Refused& c : cases) {
    const RegexResult strict = parse_regex(c.regex, RegexMode::strict);
    ASSERT_FALSE(strict.regex) << c.regex;
    EXPECT_TRUE(strict.error->unsupported) << c.regex;
    EXPECT_EQ(strict.error->offset, c.offset) << c.regex;
    EXPECT_EQ(strict.error->length, c.length) << c.regex;
    EXPECT_EQ(strict.error->message, c.message);
    EXPECT_FALSE(strict.error->help.empty()) << c.regex;
    const RegexResult tolerant = parse_regex(c.regex, RegexMode::tolerant);
    ASSERT_TRUE(tolerant.regex) << c.regex;
    ASSERT_FALSE(tolerant.warnings.empty()) << c.regex;
    EXPECT_EQ(tolerant.warnings.front().message, c.message);
  }
}

TEST(Regex, TolerantReadsThemAsCharacters) {
  const std::vector<Match> cases{
      {"^a{2}$", {"a{2}"}, {"aa"}},
      {"^a{b$", {"a{b"}, {}},
      {"^\\d$", {"d"}, {"0"}},
      {"^\\1$", {"1"}, {}},
      {"^[[:alpha:]]$", {"a]", ":]", "[]"}, {"a", "b]"}},
      {"^[]a]$", {"]", "a"}, {"b"}},
      {"^[a\\]$", {"a", "\\"}, {"]"}},
      {"^[a-c-e]$", {"-", "e", "b"}, {"d"}},
      {"^(?:b)$", {"?:b"}, {"b"}},
      {"^a*?$", {"", "a", "aa"}, {"b"}},
      {"^a+?$", {"", "a", "aa"}, {"b"}},
      {"*/docker.sock", {"*/docker.sock", "x*/docker.sock"}, {"/docker.sock"}},
      {"^*a", {"*a"}, {"a"}},
      {"^"s + encode_hole(0) + "?$", {"", encode_hole(0)}, {"a"}},
  };
  for (const Match& c : cases) {
    const RegexResult parsed = parse_regex(c.regex, RegexMode::tolerant);
    ASSERT_TRUE(parsed.regex) << c.regex;
    for (const std::string& subject : c.yes) {
      EXPECT_TRUE(oracle::matches(*parsed.regex, subject)) << c.regex << " on " << subject;
    }
    for (const std::string& subject : c.no) {
      EXPECT_FALSE(oracle::matches(*parsed.regex, subject)) << c.regex << " on " << subject;
    }
  }
}

std::string nested(std::size_t depth) {
  return std::string(depth, '(') + "a" + std::string(depth, ')');
}

TEST(Regex, Limits) {
  EXPECT_TRUE(parse_regex(nested(kMaxRegexDepth), RegexMode::strict).regex);
  for (const RegexMode mode : {RegexMode::strict, RegexMode::tolerant}) {
    EXPECT_EQ(parse_regex(nested(kMaxRegexDepth + 1), mode).error->offset, kMaxRegexDepth);
    EXPECT_TRUE(parse_regex(nested(100000), mode).error);
    EXPECT_TRUE(parse_regex(std::string(100000, '('), mode).error);
    EXPECT_TRUE(parse_regex(std::string(kMaxRegexNodes + 1, 'a'), mode).error);
    EXPECT_TRUE(parse_regex(std::string(kMaxRegexNodes + 1, '|'), mode).error);
  }
  // One node for the concatenation.
  const RegexResult longest = parse_regex(std::string(kMaxRegexNodes - 1, 'a'), RegexMode::strict);
  ASSERT_TRUE(longest.regex);
  EXPECT_EQ(sample(*longest.regex)->size(), kMaxRegexNodes - 1);
  // A row of quantifiers neither nests nor floods.
  const RegexResult row = parse_regex("a" + std::string(100000, '*'), RegexMode::tolerant);
  ASSERT_TRUE(row.regex);
  EXPECT_EQ(row.regex->nodes.size(), 2U);
  EXPECT_EQ(row.warnings.size(), kMaxRegexWarnings);
}

TEST(Regex, KidsComeBeforeTheirParent) {
  const Regex regex = *parse_regex("^(a|b*(c|)+)?[xy]$|()", RegexMode::strict).regex;
  std::vector<int> parents(regex.nodes.size());
  for (std::uint32_t id = 0; id < regex.nodes.size(); ++id) {
    for (const std::uint32_t kid : regex.nodes[id].kids) {
      EXPECT_LT(kid, id);
      ++parents[kid];
    }
  }
  for (std::uint32_t id = 0; id < regex.nodes.size(); ++id) {
    EXPECT_EQ(parents[id], id == regex.root ? 0 : 1);
  }
}

TEST(Regex, AnchoredPrefix) {
  const std::string hole = encode_hole('*' - 1);
  const std::string other = encode_hole('+' - 1);
  const std::vector<std::pair<std::string, std::optional<std::string>>> cases{
      {"^/a/b", "/a/b"},
      {"^/a/b$", "/a/b"},
      {"^/a[.]b", "/a.b"},
      {"^/a\\.b", "/a.b"},
      {"^/a(/|$)", "/a"},
      {"^/ab*", "/a"},
      {"^/ab?c", "/a"},
      {"^/(ab)+c", "/ab"},
      {"^/(ab|ac)d", "/a"},
      {"^/(ab|ab)d", "/abd"},
      {"(^/ab|^/ac)", "/a"},
      {"^(/ab|/ac)", "/a"},
      {"(^)/a", "/a"},
      {"()^/a", "/a"},
      {"^", ""},
      {"^[ab]", ""},
      {"^.*x", ""},
      {"^" + hole + "/x", hole + "/x"},
      {"^(" + hole + "|" + other + ")", ""},
      {"^/(" + hole + "a|" + hole + "b)", "/" + hole},
      {"/a", std::nullopt},
      {"", std::nullopt},
      {"(^/a|/b)", std::nullopt},
      {"(^)?/a", std::nullopt},
      {"a^b", std::nullopt},
      {"^a^b", "a"},
  };
  for (const auto& [text, prefix] : cases) {
    EXPECT_EQ(anchored_prefix(*parse_regex(text, RegexMode::strict).regex), prefix) << text;
  }
}

TEST(Regex, Sample) {
  const std::vector<std::pair<std::string, std::optional<std::string>>> cases{
      {"", ""},
      {"abc", "abc"},
      {"^/a(/|$)", "/a"},
      {"/a(/|$)", "/a"},
      {"(/|$)a", "/a"},
      {"a(^|/)b", "a/b"},
      {"(^|/)b", "b"},
      {"(xyz|ab|c)", "c"},
      {"[^a]", "b"},
      {".+", "a"},
      {"a*", ""},
      {"(a|^)+b", "b"},
      {"x(a|^)+b", "xab"},
      {"[+-.]", "-"},
      {"^" + encode_hole(7) + "/x", encode_hole(7) + "/x"},
      {"a^", std::nullopt},
      {"$a", std::nullopt},
      {"a(^|b$)c", std::nullopt},
      {"($|^)", ""},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(sample(*parse_regex(text, RegexMode::strict).regex), expected) << text;
  }
}

TEST(Regex, QuotesWhatSeatbeltQuotes) {
  EXPECT_EQ(quote_regex("a.b"), "a\\.b");
  EXPECT_EQ(quote_regex("^.[$()|*+?{\\"), "\\^\\.\\[\\$\\(\\)\\|\\*\\+\\?\\{\\\\");
  EXPECT_EQ(quote_regex("]}-/ \"'\n"), "]}-/ \"'\n");
}

}  // namespace
}  // namespace nd7::pattern
