// Commands, options and help.
#include <gtest/gtest.h>

#include <map>

#include "tests/cli/program.hpp"

namespace nd7::test {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Words, NothingSaidIsAnErrorOfUse) {
  const Program nd7c;
  const Ended ended = nd7c({});
  EXPECT_EQ(ended.code, 2);
  EXPECT_TRUE(contains(ended.out + ended.err, "Usage: nd7c FILE -o OUT"));
}

TEST(Words, HelpIsOnStandardOutput) {
  const Program nd7c;
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--help"}, {"-h"}, {"help"}, {"help", "help"}}) {
    const Ended ended = nd7c(words);
    EXPECT_EQ(ended.code, 0);
    EXPECT_EQ(ended.err, "");
    for (const char* command : {"build", "check", "help"}) {
      EXPECT_TRUE(contains(ended.out, std::string{"\n  "} + command)) << command;
    }
  }
  EXPECT_EQ(nd7c({"help", "build"}).out, nd7c({"build", "--help"}).out);
}

TEST(Words, HelpNamesEveryOption) {
  const Program nd7c;
  const std::vector<std::string> shared{"--for",     "--os",  "--exit",        "--grant",
                                        "--protect", "-D",    "--size-budget", "--format",
                                        "--color",   "--help"};
  const std::map<std::string, std::vector<std::string>> own{
      {"build", {"-o", "--output", "--target"}},
      {"check", {}},
      {"explain",
       {"--op", "--path", "--unix", "--connect", "--bind", "--mach", "--name", "--number",
        "--vnode", "--extension", "--all-ops", "--batch", "--model", "--fragment"}},
      {"prove", {"--never"}},
      {"diff", {"--fail-on", "--model", "--fragment"}},
      {"within", {"--model", "--fragment"}},
      {"test", {"--threshold", "--mutate"}}};
  for (const auto& [command, options] : own) {
    const Ended ended = nd7c({command, "--help"});
    EXPECT_EQ(ended.code, 0);
    for (const std::string& option : shared) {
      EXPECT_TRUE(contains(ended.out, option)) << command << ' ' << option;
    }
    for (const std::string& option : options) {
      EXPECT_TRUE(contains(ended.out, option)) << command << ' ' << option;
    }
    EXPECT_EQ(nd7c({"help", command}).out, ended.out) << command;
    const Ended wrong = nd7c({command, "--wrong"});
    EXPECT_EQ(wrong.code, 2) << command;
    EXPECT_TRUE(contains(wrong.err, "Try `nd7c --help`.")) << command;
  }
}

TEST(Words, HelpOnACode) {
  const Program nd7c;
  const Ended ended = nd7c({"help", "nd2003"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.out.rfind("# ND2003: an unknown key\n", 0), 0U);
  const Ended list = nd7c({"help", "codes"});
  EXPECT_EQ(list.code, 0);
  EXPECT_TRUE(contains(list.out, "ND2003  an unknown key\n"));
  const Ended unknown = nd7c({"help", "ND2999"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(contains(unknown.err, "there is no help on `ND2999`"));
  EXPECT_EQ(nd7c({"help", "build", "check"}).code, 2);
}

TEST(Words, UnknownCommandGetsASuggestion) {
  const Program nd7c;
  const Ended ended = nd7c({"chek", "--format", "plain"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_TRUE(contains(ended.err, "did you mean the command `nd7c check`?")) << ended.err;
  const Ended with_file = nd7c({"chek", "a.toml"});
  EXPECT_EQ(with_file.code, 2);
  EXPECT_EQ(with_file.out, "");
  EXPECT_TRUE(contains(nd7c({"help", "chek"}).err, "did you mean `check`?"));
}

TEST(Words, ErrorsOfUse) {
  const Program nd7c;
  nd7c.folder.put("out.sb", kOlder);
  const std::vector<std::vector<std::string>> wrong{
      {"--wrong"},
      {"a.toml", "--wrong"},
      {"a.toml", "b.toml"},
      {"a.toml", "-o"},
      {"a.toml", "--for", "session"},
      {"a.toml", "--target", "windows"},
      {"a.toml", "--os", "macos-12"},
      {"a.toml", "--os", "linux"},
      {"a.toml", "--format", "xml"},
      {"a.toml", "--color", "sometimes"},
      {"a.toml", "-D", "HOME"},
      {"a.toml", "-D", "=x"},
      {"a.toml", "-D", "HOME=/a", "-D", "HOME=/b"},
      {"a.toml", "--size-budget", "0"},
      {"a.toml", "--size-budget", "-1"},
      {"a.toml", "--size-budget", "99999999999999999999"},
      {"a.toml", "--size-budget", "much"},
      {"a.toml", "--grant", "/a"},
      {"check"},
      {"build"},
  };
  for (const std::vector<std::string>& words : wrong) {
    std::vector<std::string> all = words;
    if (words.size() > 1 && words.back() != "-o" && words[1] != "b.toml") {
      all.insert(all.end(), {"-o", "out.sb"});
    }
    const Ended ended = nd7c(all);
    EXPECT_EQ(ended.code, 2) << testing::PrintToString(words) << ended.err;
    EXPECT_EQ(ended.out, "");
    EXPECT_TRUE(contains(ended.err, "Try `nd7c --help`.")) << ended.err;
  }
  EXPECT_EQ(nd7c.folder.text("out.sb"), kOlder);
}

TEST(Words, HostileWordsAreShownSafely) {
  const Program nd7c;
  for (const char* word : {"\x1b[31m", "a\nb", "\xff", "\u202e"}) {
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"a.toml", "--for", word},
                                               {"a.toml", "--os", word},
                                               {"a.toml", "--format", word},
                                               {"a.toml", "-D", word},
                                               {"a.toml", "-D", std::string{word} + "=x"},
                                               {"a.toml", "-D", "HOME=" + std::string{word}},
                                               {"a.toml", "--exit", word},
                                               {"a.toml", std::string{"--"} + word},
                                               {"a.toml", word},
                                               {"help", word}}) {
      const Ended ended = nd7c(words);
      EXPECT_NE(ended.code, 0);
      EXPECT_FALSE(contains(ended.err, "\x1b") || contains(ended.err, "\u202e") ||
                   contains(ended.err, "a\nb"))
          << ended.err;
    }
  }
}

TEST(Words, FileThatLooksLikeAnOption) {
  const Program nd7c;
  nd7c.folder.put("-x.toml", kHead);
  nd7c.folder.put("check", kHead);
  EXPECT_EQ(nd7c({"--", "-x.toml"}).code, 0) << nd7c({"--", "-x.toml"}).err;
  EXPECT_EQ(nd7c({"build", "--", "-x.toml"}).code, 0);
  EXPECT_EQ(nd7c({"check", "--", "-x.toml"}).code, 0);
  EXPECT_EQ(nd7c({"./-x.toml"}).code, 0);
  EXPECT_EQ(nd7c({"build", "check"}).code, 0);
  EXPECT_EQ(nd7c({"a.toml", "-o", "-y.sb"}).code, 0);
  EXPECT_NE(nd7c.folder.text("-y.sb"), "");
}

TEST(Words, CheckTakesSeveralFiles) {
  const Program nd7c;
  nd7c.folder.put("b.toml", kHead + "rules = 1\n");
  nd7c.folder.put("c.toml", kHead + "[allow.r]\nread = \"x\"\n");
  EXPECT_EQ(nd7c({"check", "a.toml"}).code, 0);
  const Ended ended = nd7c({"check", "a.toml", "b.toml", "c.toml", "--format", "compact"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(codes_in(ended.err), "ND2003 ND2020");
  EXPECT_TRUE(contains(ended.err, "b.toml:5:1: ") && contains(ended.err, "c.toml:6:8: "));
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(nd7c.folder.names().size(), 3U) << "check writes nothing";
}

TEST(Words, Version) {
  const Program nd7c;
  const Ended ended = nd7c({"--version"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.out.rfind("nd7c ", 0), 0U);
  EXPECT_EQ(ended.out.back(), '\n');
}

}  // namespace
}  // namespace nd7::test
