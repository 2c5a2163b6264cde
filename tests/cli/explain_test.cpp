// What `explain` advises can be pasted, and does what it says.
#include <gtest/gtest.h>

#include "tests/cli/program.hpp"

namespace nd7::test {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The rules that the answer shows, as they would be pasted; empty if it shows none.
std::string advice(const std::string& answer) {
  std::string result;
  for (std::size_t at = 0; at < answer.size();) {
    const std::size_t end = std::min(answer.find('\n', at), answer.size());
    const std::string line = answer.substr(at, end - at);
    if (line.rfind("    ", 0) == 0) result += line.substr(4) + "\n";
    at = end + 1;
  }
  return result;
}

struct Asked {
  std::vector<std::string> words;
};

class Advice : public testing::TestWithParam<Asked> {};

TEST_P(Advice, CompilesAndTurnsTheVerdict) {
  const Program nd7c;
  nd7c.folder.put("rules.toml", kHead + "[deny.odd]\nread = \"/srv/odd\"\n");
  std::vector<std::string> words{"explain", "rules.toml"};
  words.insert(words.end(), GetParam().words.begin(), GetParam().words.end());
  const Ended before = nd7c(words);
  ASSERT_EQ(before.code, 0) << before.err;
  const std::string rules = advice(before.out);
  ASSERT_NE(rules, "") << before.out;
  nd7c.folder.put("rules.toml", kHead + "[deny.odd]\nread = \"/srv/odd\"\n" + rules);
  const Ended after = nd7c(words);
  EXPECT_EQ(after.code, 0) << rules << after.err;
  EXPECT_EQ(after.err, "") << rules;
  EXPECT_NE(after.out.substr(0, 5), before.out.substr(0, 5)) << rules << after.out;
}

INSTANTIATE_TEST_SUITE_P(
    Subjects, Advice,
    testing::Values(Asked{{"--op", "file-write-data", "--path", "/srv/a \"quoted\" \\ path"}},
                    Asked{{"--op", "file-write-data", "--path", "/srv/${home}/$x/[a]*?"}},
                    Asked{{"--op", "file-write-data", "--path", "/srv/it's"}},
                    Asked{{"--op", "file-ioctl", "--path", "/srv/it's a \"${home}\" \\"}},
                    Asked{{"--op", "file-read-data", "--path", "/srv/odd/\"x\""}},
                    Asked{{"--op", "file-read-data", "--path", "/usr/it's"}},
                    Asked{{"--op", "network-outbound", "--unix", "/srv/\"a\".sock"}},
                    Asked{{"--op", "network-outbound", "--connect", "*:8080"}},
                    Asked{{"--op", "mach-register", "--mach", "com.example.*"}},
                    Asked{{"--op", "nvram-set", "--name", "boot-\"args\""}}));

TEST(Explain, AdvisesNothingThatNoRuleCanSay) {
  const Program nd7c;
  Ended ended = nd7c({"explain", "a.toml", "--op", "file-write-data", "--path", "/srv/a\nb"});
  EXPECT_EQ(advice(ended.out), "") << ended.out;
  for (const char* const profile : {"floor", "command"}) {
    ended = nd7c({"explain", "a.toml", "--for", profile, "--op", "process-exec", "--path",
                  "/usr/local/bin/nd7-exec"});
    EXPECT_EQ(advice(ended.out), "") << ended.out;
    EXPECT_TRUE(contains(ended.out, "no rule may name nd7-exec")) << ended.out;
  }
}

TEST(Explain, AdviceIsAboutTheNameThatWasAskedFor) {
  const Program nd7c;
  const Ended ended = nd7c({"explain", "a.toml", "--op", "nvram-set", "--name", "x"});
  EXPECT_FALSE(contains(ended.out, "where = 'true'")) << ended.out;
}

TEST(Explain, SaysWhatItWouldHaveToKnow) {
  const Program nd7c;
  nd7c.folder.put("b.toml", kHead +
                                "[allow.dirs]\nops = [\"file-write-data\"]\n"
                                "where = 'subpath(\"/srv\") and vnode == directory'\n");
  const Ended ended = nd7c({"explain", "b.toml", "--op", "file-write-data", "--path", "/srv/x"});
  EXPECT_TRUE(contains(ended.out, "depends on vnode-type")) << ended.out;
  EXPECT_FALSE(contains(ended.out, "imported")) << ended.out;
}

TEST(Explain, OfARawProfileChangesNothing) {
  const Program nd7c;
  nd7c.folder.put("a.sb", "(version 1)\n(deny default)\n");
  const Ended ended =
      nd7c({"explain", "a.sb", "--op", "file-read-data", "--path", "/a", "--format", "json"});
  EXPECT_TRUE(contains(ended.out, "\"change\": null")) << ended.out;
}

TEST(Explain, ShowsWarningsOfRules) {
  const Program nd7c;
  nd7c.folder.put("b.toml", kHead + "[let]\nunused = \"x\"\n");
  EXPECT_EQ(codes_in(nd7c({"explain", "b.toml", "--op", "file-read-data", "--path", "/a"}).err),
            "ND2016");
  EXPECT_EQ(codes_in(nd7c({"within", "b.toml", "a.toml"}).err), "ND2016");
}

TEST(Parameters, OfRawProfilesMustBeAskedFor) {
  const Program nd7c;
  nd7c.folder.put("a.sb",
                  "(version 1)\n(deny default)\n(if (param \"DATA\") (allow file-write*))\n");
  const std::vector<std::string> ask{"explain", "a.sb",   "--op", "file-read-data",
                                     "--path",  "/a/b/c", "-D"};
  const auto with = [&](const std::string& binding) {
    std::vector<std::string> words = ask;
    words.push_back(binding);
    return nd7c(words);
  };
  EXPECT_EQ(with("DATA=/x").code, 0);
  EXPECT_EQ(with("HOME=/x").code, 0);
  const Ended unknown = with("DTA=/x");
  EXPECT_EQ(unknown.code, 1);
  EXPECT_EQ(codes_in(unknown.err), "ND5008");
  EXPECT_TRUE(contains(unknown.err, "did you mean `DATA`?"));
  EXPECT_EQ(codes_in(with("DATA=/\u202ex").err), "ND5007");
}

TEST(Parameters, HoldTextOnly) {
  const Program nd7c;
  nd7c.folder.put("b.toml", kHead +
                                "[param]\nport = {}\ndir = {}\n[allow.it]\n"
                                "connect = \"localhost:${port}\"\nread = \"${dir}\"\n");
  const auto built = [&](const std::string& port, const std::string& dir) {
    const Ended ended = nd7c({"b.toml", "-D", "port=" + port, "-D", "dir=" + dir});
    return codes_in(ended.err);
  };
  EXPECT_EQ(built("80", "/srv"), "");
  EXPECT_EQ(built("1-64", "/srv"), "ND2026");
  EXPECT_EQ(built("80", "/srv/\u202ex"), "ND5007");
  EXPECT_EQ(built("80", "/srv/\xff"), "ND5007");
  EXPECT_EQ(built("80", "/srv/\u0085"), "ND5007");
  EXPECT_EQ(codes_in(nd7c({"a.toml", "-D", "HOME=/\u202eemoh"}).err), "ND5007");
  const Ended exit = nd7c({"a.toml", "-D", "EXIT=/x"});
  EXPECT_EQ(codes_in(exit.err), "ND5008");
  EXPECT_TRUE(contains(exit.err, "`--exit PATH`")) << exit.err;
}

TEST(Places, AreComparedInEveryCase) {
  const Program nd7c;
  const auto built = [&](const std::vector<std::string>& bindings) {
    std::vector<std::string> words{"a.toml", "-D", "HOME=/Users/ada"};
    for (const std::string& binding : bindings) {
      words.insert(words.end(), {"-D", binding});
    }
    return codes_in(nd7c(words).err);
  };
  EXPECT_EQ(built({"PROJ=/USERS/ADA"}), "ND5009");
  EXPECT_EQ(built({"PROJ=/users"}), "ND5006");
  EXPECT_EQ(built({"PROJ=/Users/ada/.ND7/x"}), "ND5006");
  EXPECT_EQ(built({"TMP=/users/ADA"}), "ND5006");
}

TEST(Places, OfTheSealAreNamedByNoRule) {
  const Program nd7c;
  const auto built = [&](const std::string& value) {
    nd7c.folder.put("b.toml", kHead + "[allow.it]\nwrite = '" + value + "'\n");
    return codes_in(nd7c({"b.toml", "-D", "HOME=/Users/ada"}).err);
  };
  for (const char* const value :
       {"~/.nd7", "~/.ND7/x", "/Users/ada/.nd7", "/USERS/ada/.Nd7/sessions",
        "regex:^/Users/ada/\\.nd7/", "regex:^/Users/ada/\\.nd7(/|$)", "glob:~/.nd7/*.json",
        "prefix:~/.nd7/x"}) {
    EXPECT_EQ(built(value), "ND2042") << value;
  }
  EXPECT_EQ(built("~/.nd7x"), "");
  EXPECT_EQ(built("regex:^/Users/ada/\\.nd7x/"), "");
}

TEST(Profile, ShowsHostileNamesOfFiles) {
  const Program nd7c;
  const std::string name = "a\u202e\xff.toml";
  nd7c.folder.put(name, kHead + "[allow.notes]\nwrite = \"~/notes\"\n");
  const Ended ended = nd7c({name});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(contains(ended.out, "from a\\u{202e}\\xff.toml sha256:")) << ended.out.substr(0, 400);
  EXPECT_FALSE(contains(ended.out, "\u202e") || contains(ended.out, "\xff"));
}

TEST(Protect, CoversTheFileOfWithin) {
  const Program nd7c;
  nd7c.folder.put("base.toml", "nd7 = 1\nname = \"base\"\nextends = \"floor\"\n");
  nd7c.folder.put("limit.toml", "nd7 = 1\nname = \"limit\"\nextends = \"./base.toml\"\n");
  nd7c.folder.put("b.toml",
                  "nd7 = 1\nname = \"b\"\nextends = \"floor\"\nwithin = \"limit.toml\"\n");
  const Ended ended = nd7c(
      {"b.toml", "-D", "HOME=/Users/ada", "-D", "PROJ=/Users/ada/p", "-D", "TMP=/private/tmp/t"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  for (const char* const file : {"/b.toml\")", "/limit.toml\")", "/base.toml\")"}) {
    EXPECT_TRUE(contains(ended.out, file)) << file;
  }
}

TEST(Budget, OfOnesOwnIsNamedSo) {
  const Program nd7c;
  const Ended ended = nd7c({"a.toml", "--size-budget", "100"});
  EXPECT_EQ(codes_in(ended.err), "ND5004");
  EXPECT_TRUE(contains(ended.err, "of the 100 that `--size-budget` allows")) << ended.err;
}

}  // namespace
}  // namespace nd7::test
