// What a rules file, an option or a place for the output may get wrong: each with its code, at its
// place, with the exit code 1, and an older output left as it was.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <ostream>

#include "tests/cli/program.hpp"

namespace nd7::test {
namespace {

struct Bad {
  const char* name;
  const char* code;
  const char* place;  ///< "5:1", or "-"
  std::string rules;  ///< behind kHead, which has four lines
  std::vector<std::string> words;
};
void PrintTo(const Bad& bad, std::ostream* out) { *out << bad.name; }

std::string rule(const std::string& body) { return "[allow.r]\n" + body + "\n"; }
std::string where(const std::string& operation, const std::string& expression) {
  return rule("ops = [\"" + operation + "\"]\nwhere = '" + expression + "'");
}
std::string reading(const std::string& value) { return rule("read = " + value); }

std::string repeated(const std::string& text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

std::string many_rules(std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    result += "[deny.r" + number + "]\nread = \"/srv/a/long/enough/name/for/the/budget/" + number +
              "\"\n";
  }
  return result;
}

std::vector<Bad> cases() {
  return {
      {"UnknownKey", "ND2003", "6:1", rule("raed = \"/a\""), {}},
      {"UnknownTopLevelKey", "ND2003", "5:1", "rules = 1\n", {}},
      {"UnknownOperation", "ND2004", "6:8", where("file-raed", "true"), {}},
      {"UnknownFilter", "ND2005", "7:10", where("file-read*", "subpaht(\"/a\")"), {}},
      {"UnknownName", "ND2006", "6:9", reading("\"${nobody}/a\""), {}},
      {"FilterOnTheWrongSubject", "ND2007", "7:10", where("mach-lookup", "subpath(\"/a\")"), {}},
      {"LookAround", "ND1021", "6:8", reading("'regex:^/a(?=b)'"), {}},
      {"BackReference", "ND1021", "6:8", reading("'regex:^/(a)\\1'"), {}},
      {"Digit", "ND1021", "6:8", reading("'regex:^/\\d+'"), {}},
      {"UnterminatedString", "ND1007", "6:8", reading("\"/a"), {}},
      {"UnterminatedStringInWhere", "ND1011", "7:18", where("file-read*", "subpath(\"/a)"), {}},
      {"HostInWhere", "ND2027", "7:18", where("network-outbound", "host == \"example.com\""), {}},
      {"PathWithNul", "ND2022", "6:8", reading("\"/a\\u0000b\""), {}},
      {"PathWithNewline", "ND2022", "6:8", reading("\"/a\\nb\""), {}},
      {"RawNul", "ND1002", "5:3", std::string{"# \0\n", 4}, {}},
      {"DeepNesting", "ND1005", "5:69", "x = " + repeated("[", 100000), {}},
      {"DeepExpression",
       "ND1012",
       "7:74",
       where("file-read*", repeated("(", 100000) + "true" + repeated(")", 100000)),
       {}},
      {"TwoMebibytes", "ND1004", "1:1", repeated("# " + std::string(61, 'x') + "\n", 32768), {}},
      {"RelaxOfTheSeal", "ND2042", "5:8", "[relax.\"nd7/seal\"]\nread = \"~/.nd7\"\n", {}},
      {"DropOfTheSeal", "ND2042", "6:1", "[drop]\n\"nd7/seal\" = \"x\"\n", {}},
      {"RelaxOfAnUnknownRule", "ND2040", "5:8", "[relax.\"floor/keys\"]\nread = \"~/.ssh\"\n", {}},
      {"DropOfAnUnknownRule", "ND2041", "6:1", "[drop]\n\"floor/ssh\" = \"x\"\n", {}},
      {"RuleThatNamesTheExit", "ND2043", "6:1", rule("exec = \"/opt/nd7-exec\""), {}},
      {"LetHoldingExtends", "ND2014", "6:1", "[let]\nextends = \"floor\"\n", {}},
      {"OpsWithoutWhere", "ND2011", "5:8", rule("ops = [\"file-read*\"]"), {}},
      {"VerbBesideWhere", "ND2010", "5:8", rule("read = \"/a\"\nwhere = 'true'"), {}},
      {"RelativePath", "ND2020", "6:8", reading("\"src\""), {}},
      {"AboveAVariable", "ND2021", "6:8", reading("\"~/../x\""), {}},
      {"PatternThatMovesAway", "ND3001", "5:7", "[deny.r]\nread = \"glob:${project}/*/x\"\n", {}},
      {"HomeIsTheRoot", "ND5006", "-", "", {"-D", "HOME=/"}},
      {"ProjectIsTheRoot", "ND5006", "-", "", {"-D", "PROJ=/"}},
      {"HomeIsNothing", "ND5007", "-", "", {"-D", "HOME="}},
      {"ProjectIsNothing", "ND5007", "-", "", {"-D", "PROJ="}},
      {"ProjectHoldsHome", "ND5006", "-", "", {"-D", "HOME=/Users/dev", "-D", "PROJ=/Users"}},
      {"UnsetParameter",
       "ND2035",
       "8:11",
       "[param]\nport = {}\n[allow.r]\nconnect = \"localhost:${port}\"\n",
       {}},
      {"OverTheBudget", "ND5004", "-", many_rules(500), {}},
      {"OverAGivenBudget", "ND5004", "-", "", {"--size-budget", "100"}},
      {"MissingExtends", "ND2030", "-", "", {}},
      {"CyclicExtends", "ND2031", "-", "", {}},
  };
}

class BadInput : public testing::TestWithParam<Bad> {};

TEST_P(BadInput, IsRefusedAtItsPlace) {
  const Bad& bad = GetParam();
  const Program nd7c;
  std::string text = kHead + bad.rules;
  std::string place = bad.place;
  if (std::string{bad.code} == "ND2030") {
    text = "nd7 = 1\nname = \"a\"\nextends = \"missing.toml\"\n";
    place = "3:11";
  } else if (std::string{bad.code} == "ND2031") {
    text = "nd7 = 1\nname = \"a\"\nextends = \"bad.toml\"\n";
    place = "3:11";
  }
  nd7c.folder.put("bad.toml", text);
  nd7c.folder.put("out.sb", kOlder);
  std::vector<std::string> words{"bad.toml", "-o", "out.sb", "--format", "compact"};
  words.insert(words.end(), bad.words.begin(), bad.words.end());
  const Ended ended = nd7c(words);
  EXPECT_EQ(ended.code, 1) << ended.err;
  EXPECT_EQ(ended.out, "");
  const std::string start =
      (place == "-" ? "" : "bad.toml:" + place + ": ") + "error[" + bad.code + "]: ";
  const std::size_t at = ended.err.find(start);
  EXPECT_TRUE(at == 0 || (at != std::string::npos && ended.err[at - 1] == '\n'))
      << "wanted " << start << "\n"
      << ended.err;
  EXPECT_EQ(nd7c.folder.text("out.sb"), kOlder);
  const std::vector<std::string> names{"a.toml", "bad.toml", "out.sb"};
  EXPECT_EQ(nd7c.folder.names(), names);
  // The same without a place for the output: nothing of a profile comes out.
  words.erase(words.begin() + 1, words.begin() + 3);
  EXPECT_EQ(nd7c(words).out, "");
}

INSTANTIATE_TEST_SUITE_P(Cases, BadInput, testing::ValuesIn(cases()),
                         [](const auto& param) { return std::string{param.param.name}; });

TEST(BadInput, SeveralErrorsComeInOneRun) {
  const Program nd7c;
  nd7c.folder.put("bad.toml", kHead + "[allow.a]\nread = \"x\"\n[allow.b]\nread = \"y\"\n" +
                                  "[deny.c]\nsignal = \"z\"\n");
  const Ended ended = nd7c({"bad.toml", "--format", "compact"});
  EXPECT_EQ(codes_in(ended.err), "ND2020 ND2020 ND2009");
}

TEST(BadInput, WhatBreaksAPromiseIsNotBuilt) {
  const Program nd7c;
  nd7c.folder.put("bad.toml", kHead + "[never.reading]\nread = \"/srv\"\n");
  nd7c.folder.put("out.sb", kOlder);
  const Ended ended = nd7c({"bad.toml", "-o", "out.sb"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(codes_in(ended.err), "ND4003");
  EXPECT_EQ(nd7c.folder.text("out.sb"), kOlder);
}

TEST(BadInput, MissingFileIsNotAFinding) {
  const Program nd7c;
  EXPECT_EQ(nd7c({"missing.toml"}).code, 3);
  EXPECT_EQ(nd7c({"check", "a.toml", "missing.toml"}).code, 3);
  EXPECT_EQ(nd7c({"."}).code, 3);
  EXPECT_EQ(nd7c({"a.toml/x"}).code, 3);
  EXPECT_EQ(nd7c({""}).code, 3);
  EXPECT_EQ(nd7c({"/dev/null"}).code, 3);
}

TEST(BadInput, FifoDoesNotHoldTheCompiler) {
  const Program nd7c;
  ASSERT_EQ(::mkfifo(nd7c.folder.at("fifo").c_str(), 0600), 0);
  const Ended ended = nd7c({"fifo", "--format", "compact"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_EQ(codes_in(ended.err), "ND9001");
}

TEST(BadInput, FileThatMayNotBeRead) {
  const Program nd7c;
  ASSERT_EQ(::chmod(nd7c.folder.path().c_str(), 0755), 0);
  ASSERT_EQ(::chmod(nd7c.folder.at("a.toml").c_str(), 0), 0);
  Spawn spawn;
  spawn.prepare = as_ordinary_user();
  const Ended ended = nd7c({"a.toml", "--format", "compact"}, spawn);
  EXPECT_EQ(ended.code, 3) << ended.err;
  EXPECT_EQ(codes_in(ended.err), "ND9001");
}

}  // namespace
}  // namespace nd7::test
