// What is said about a text that is no TOML: one error, at the culprit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "compiler/source/gate.hpp"
#include "compiler/syntax/toml_document.hpp"

namespace nd7 {
namespace {

/// Code, the source at fault, message; then the source of each label, and the fix-it.
std::string failure(const std::string& text) {
  SourceMap sources;
  const FileId file = sources.add("x.toml", "", text);
  Diagnostics diagnostics;
  EXPECT_FALSE(read_toml(sources, file, diagnostics));
  EXPECT_EQ(diagnostics.all().size(), 1U);
  if (diagnostics.all().empty()) return "";
  const Diagnostic& d = diagnostics.all().front();
  std::string result = fmt::format("{} {}:<{}> {}", info(d.code).name, d.primary->begin,
                                   sources.text(*d.primary), d.message);
  for (const Label& l : d.labels) {
    result += fmt::format(" | {}:<{}> {}", l.span.begin, sources.text(l.span), l.text);
  }
  for (const FixIt& f : d.fixits) result += fmt::format(" | fix {}", f.replacement);
  return result;
}

TEST(TomlFailure, TheGateGoesFirst) {
  EXPECT_TRUE(failure("a = \xFF").starts_with("ND1001"));
  EXPECT_TRUE(failure("a = " + std::string(65, '[')).starts_with("ND1005"));
}

TEST(TomlFailure, AStringThatIsNotClosed) {
  EXPECT_EQ(failure("'é' = 'x\nb = 2\n"), "ND1007 7:<'> a string that is not closed on its line");
  EXPECT_EQ(failure("a = \"\\\"\n"), "ND1007 4:<\"> a string that is not closed on its line");
  EXPECT_EQ(failure("a = \"é"), "ND1007 4:<\"> a string that is not closed on its line");
  EXPECT_EQ(failure("a = '''\nx''\nb = 1\n"),
            "ND1007 4:<'''> a multi-line string that is never closed");
}

TEST(TomlFailure, AKeyGivenTwice) {
  EXPECT_EQ(failure("a = 1\nb = 2\na = 3\n"),
            "ND1007 12:<a> `a` is defined twice | 0:<a> first defined here");
  EXPECT_EQ(failure("[t]\n\"\\u00e9\" = 1\n'é' = 2\n"),
            "ND1007 17:<'é'> `'é'` is defined twice | 4:<\"\\u00e9\"> first defined here");
  EXPECT_EQ(failure("\"\\u002541\" = 1\n'%41' = 2\n"),
            "ND1007 15:<'%41'> `'%41'` is defined twice | 0:<\"\\u002541\"> first defined here");
  EXPECT_EQ(failure("[[t]]\na.b = 1\n[[t]]\na.b = 1\na.b = [\n1]\n"),
            "ND1007 30:<b> `a.b` is defined twice | 22:<b> first defined here");
  EXPECT_EQ(failure("x = [{a = 1, b = {a = 2}, 'a' = 3}]"),
            "ND1007 26:<'a'> `'a'` is defined twice | 6:<a> first defined here");
  EXPECT_EQ(failure("x = {a.b = 1, a = 2}"),
            "ND1007 14:<a> `a` is defined twice | 5:<a> first defined here");
}

TEST(TomlFailure, ATableGivenTwice) {
  EXPECT_EQ(failure("[a]\n[b]\n[a]\n[c]\n"),
            "ND1007 9:<a> `a` is defined twice | 1:<a> first defined here");
  EXPECT_EQ(failure("[a]\nb = 1\n[a.b]\n[c]\n"),
            "ND1007 13:<b> `a.b` is defined twice | 4:<b> first defined here");
  EXPECT_EQ(failure("[[a]]\n[a]"), "ND1007 7:<a> `a` is defined twice | 2:<a> first defined here");
}

TEST(TomlFailure, SomethingThatCannotBeExtended) {
  EXPECT_EQ(failure("a.b = 1\na.b.c = 2\n"),
            "ND1007 10:<b> `a.b` is defined already and cannot be extended | 2:<b> first defined "
            "here");
  EXPECT_EQ(failure("a = {}\n[a.b]\n[c]\n"),
            "ND1007 8:<a> `a` is defined already and cannot be extended | 0:<a> first defined "
            "here");
  EXPECT_EQ(failure("a = [1]\n[[a.b]]"),
            "ND1007 10:<a> `a` is defined already and cannot be extended | 0:<a> first defined "
            "here");
}

TEST(TomlFailure, AKeyWithoutAValue) {
  EXPECT_EQ(failure("a =\nb = 1\n"), "ND1007 2:<=> no value after `=`");
  EXPECT_EQ(failure("a = # x"), "ND1007 2:<=> no value after `=`");
  EXPECT_EQ(failure("a = "), "ND1007 2:<=> no value after `=`");
  EXPECT_EQ(failure("x = {a = , b = 1}"), "ND1007 7:<=> no value after `=`");
}

TEST(TomlFailure, AValueWithoutQuotes) {
  EXPECT_EQ(failure("a = ~/.ssh/é.pub # x\n"),
            "ND1007 4:<~/.ssh/é.pub> `~/.ssh/é.pub` is not a value | fix \"~/.ssh/é.pub\"");
  EXPECT_EQ(failure("a = [\n 'x',\n node]"),
            "ND1007 13:<node> `node` is not a value | fix \"node\"");
  EXPECT_EQ(failure("a = True"), "ND1007 4:<True> `True` is not a value | fix \"True\"");
  EXPECT_EQ(failure("a = 1.2.3\n"),
            "ND1007 4:<1.2.3> `1.2.3` is not a number, date or time | fix \"1.2.3\"");
  EXPECT_EQ(failure("a = 9223372036854775808\n"),
            "ND1007 4:<9223372036854775808> `9223372036854775808` does not fit in 64 bits");
  EXPECT_EQ(failure("a = " + std::string(100, 'z')),
            "ND1007 4:<" + std::string(100, 'z') + "> `" + std::string(60, 'z') +
                "…` is not a value | fix \"" + std::string(100, 'z') + "\"");
}

TEST(TomlFailure, AKeyThatNeedsQuotes) {
  EXPECT_EQ(failure("clé = 1"), "ND1007 0:<clé> `clé` is a key that needs quotes | fix \"clé\"");
  EXPECT_EQ(failure("[a.é]"), "ND1007 3:<é> `é` is a key that needs quotes | fix \"é\"");
  EXPECT_EQ(failure("x = {a.50% = 1}"),
            "ND1007 7:<50%> `50%` is a key that needs quotes | fix \"50%\"");
  EXPECT_EQ(failure("[ (p"), "ND1007 2:<(p> `(p` is a key that needs quotes | fix \"(p\"");
}

TEST(TomlFailure, ABracketThatIsNotClosed) {
  EXPECT_EQ(failure("a = [1,\n {b = [2]},\n"), "ND1007 4:<[> `[` is never closed");
  EXPECT_EQ(failure("a = [1\n[b]\n"),
            "ND1007 7:<[> expected comma or closing `]`, saw `[` | 4:<[> in this array");
  EXPECT_EQ(failure("[a\n"), "ND1007 0:<[a> a header that is never closed");
  EXPECT_EQ(failure("[[a]"), "ND1007 0:<[[a]> a header that is never closed");
  EXPECT_EQ(failure("a = {b = 1\n}"),
            "ND1007 10:<> expected key or closing `}`, saw the end of the line | 4:<{> in this "
            "inline table");
}

TEST(TomlFailure, AnEscapeThatIsNone) {
  EXPECT_EQ(failure("a = \"é\\.x\""), "ND1007 7:<\\.> `\\.` is not an escape");
  EXPECT_EQ(failure("a = \"é\\é\""), "ND1007 7:<\\é> `\\é` is not an escape");
  EXPECT_EQ(failure("a = \"\\u12g4\""), "ND1007 5:<\\u12g> `\\u12g` is not an escape");
  EXPECT_EQ(failure("a = \"\\ud800\""), "ND1007 5:<\\ud800> `\\ud800` stands for no character");
  EXPECT_EQ(failure("a = \"\"\"\\ x\"\"\""),
            "ND1007 7:<\\ x> text after a backslash that joins lines");
}

TEST(TomlFailure, AnythingElse) {
  EXPECT_EQ(failure("a b = 1"), "ND1007 2:<b> expected `=`, saw `b`");
  EXPECT_EQ(failure("a\nb = 1"), "ND1007 1:<> expected `=`, saw the end of the line");
  EXPECT_EQ(failure("a = 'x' é"), "ND1007 8:<é> expected the end of the line, saw `é`");
  EXPECT_EQ(failure("= 1"), "ND1007 0:<=> expected a key or a `[header]`, saw `=`");
  EXPECT_EQ(failure("a = 1 '"), "ND1007 6:<'> a string that is not closed on its line");
  EXPECT_EQ(failure("a"), "ND1007 1:<> the file ends too early");
}

}  // namespace
}  // namespace nd7
