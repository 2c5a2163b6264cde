// Standard input, output and error: what comes where, what happens when one is missing, and that
// hostile names do not reach a terminal raw.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/cli/program.hpp"
#include "tests/support/json.hpp"

namespace nd7::test {
namespace {

Spawn with_input(std::string text) {
  Spawn spawn;
  spawn.input = std::move(text);
  return spawn;
}

Spawn without(int descriptor) {
  Spawn spawn;
  spawn.prepare = [descriptor] { ::close(descriptor); };
  return spawn;
}

/// The output of the child goes to `path`.
Spawn redirected(int descriptor, const char* path) {
  Spawn spawn;
  spawn.prepare = [descriptor, path] {
    const int file = ::open(path, O_WRONLY);
    if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(125);
  };
  return spawn;
}

bool has_control_character(const std::string& text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n') || byte == 0x7f) return true;
  }
  return false;
}

TEST(Streams, RulesComeFromStandardInput) {
  const Program nd7c;
  const Ended ended = nd7c({"-"}, with_input(kHead));
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("(version 1)"), std::string::npos);
  EXPECT_EQ(nd7c({"check", "-"}, with_input(kHead)).code, 0);
  const Ended bad = nd7c({"-", "--format", "compact"}, with_input(kHead + "[allow]\nr = 1\n"));
  EXPECT_EQ(bad.code, 1);
  EXPECT_EQ(bad.err.rfind("<stdin>:6:5: error[ND2002]: ", 0), 0U) << bad.err;
}

TEST(Streams, StandardInputHasNoFolder) {
  const Program nd7c;
  const Ended ended = nd7c({"-", "--format", "compact"},
                           with_input("nd7 = 1\nname = \"b\"\nextends = \"./a.toml\"\n"));
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(codes_in(ended.err), "ND2030");
}

TEST(Streams, EmptyInputIsAFinding) {
  const Program nd7c;
  const Ended ended = nd7c({"-", "--format", "compact"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(codes_in(ended.err), "ND2001 ND2008");
}

TEST(Streams, ClosedStandardInput) {
  const Program nd7c;
  EXPECT_EQ(nd7c({"-"}, without(STDIN_FILENO)).code, 3);
}

TEST(Streams, OutputThatCannotBeWritten) {
  const Program nd7c;
  for (const Spawn& spawn : {without(STDOUT_FILENO), redirected(STDOUT_FILENO, "/dev/full")}) {
    const Ended ended = nd7c({"a.toml", "--format", "compact"}, spawn);
    EXPECT_EQ(ended.code, 1);
    EXPECT_EQ(codes_in(ended.err), "ND9002") << ended.err;
    EXPECT_NE(nd7c({"--version"}, spawn).code, 0);
    EXPECT_NE(nd7c({"--help"}, spawn).code, 0);
    EXPECT_NE(nd7c({"help", "ND2003"}, spawn).code, 0);
    EXPECT_NE(nd7c({"build", "--help"}, spawn).code, 0);
    EXPECT_NE(nd7c({"check", "a.toml", "--format", "json"}, spawn).code, 0);
  }
}

TEST(Streams, FilesAreSafeWhenStandardStreamsAreClosed) {
  const Program nd7c;
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ASSERT_EQ(nd7c({"a.toml", "-o", "a.sb"}, without(descriptor)).code, 0);
    EXPECT_EQ(nd7c.folder.text("a.sb"), nd7c({"a.toml"}).out) << descriptor;
  }
}

TEST(Streams, ErrorsThatCannotBeShownAreStillErrors) {
  const Program nd7c;
  nd7c.folder.put("bad.toml", kHead + "rules = 1\n");
  for (const Spawn& spawn : {without(STDERR_FILENO), redirected(STDERR_FILENO, "/dev/full")}) {
    EXPECT_EQ(nd7c({"bad.toml"}, spawn).code, 1);
    EXPECT_EQ(nd7c({"missing.toml"}, spawn).code, 3);
    EXPECT_EQ(nd7c({"--wrong"}, spawn).code, 2);
  }
}

TEST(Streams, WarningThatCannotBeShownStopsTheBuild) {
  const Program nd7c;
  nd7c.folder.put("warn.toml", kHead + "[let]\nunused = \"/a\"\n");
  const Ended ended = nd7c({"warn.toml"}, redirected(STDERR_FILENO, "/dev/full"));
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.out, "");
}

TEST(Streams, FormatsSayTheSame) {
  const Program nd7c;
  nd7c.folder.put("bad.toml", kHead + "rules = 1\n");
  for (const char* format : {"human", "plain", "compact"}) {
    const Ended ended = nd7c({"bad.toml", "--format", format});
    EXPECT_EQ(ended.code, 1);
    EXPECT_EQ(ended.out, "");
    EXPECT_EQ(codes_in(ended.err), "ND2003") << format;
    EXPECT_FALSE(has_control_character(ended.err)) << ended.err;
  }
  const Ended json = nd7c({"check", "bad.toml", "--format", "json"});
  EXPECT_EQ(json.code, 1);
  EXPECT_EQ(json.err, "");
  const auto value = JsonReader::parse(json.out);
  ASSERT_TRUE(value) << json.out;
  EXPECT_EQ(value->at("diagnostics").at(std::size_t{0}).at("code").text, "ND2003");
}

TEST(Streams, JsonNeedsAPlaceForTheProfile) {
  const Program nd7c;
  EXPECT_EQ(nd7c({"a.toml", "--format", "json"}).code, 2);
  const Ended ended = nd7c({"a.toml", "--format", "json", "-o", "a.sb"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_TRUE(JsonReader::parse(ended.out)) << ended.out;
  EXPECT_NE(nd7c.folder.text("a.sb"), "");
}

TEST(Streams, ColourIsForTerminalsOrOnRequest) {
  const Program nd7c;
  nd7c.folder.put("bad.toml", kHead + "rules = 1\n");
  Spawn spawn;
  spawn.environment = {"TERM=xterm-256color"};
  EXPECT_FALSE(has_control_character(nd7c({"bad.toml"}, spawn).err));
  EXPECT_FALSE(has_control_character(nd7c({"bad.toml", "--color", "never"}, spawn).err));
  EXPECT_TRUE(has_control_character(nd7c({"bad.toml", "--color", "always"}, spawn).err));
  spawn.environment = {"NO_COLOR=1", "TERM=dumb"};
  EXPECT_TRUE(has_control_character(nd7c({"bad.toml", "--color", "always"}, spawn).err))
      << "an option is nearer than the environment";
  EXPECT_FALSE(has_control_character(
      nd7c({"bad.toml", "--color", "always", "--format", "compact"}, spawn).err));
}

TEST(Streams, HostileNamesAreShownSafely) {
  const Program nd7c;
  for (const std::string& name :
       std::vector<std::string>{"a\nb.toml", "a\x1b[31mb.toml", "a\"'b.toml", "a\xff\xfe.toml",
                                "a\u202eb.toml", "a b;$(x).toml", "\x9b.toml"}) {
    nd7c.folder.put(name, kHead + "rules = 1\n");
    for (const char* format : {"human", "plain", "compact"}) {
      const Ended ended = nd7c({name, "--format", format});
      EXPECT_EQ(ended.code, 1) << ended.err;
      EXPECT_EQ(codes_in(ended.err), "ND2003") << ended.err;
      EXPECT_FALSE(has_control_character(ended.err)) << ended.err;
      EXPECT_EQ(ended.err.find("\u202e"), std::string::npos);
    }
    const Ended json = nd7c({"check", name, "--format", "json"});
    EXPECT_TRUE(JsonReader::parse(json.out)) << json.out;
    nd7c.folder.put(name, kHead);
    const Ended good = nd7c({name});
    EXPECT_EQ(good.code, 0) << good.err;
    EXPECT_FALSE(has_control_character(good.out)) << good.out;
    const Ended missing = nd7c({name + ".missing"});
    EXPECT_EQ(missing.code, 3);
    EXPECT_FALSE(has_control_character(missing.err)) << missing.err;
    EXPECT_EQ(nd7c({name, "-o", "out.sb"}).code, 0);
    EXPECT_FALSE(has_control_character(nd7c({"a.toml", "-o", name + "/x"}).err));
  }
}

TEST(Streams, NameOfARulesFileCannotAddARule) {
  const Program nd7c;
  const std::string name = "x\n(allow default)\n;.toml";
  nd7c.folder.put(name, kHead + "[allow.r]\nwrite = \"/srv\"\n");
  const Ended ended = nd7c({name});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out.find("\n(allow default)"), std::string::npos);
}

TEST(Streams, ProfileOfOneMachineProtectsItsRulesOrIsRefused) {
  const Program nd7c;
  const std::vector<std::string> bound{"-D", "HOME=/Users/dev",   "-D", "PROJ=/Users/dev/p",
                                       "-D", "TMP=/private/tmp/t"};
  const auto build = [&](const std::string& name) {
    nd7c.folder.put(name, kHead);
    std::vector<std::string> words{"build"};
    words.insert(words.end(), bound.begin(), bound.end());
    words.insert(words.end(), {"--", name});
    return nd7c(words);
  };
  const Ended plain = build("b.toml");
  EXPECT_EQ(plain.code, 0) << plain.err;
  EXPECT_NE(plain.out.find(nd7c.folder.at("b.toml") + "\")"), std::string::npos);
  const Ended odd = build("b\nc.toml");
  EXPECT_EQ(odd.code, 1) << "a name that cannot be protected";
  EXPECT_EQ(odd.out, "");
}

}  // namespace
}  // namespace nd7::test
