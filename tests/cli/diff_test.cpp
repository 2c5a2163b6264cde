// diff and within over parameters that are open: what holds for one choice of them is no answer.
#include <gtest/gtest.h>

#include "tests/cli/program.hpp"

namespace nd7::test {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string kReads = "(version 1)\n(deny default)\n(allow file-read* (subpath \"/usr\"))\n";

/// The first line of what `diff` says of two texts, and its exit code.
struct Answer {
  std::string first;
  std::string all;
  int code = 0;
};

Answer compared(const std::string& before, const std::string& after,
                std::vector<std::string> more = {}, const std::string& endings = ".sb") {
  const Program nd7c;
  nd7c.folder.put("old" + endings, before);
  nd7c.folder.put("new" + endings, after);
  std::vector<std::string> words{"diff", "old" + endings, "new" + endings};
  words.insert(words.end(), more.begin(), more.end());
  const Ended ended = nd7c(words);
  return {ended.out.substr(0, ended.out.find('\n')), ended.out + ended.err, ended.code};
}

TEST(DiffOfProfiles, SeesTheBranchForAParameterThatIsSet) {
  const std::string more = kReads + "(if (param \"X\") (allow file-write* (subpath \"/srv\")))\n";
  EXPECT_EQ(compared(kReads, more).first, "wider");
  EXPECT_EQ(compared(more, kReads).first, "narrower");
  EXPECT_EQ(compared(more, more).first, "equal");
}

TEST(DiffOfProfiles, SeesTheBranchForAParameterThatIsUnset) {
  const std::string more =
      kReads + "(if (param \"X\") (deny network*) (allow file-write* (subpath \"/srv\")))\n";
  EXPECT_EQ(compared(kReads, more).first, "wider");
}

TEST(DiffOfProfiles, FindsParametersBehindOthers) {
  const std::string more =
      kReads + "(if (param \"X\") (if (param \"Y\") (allow file-write* (subpath \"/srv\"))))\n";
  const Answer answer = compared(kReads, more);
  EXPECT_EQ(answer.first, "wider") << answer.all;
}

TEST(DiffOfProfiles, PutsParametersWhereRulesNameAPath) {
  const Answer answer =
      compared(kReads + "(if (param \"X\") (deny file-read* (subpath (param \"X\"))))\n", kReads);
  EXPECT_EQ(answer.first, "wider");
  EXPECT_TRUE(contains(answer.all, "X at /usr")) << answer.all;
}

TEST(DiffOfProfiles, IsUndecidedWhereAValueDecides) {
  const std::string more =
      kReads + "(if (equal? (param \"X\") \"/x\") (allow file-write* (subpath \"/srv\")))\n";
  const Answer answer = compared(kReads, more);
  EXPECT_EQ(answer.first, "undecided");
  EXPECT_EQ(answer.code, 4);
  EXPECT_TRUE(contains(answer.all, "new.sb: the values of parameters decide")) << answer.all;
  EXPECT_EQ(compared(more, more).first, "equal") << "one text twice needs no proof";
  EXPECT_EQ(compared(kReads, more, {"-D", "X=/y"}).first, "equal");
  EXPECT_EQ(compared(kReads, more, {"-D", "X=/x"}).first, "wider");
}

TEST(DiffOfProfiles, IsUndecidedWithManyParameters) {
  std::string more = kReads;
  for (const char* const name : {"A", "B", "C", "D", "E", "F", "G"}) {
    more += std::string{"(if (param \""} + name + "\") (deny file-read* (subpath \"/usr/x\")))\n";
  }
  const Answer answer = compared(more + "(deny network*)\n", more);
  EXPECT_EQ(answer.first, "undecided") << answer.all;
  EXPECT_EQ(answer.code, 4);
}

TEST(DiffOfProfiles, NeedsParametersThatAProfileDoesNotLoadWithout) {
  const std::string home = kReads + "(allow file-read* (subpath (param \"HOME\")))\n";
  EXPECT_EQ(compared(home, home).first, "equal");
  EXPECT_EQ(compared(kReads, home).first, "wider");
  // Without HOME, one loads and allows what the other would not: nobody can compare that.
  const std::string either =
      kReads +
      "(if (param \"HOME\") (allow file-read* (subpath (param \"HOME\"))) (allow file-write*))\n";
  const Answer answer = compared(home, either);
  EXPECT_EQ(answer.first, "undecided");
  EXPECT_TRUE(contains(answer.all, "new.sb loads with HOME unset, the other does not"));
}

TEST(DiffOfProfiles, WhatWasBuiltIsEqualToItsRules) {
  const Program nd7c;
  nd7c.folder.put("a.toml",
                  "nd7 = 1\nname = \"a\"\n[param]\nx = { optional = true }\n"
                  "[allow.all]\nread = \"/\"\nwrite = [\"${project}\", \"${x}\"]\n");
  EXPECT_EQ(nd7c({"a.toml", "-o", "a.sb"}).code, 0);
  const Ended ended = nd7c({"diff", "a.toml", "a.sb"});
  EXPECT_EQ(ended.out, "equal\n") << ended.err;
  EXPECT_EQ(ended.code, 0);
}

TEST(DiffOfRules, TriesAnOptionalParameterUnset) {
  const std::string head = "nd7 = 1\nname = \"a\"\n";
  const std::string param = "[param]\nx = { optional = true }\n[allow.srv]\nwrite = \"/srv\"\n";
  const std::string open = head + param + "[deny.mine]\nread = \"literal:/srv/a\"\n";
  // Everywhere that x is set, its deny of /srv hides the difference.
  const std::string shut = "[deny.x]\nwrite = [\"/srv\", \"${x}\"]\n";
  const std::string when = "[deny.x]\nwrite = \"${x}\"\n";
  EXPECT_EQ(compared(head + param + shut, head + param + when, {}, ".toml").first, "wider");
  EXPECT_EQ(compared(head + param + when, open + when, {}, ".toml").first, "narrower");
  const Answer answer = compared(head + param + when, head + param, {}, ".toml");
  EXPECT_EQ(answer.first, "wider") << answer.all;
}

TEST(Within, TriesWhatIsOpenAsWell) {
  const Program nd7c;
  nd7c.folder.put("limit.sb", kReads);
  nd7c.folder.put("file.sb",
                  kReads + "(if (param \"X\") (allow file-write* (subpath \"/srv\")))\n");
  const Ended ended = nd7c({"within", "limit.sb", "file.sb"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_TRUE(contains(ended.out, "not within")) << ended.out;
  nd7c.folder.put("value.sb", kReads + "(if (equal? (param \"X\") \"/x\") (allow file-write*))\n");
  EXPECT_EQ(nd7c({"within", "limit.sb", "value.sb"}).code, 4);
}

}  // namespace
}  // namespace nd7::test
