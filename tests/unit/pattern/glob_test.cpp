#include "compiler/pattern/glob.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compiler/pattern/regex.hpp"
#include "compiler/pattern/set_text.hpp"
#include "tests/unit/pattern/generators.hpp"
#include "tests/unit/pattern/glob_matcher.hpp"
#include "tests/unit/pattern/regex_matcher.hpp"

namespace nd7::pattern {
namespace {

using namespace std::string_literals;

struct Case {
  std::string glob;
  std::string regex;
  std::vector<std::string> yes;
  std::vector<std::string> no;
};

const std::string kHole = encode_hole('/' - 1);  // its second byte looks like a slash

void expect_matches(const Case& c, const std::string& regex) {
  EXPECT_EQ(regex, c.regex) << c.glob;
  for (const std::string& path : c.yes) {
    EXPECT_TRUE(oracle::matches(regex, path)) << c.glob << " on " << path;
  }
  for (const std::string& path : c.no) {
    EXPECT_FALSE(oracle::matches(regex, path)) << c.glob << " on " << path;
  }
}

TEST(Glob, Translation) {
  const std::vector<Case> cases{
      {"/", "^/$", {"/"}, {"/a"}},
      {"/a/b", "^/a/b$", {"/a/b"}, {"/a", "/a/b/c", "/x/a/b", "/a/bc"}},
      {"/a.b", "^/a\\.b$", {"/a.b"}, {"/axb"}},
      {"/*", "^/[^/]+$", {"/a", "/.x"}, {"/", "/a/b"}},
      {"/a/*.c", "^/a/[^/]*\\.c$", {"/a/.c", "/a/x.c", "/a/\n.c"}, {"/a/x/y.c", "/a/xc"}},
      {"/a?c",
       "^/a[^/]c$",
       {"/abc",
        "/a\xff"
        "c"},
       {"/ac", "/a/c"}},
      {"/**", "^/[^/]", {"/a", "/a/b"}, {"/"}},
      {"/a/**", "^/a/[^/]", {"/a/b", "/a/b/c"}, {"/a", "/ab", "/x/a/b"}},
      {"/a/**/b",
       "^/a/([^/]+/)*b$",
       {"/a/b", "/a/x/b", "/a/x/y/b"},
       {"/a", "/ab", "/a/xb", "/a/b/c"}},
      {"/**/b", "^/([^/]+/)*b$", {"/b", "/a/b"}, {"/ab", "/b/a"}},
      {"**/b", "^/([^/]+/)*b$", {"/b", "/a/b"}, {"/ab", "/b/a"}},
      {"**/a/**", "^/([^/]+/)*a/[^/]", {"/a/b", "/x/a/b/c"}, {"/a", "/x/a", "/xa/b"}},
      {"**/**", "^/([^/]+/)*[^/]", {"/a", "/a/b"}, {"/"}},
      {"**/**/b", "^/([^/]+/)*b$", {"/b", "/x/y/b"}, {"/xb"}},
      {"/a/**/**/b", "^/a/([^/]+/)*b$", {"/a/b", "/a/x/b"}, {"/ab"}},
      {"/a/**/**", "^/a/[^/]", {"/a/b"}, {"/a"}},
      {"/[ab]x", "^/[ab]x$", {"/ax", "/bx"}, {"/cx"}},
      {"/[a-d]", "^/[a-d]$", {"/a", "/d"}, {"/e", "/-"}},
      {"/[!a]x", "^/[^/a]x$", {"/bx", "/\xffx"}, {"/ax", "//x", "/x"}},
      {"/[+-1]", "^/[-+,.01]$", {"/+", "/-", "/.", "/0", "/1"}, {"//", "/2"}},
      {"/[.-0]", "^/[.0]$", {"/.", "/0"}, {"//"}},
      {"/[*]", "^/\\*$", {"/*"}, {"/a"}},
      {"/[[]x]", "^/\\[x]$", {"/[x]"}, {"/x"}},
      {"/[a^]", "^/[a^]$", {"/a", "/^"}, {"/b", "/\\"}},
      {"/a]b", "^/a]b$", {"/a]b"}, {"/ab"}},
      {kHole, "^"s + kHole + "$", {kHole}, {kHole + "/a", "/" + kHole}},
      {kHole + "/a", "^"s + kHole + "/a$", {kHole + "/a"}, {kHole}},
      {kHole + "/**", "^"s + kHole + "/[^/]", {kHole + "/a/b"}, {kHole, kHole + "x"}},
      {kHole + "/**/*.c", "^"s + kHole + "/([^/]+/)*[^/]*\\.c$", {kHole + "/.c"}, {kHole + ".c"}},
      {kHole + "x*", "^"s + kHole + "x[^/]*$", {kHole + "x"}, {kHole + "x/a"}},
      {"/a/" + kHole, "^/a/"s + kHole + "$", {"/a/" + kHole}, {"/a"}},
  };
  for (const Case& c : cases) {
    const GlobResult parsed = parse_glob(c.glob);
    ASSERT_TRUE(parsed.glob) << c.glob << ": " << parsed.error->message;
    EXPECT_FALSE(parsed.error);
    expect_matches(c, to_regex(*parsed.glob));
  }
}

TEST(Glob, Names) {
  const std::vector<Case> cases{
      {".env", "/\\.env(/|$)", {"/.env", "/a/.env", "/.env/x"}, {"/a.env", "/.envx", "/env"}},
      {".env.*", "/\\.env\\.[^/]*(/|$)", {"/.env.", "/x/.env.local/y"}, {"/.env"}},
      {"*", "/[^/]+(/|$)", {"/a", "/a/b"}, {"/"}},
      {"*.pem", "/[^/]*\\.pem(/|$)", {"/.pem", "/a/x.pem/b"}, {"/a.pemx"}},
      {"id_?", "/id_[^/](/|$)", {"/id_a"}, {"/id_", "/id_/a"}},
      {"[!a]", "/[^/a](/|$)", {"/b", "/a/b"}, {"/a", "/aa"}},
      {"x" + kHole, "/x"s + kHole + "(/|$)", {"/x" + kHole}, {"/x"}},
  };
  for (const Case& c : cases) {
    const GlobResult parsed = parse_name(c.glob);
    ASSERT_TRUE(parsed.glob) << c.glob;
    EXPECT_TRUE(parsed.glob->anywhere);
    ASSERT_EQ(parsed.glob->components.size(), 1U);
    expect_matches(c, name_to_regex(*parsed.glob));
  }
}

TEST(Glob, Components) {
  const Glob glob = *parse_glob("**/a/*.c/**/" + kHole).glob;
  EXPECT_TRUE(glob.anywhere);
  EXPECT_FALSE(glob.from_hole);
  ASSERT_EQ(glob.components.size(), 4U);
  EXPECT_EQ(glob.components[0].kind, GlobComponent::Kind::literal);
  EXPECT_EQ(glob.components[1].kind, GlobComponent::Kind::wildcard);
  EXPECT_EQ(glob.components[2].kind, GlobComponent::Kind::any_depth);
  EXPECT_EQ(glob.components[3].text, kHole);
}

struct Refused {
  std::string glob;
  std::size_t offset;
  std::size_t length;
  std::string message;
};

void expect_refused(const Refused& c, const GlobResult& parsed) {
  ASSERT_FALSE(parsed.glob) << c.glob;
  ASSERT_TRUE(parsed.error) << c.glob;
  EXPECT_EQ(parsed.error->message, c.message) << c.glob;
  EXPECT_EQ(parsed.error->offset, c.offset) << c.glob;
  EXPECT_EQ(parsed.error->length, c.length) << c.glob;
}

TEST(Glob, Refuses) {
  const std::string nul(1, '\0');
  const std::string start = "a glob that begins neither with `/` nor with `**/`";
  const std::vector<Refused> cases{
      {"", 0, 0, start},
      {"a/b", 0, 3, start},
      {"**", 0, 2, start},
      {"*/a", 0, 3, start},
      {"~/a", 0, 3, start},
      {nul, 0, 1, start},
      {"/a/", 2, 1, "a `/` at the end"},
      {"**/", 2, 1, "a `/` at the end"},
      {"/a/**/", 5, 1, "a `/` at the end"},
      {"//", 0, 1, "an empty component"},
      {"/a//b", 2, 1, "an empty component"},
      {"/a/./b", 3, 1, "a component `.`"},
      {"/a/../b", 3, 2, "a component `..`"},
      {"/a**", 2, 2, "a `**` beside other characters"},
      {"/**a", 1, 2, "a `**` beside other characters"},
      {"/***", 1, 2, "a `**` beside other characters"},
      {"/a/{b,c}", 3, 1, "a brace `{`"},
      {"/a}", 2, 1, "a brace `}`"},
      {"/a\\*", 2, 1, "a backslash"},
      {"/a[b", 2, 1, "a `[` without its `]`"},
      {"/a[b/c]", 2, 1, "a `[` without its `]`"},
      {"/x[]", 2, 2, "a set that no byte is in"},
      {"/x[]a]", 2, 2, "a set that no byte is in"},
      {"/x[!]", 2, 3, "a set that no byte is in"},
      {"/x[^a]", 3, 1, "a `^` at the start of a set"},
      {"/x[!^]", 4, 1, "a `^` at the start of a set"},
      {"/x[a\\]]", 4, 1, "a backslash in a set"},
      {"/x[a-\\]", 5, 1, "a backslash in a set"},
      {"/x[[:alpha:]]", 3, 2, "a named class `[:`"},
      {"/x[+-[:]", 5, 2, "a named class `[:`"},
      {"/x[z-a]", 3, 3, "a range whose ends are in the wrong order"},
      {"/x[a-c-e]", 6, 1, "a `-` in the middle of a set"},
      {"/x[\xc3\xa9]", 3, 1, "a character outside ASCII in a set"},
      {"/x[" + nul + "\1]", 3, 1, "a parameter in a set"},
      {"/x" + nul, 2, 1, "a NUL byte"},
      {"/x" + nul + nul, 2, 1, "a NUL byte"},
      {"/" + std::string(kMaxGlobBytes, 'a'), 0, kMaxGlobBytes + 1,
       "a pattern of more than 4096 bytes"},
  };
  for (const Refused& c : cases) expect_refused(c, parse_glob(c.glob));
}

TEST(Glob, RefusesNames) {
  const std::vector<Refused> cases{
      {"", 0, 0, "an empty name"},      {"a/b", 1, 1, "a `/` in a name"},
      {"/a", 0, 1, "a `/` in a name"},  {".", 0, 1, "a component `.`"},
      {"..", 0, 2, "a component `..`"}, {"**", 0, 2, "a `**` beside other characters"},
      {"a{b}", 1, 1, "a brace `{`"},    {"a[", 1, 1, "a `[` without its `]`"},
  };
  for (const Refused& c : cases) expect_refused(c, parse_name(c.glob));
}

TEST(Glob, LongestIsWithinTheLimitsOfExpressions) {
  std::string glob = "/";
  while (glob.size() + 2 <= kMaxGlobBytes) glob += "a*";
  const std::string regex = fold_ascii_case(to_regex(*parse_glob(glob).glob));
  EXPECT_TRUE(parse_regex(regex, RegexMode::strict).regex);
  std::string deep;
  while (deep.size() + 5 <= kMaxGlobBytes) deep += "/**/a";
  EXPECT_TRUE(parse_regex(to_regex(*parse_glob(deep).glob), RegexMode::strict).regex);
}

// Every glob of up to five tokens over every short path.
TEST(Glob, SmallScope) {
  std::vector<std::string> paths;
  for (const std::string& text : gen::all_texts("ab/", 5)) {
    const std::string path = '/' + text;
    if (path.find("//") == std::string::npos && (path.size() == 1 || path.back() != '/')) {
      paths.push_back(path);
    }
  }
  const std::vector<std::string> tokens{"a", "/", "*", "?", "[!a]"};
  std::vector<std::string> globs{""};
  for (std::size_t i = 0, length = 1; length <= 5; ++length) {
    for (const std::size_t end = globs.size(); i < end; ++i) {
      for (const std::string& token : tokens) globs.push_back(globs[i] + token);
    }
  }
  std::size_t parsed_count = 0;
  for (const std::string& glob : globs) {
    const GlobResult parsed = parse_glob(glob);
    if (!parsed.glob) continue;
    ++parsed_count;
    const Regex regex = *parse_regex(to_regex(*parsed.glob), RegexMode::strict).regex;
    for (const std::string& path : paths) {
      ASSERT_EQ(oracle::matches(regex, path), oracle::glob_matches(glob, path))
          << glob << " on " << path;
    }
  }
  EXPECT_GT(parsed_count, 300U);
}

TEST(SetText, EveryNegatedOrPositiveSetReadsBack) {
  const std::string alphabet = "!-[^_./0a";
  for (std::size_t mask = 0; mask < (std::size_t{1} << alphabet.size()); ++mask) {
    ByteSet listed;
    for (std::size_t i = 0; i < alphabet.size(); ++i) {
      if (((mask >> i) & 1U) != 0) listed.set(static_cast<std::size_t>(alphabet[i]));
    }
    for (const bool negated : {false, true}) {
      if (!negated && listed.none()) continue;
      const std::string text = set_text(listed, negated);
      const RegexResult parsed = parse_regex(text, RegexMode::strict);
      ASSERT_TRUE(parsed.regex) << text;
      ByteSet expected = negated ? ~listed : listed;
      expected.reset(0);
      ASSERT_EQ(parsed.regex->nodes.size(), 1U) << text;
      EXPECT_EQ(parsed.regex->nodes[0].set, expected) << text;
    }
  }
}

TEST(FoldAsciiCase, KeepsWhatHasNoLetters) {
  const std::string hole = encode_hole('a' - 1);
  const std::vector<std::pair<std::string, std::string>> cases{
      {"^/a.B$", "^/[aA].[bB]$"},
      {"\\.\\(x\\)", "\\.\\([xX]\\)"},
      {hole + "a" + hole, hole + "[aA]" + hole},
      {"[^/]+", "[^/]+"},
      {"[0-9_]", "[0-9_]"},
      {"[a-zA-Z]", "[a-zA-Z]"},
      {"[a-c]", "[A-Ca-c]"},
      {"[.A]", "[.Aa]"},
      {"[-a]", "[-Aa]"},
      {"[X-b]", "[ABX-bx-z]"},
      {"[^a]", "."},
      {"[^aA]", "[^aA]"},
      {"[^/a]", "[^/]"},
      {"[^X-c]", "[^[-`]"},
      {"a*(B|c)+", "[aA]*([bB]|[cC])+"},
      {"\xc3\xa9", "\xc3\xa9"},
  };
  for (const auto& [regex, folded] : cases) {
    EXPECT_EQ(fold_ascii_case(regex), folded);
    EXPECT_TRUE(parse_regex(folded, RegexMode::strict).regex) << folded;
  }
}

TEST(FoldAsciiCase, TakesAnyText) {
  for (const std::string& text : {"["s, "[a"s, "\\"s, "a\\"s, std::string(1, '\0'), "[z-a]b"s}) {
    EXPECT_FALSE(fold_ascii_case(text).empty());
  }
}

}  // namespace
}  // namespace nd7::pattern
