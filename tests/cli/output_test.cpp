// Where a profile goes: whole or not at all, and never over what was read.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/cli/program.hpp"

namespace nd7::test {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

mode_t mode_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777U : 0;
}

/// A child that may not be root has to find the program's folder.
Spawn ordinary(const Program& nd7c, mode_t folder) {
  Spawn spawn;
  spawn.prepare = as_ordinary_user();
  EXPECT_EQ(::chmod(nd7c.folder.path().c_str(), folder), 0);
  return spawn;
}

TEST(Output, IsTheSameInAFileAndOnStandardOutput) {
  const Program nd7c;
  const Ended shown = nd7c({"a.toml"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_EQ(shown.err, "");
  EXPECT_EQ(shown.out.rfind("; a: ", 0), 0U) << shown.out;
  EXPECT_EQ(nd7c({"a.toml", "-o", "-"}).out, shown.out);
  const Ended written = nd7c({"a.toml", "-o", "a.sb"});
  EXPECT_EQ(written.code, 0) << written.err;
  EXPECT_EQ(written.out, "");
  EXPECT_EQ(nd7c.folder.text("a.sb"), shown.out);
  EXPECT_EQ(nd7c.folder.names(), (Names{"a.sb", "a.toml"}));
}

TEST(Output, NewFileFollowsTheUmask) {
  const Program nd7c;
  Spawn spawn;
  spawn.prepare = [] { ::umask(027); };
  ASSERT_EQ(nd7c({"a.toml", "-o", "a.sb"}, spawn).code, 0);
  EXPECT_EQ(mode_of(nd7c.folder.at("a.sb")), 0640U);
}

TEST(Output, OlderFileIsReplacedAndKeepsItsMode) {
  const Program nd7c;
  nd7c.folder.put("a.sb", kOlder + std::string(100000, 'x'));
  ASSERT_EQ(::chmod(nd7c.folder.at("a.sb").c_str(), 0604), 0);
  ASSERT_EQ(nd7c({"a.toml", "-o", "a.sb"}).code, 0);
  EXPECT_EQ(nd7c.folder.text("a.sb"), nd7c({"a.toml"}).out);
  EXPECT_EQ(mode_of(nd7c.folder.at("a.sb")), 0604U);
}

TEST(Output, GoesThroughASymbolicLinkAndKeepsIt) {
  const Program nd7c;
  fs::create_directory(nd7c.folder.at("elsewhere"));
  nd7c.folder.put("elsewhere/real.sb", kOlder);
  fs::create_symlink("elsewhere/real.sb", nd7c.folder.at("link.sb"));
  ASSERT_EQ(nd7c({"a.toml", "-o", "link.sb"}).code, 0);
  EXPECT_TRUE(fs::is_symlink(nd7c.folder.at("link.sb")));
  EXPECT_EQ(nd7c.folder.text("elsewhere/real.sb"), nd7c({"a.toml"}).out);
  EXPECT_EQ(nd7c.folder.names(), (Names{"a.toml", "elsewhere", "link.sb"}));
}

TEST(Output, LinkThatLeadsNowhereIsRefused) {
  const Program nd7c;
  fs::create_symlink("missing/real.sb", nd7c.folder.at("link.sb"));
  const Ended ended = nd7c({"a.toml", "-o", "link.sb"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(codes_in(ended.err), "ND9002");
  EXPECT_TRUE(fs::is_symlink(nd7c.folder.at("link.sb")));
}

TEST(Output, NeverReplacesAnInput) {
  const Program nd7c;
  nd7c.folder.put("base.toml", kHead);
  nd7c.folder.put("b.toml", "nd7 = 1\nname = \"b\"\nextends = \"base.toml\"\n");
  fs::create_symlink("b.toml", nd7c.folder.at("soft"));
  fs::create_hard_link(nd7c.folder.at("b.toml"), nd7c.folder.at("hard"));
  const std::string rules = nd7c.folder.text("b.toml");
  const Names before = nd7c.folder.names();
  for (const std::string& output :
       Names{"b.toml", "./b.toml", nd7c.folder.at("b.toml"), "soft", "hard", "base.toml"}) {
    const Ended ended = nd7c({"b.toml", "-o", output});
    EXPECT_EQ(ended.code, 1) << output;
    EXPECT_EQ(codes_in(ended.err), "ND9003") << output << '\n' << ended.err;
  }
  EXPECT_EQ(nd7c({"soft", "-o", "b.toml"}).code, 1);
  EXPECT_EQ(nd7c.folder.text("b.toml"), rules);
  EXPECT_EQ(nd7c.folder.text("base.toml"), kHead);
  EXPECT_EQ(nd7c.folder.names(), before);
}

TEST(Output, PlacesThatTakeNone) {
  const Program nd7c;
  fs::create_directory(nd7c.folder.at("folder"));
  for (const std::string& output :
       Names{"folder", "folder/", ".", "missing/a.sb", "new/", "a.toml/x", "/dev/full"}) {
    const Ended ended = nd7c({"a.toml", "-o", output});
    EXPECT_EQ(ended.code, 1) << output;
    EXPECT_EQ(codes_in(ended.err), "ND9002") << output << '\n' << ended.err;
    EXPECT_EQ(ended.out, "");
  }
  EXPECT_EQ(nd7c.folder.names(), (Names{"a.toml", "folder"}));
  EXPECT_TRUE(fs::is_empty(nd7c.folder.at("folder")));
}

TEST(Output, DevicesAndPipesAreWrittenDirectly) {
  const Program nd7c;
  EXPECT_EQ(nd7c({"a.toml", "-o", "/dev/null"}).code, 0);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(nd7c({"a.toml", "-o", "/dev/stdout"}).out, nd7c({"a.toml"}).out);
}

TEST(Output, FolderThatMayNotBeWritten) {
  const Program nd7c;
  nd7c.folder.put("a.sb", kOlder);
  ASSERT_EQ(::chmod(nd7c.folder.at("a.sb").c_str(), 0666), 0);
  const Spawn spawn = ordinary(nd7c, 0555);
  for (const char* output : {"a.sb", "new.sb"}) {
    const Ended ended = nd7c({"a.toml", "-o", output}, spawn);
    EXPECT_EQ(ended.code, 1) << ended.err;
    EXPECT_EQ(codes_in(ended.err), "ND9002") << ended.err;
  }
  ASSERT_EQ(::chmod(nd7c.folder.path().c_str(), 0755), 0);
  EXPECT_EQ(nd7c.folder.text("a.sb"), kOlder);
  EXPECT_EQ(nd7c.folder.names(), (Names{"a.sb", "a.toml"}));
}

TEST(Output, FileThatItsOwnerMadeReadOnlyStays) {
  const Program nd7c;
  nd7c.folder.put("a.sb", kOlder);
  ASSERT_EQ(::chmod(nd7c.folder.at("a.sb").c_str(), 0444), 0);
  const Spawn spawn = ordinary(nd7c, 0777);
  const Ended ended = nd7c({"a.toml", "-o", "a.sb"}, spawn);
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(codes_in(ended.err), "ND9002") << ended.err;
  EXPECT_EQ(nd7c.folder.text("a.sb"), kOlder);
  EXPECT_EQ(nd7c.folder.names(), (Names{"a.sb", "a.toml"}));
}

TEST(Output, DoesNotDependOnItsSurroundings) {
  const Program nd7c;
  const Ended plain = nd7c({"a.toml"});
  ASSERT_EQ(plain.code, 0);
  EXPECT_EQ(nd7c({"a.toml"}).out, plain.out);
  for (const char* variable : {"LC_ALL=tr_TR.UTF-8", "LANG=de_DE", "TZ=Asia/Kathmandu",
                               "HOME=/nowhere", "POSIXLY_CORRECT=1", "SOURCE_DATE_EPOCH=1"}) {
    Spawn spawn;
    spawn.environment = {variable};
    EXPECT_EQ(nd7c({"a.toml"}, spawn).out, plain.out) << variable;
  }
  Spawn elsewhere;
  elsewhere.folder = "/";
  EXPECT_EQ(nd7c({nd7c.folder.at("a.toml")}, elsewhere).out, plain.out);
  Spawn fed;
  fed.folder = "/";
  fed.input = nd7c.folder.text("a.toml");
  const Ended from_input = nd7c({"-"}, fed);
  EXPECT_EQ(from_input.code, 0) << from_input.err;
  EXPECT_NE(from_input.out.find("\"/notes\")))"), std::string::npos);
}

TEST(Output, PolicyAsJson) {
  const Program nd7c;
  const Ended ended = nd7c({"a.toml", "--target", "ir"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.out.front(), '{');
  EXPECT_EQ(ended.out.substr(ended.out.size() - 2), "}\n");
}

}  // namespace
}  // namespace nd7::test
