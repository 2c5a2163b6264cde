// What becomes of the arguments of Claude Code.
#include "runtime/hook/client_arguments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace nd7::runtime::hook {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Words = std::vector<std::string>;

std::variant<ClientArguments, std::string> with(Words words,
                                                std::optional<Version> version = std::nullopt) {
  words.insert(words.begin(), "claude");
  ClientRequest request;
  request.arguments = std::move(words);
  request.installation = {"/opt/nd7/nd7", "/opt/nd7/nd7-exec", ": sign"};
  request.version = version;
  request.read_file = [](const std::string& path) -> std::optional<std::string> {
    if (path == "own.json") return R"({"model":"opus"})";
    if (path == "broken.json") return "{";
    return std::nullopt;
  };
  return client_arguments(request);
}

ClientArguments good(Words words, std::optional<Version> version = std::nullopt) {
  auto result = with(std::move(words), version);
  if (const auto* why = std::get_if<std::string>(&result)) {
    ADD_FAILURE() << *why;
    return {};
  }
  return std::get<ClientArguments>(std::move(result));
}
std::string refused(Words words) {
  auto result = with(std::move(words));
  const auto* why = std::get_if<std::string>(&result);
  return why != nullptr ? *why : "";
}

/// The arguments after the program and nd7's five words.
Words rest(const ClientArguments& result) {
  EXPECT_EQ(result.arguments.at(0), "claude");
  EXPECT_EQ(result.arguments.at(1), "--settings");
  EXPECT_EQ(result.arguments.at(3), "--append-system-prompt");
  return {result.arguments.begin() + 5, result.arguments.end()};
}
Words rest(Words words) { return rest(good(std::move(words))); }

TEST(ClientArguments, GetTwoOptionsInFront) {
  const ClientArguments result = good({"-p", "hello"});
  EXPECT_THAT(result.arguments.at(2), HasSubstr("hook-prefix"));
  EXPECT_EQ(result.arguments.at(4), paragraph_for_model());
  EXPECT_THAT(rest(result), ElementsAre("-p", "hello"));
  EXPECT_TRUE(result.conversation);
  EXPECT_THAT(result.notes, IsEmpty());
}

TEST(ClientArguments, TheParagraphNamesTheErrors) {
  for (const char* text : {"operation not permitted", "Read-only file system", "Permission denied",
                           "EROFS", "EACCES", "nd7 allow <path>"}) {
    EXPECT_THAT(std::string{paragraph_for_model()}, HasSubstr(text));
  }
}

TEST(ClientArguments, OthersStayAsTheyAre) {
  const Words words{"--model",    "--settings", "--allowedTools",
                    "Bash",       "Edit",       "--debug",
                    "hooks",      "--worktree", "-p",
                    "a prompt",   "--add-dir",  "--looks-so",
                    "x",          "",           "-",
                    "--unknown",  "word",       "--",
                    "--settings", "x",          "--append-system-prompt",
                    "--bg"};
  EXPECT_EQ(rest(words), words);
}

TEST(ClientArguments, OwnSettingsAreJoined) {
  for (const Words& words :
       {Words{"--settings", R"({"model":"opus"})"}, Words{R"(--settings={"model":"opus"})"},
        Words{"--settings", "own.json"},
        Words{"--settings", "{}", "-p", "--settings", "own.json"}}) {
    const ClientArguments result = good(words);
    EXPECT_THAT(result.arguments.at(2), HasSubstr(R"("model":"opus")"));
    EXPECT_THAT(result.arguments.at(2), HasSubstr("hook-prefix"));
    EXPECT_EQ(std::count(result.arguments.begin(), result.arguments.end(), "--settings"), 1);
  }
}

TEST(ClientArguments, OfSeveralSettingsTheLastCounts) {
  const ClientArguments result =
      good({"--settings", "own.json", "--settings", R"({"model":"haiku"})"});
  EXPECT_THAT(result.arguments.at(2), HasSubstr("haiku"));
  EXPECT_THAT(result.arguments.at(2), testing::Not(HasSubstr("opus")));
}

TEST(ClientArguments, SettingsAfterAnUnknownOptionAreStillSettings) {
  const ClientArguments result = good({"--some-new-option", "--settings", "own.json"});
  EXPECT_THAT(rest(result), ElementsAre("--some-new-option"));
  EXPECT_THAT(result.arguments.at(2), HasSubstr("opus"));
}

TEST(ClientArguments, SettingsThatCannotBeJoinedAreRefused) {
  EXPECT_THAT(refused({"--settings", "missing.json"}), HasSubstr("cannot be read: missing.json"));
  EXPECT_THAT(refused({"--settings", "broken.json"}), HasSubstr("cannot be joined"));
  EXPECT_THAT(refused({"--settings", R"({"disableAllHooks":true})"}), HasSubstr("disableAllHooks"));
  EXPECT_THAT(refused({"--settings", "[]"}), HasSubstr("cannot be joined"));
  EXPECT_THAT(refused({R"(--settings={"a":")" + std::string(1U << 17U, 'x') + "\"}"}),
              HasSubstr("too long"));
}

TEST(ClientArguments, OwnPromptComesFirst) {
  for (const Words& words :
       {Words{"--append-system-prompt", "Be brief."}, Words{"--append-system-prompt=Be brief."},
        Words{"--append-system-prompt", "x", "--append-system-prompt", "Be brief."}}) {
    const ClientArguments result = good(words);
    EXPECT_EQ(result.arguments.at(4), "Be brief.\n\n" + std::string{paragraph_for_model()});
    EXPECT_THAT(rest(result), IsEmpty());
  }
  EXPECT_EQ(good({"--append-system-prompt", ""}).arguments.at(4), paragraph_for_model());
  EXPECT_THAT(rest({"--append-system-prompt-file", "f"}),
              ElementsAre("--append-system-prompt-file", "f"));
  EXPECT_THAT(refused({"--append-system-prompt", std::string(1U << 17U, 'x')}),
              HasSubstr("too long"));
}

TEST(ClientArguments, AnOptionWithoutItsValueIsLeftToTheClient) {
  EXPECT_THAT(rest({"-p", "--settings"}), ElementsAre("-p", "--settings"));
}

TEST(ClientArguments, ValuesOfOptionsAreNotOptions) {
  EXPECT_THAT(rest({"--system-prompt", "--append-system-prompt", "x"}),
              ElementsAre("--system-prompt", "--append-system-prompt", "x"));
}

TEST(ClientArguments, WhatLeavesTheSessionIsRefused) {
  for (const Words& words :
       {Words{"--bg"}, Words{"--background", "x"}, Words{"-p", "x", "--bg"},
        Words{"--resume", "id", "--bg"}, Words{"daemon", "run"}, Words{"agents"},
        Words{"attach", "x"}, Words{"respawn"}, Words{"stop", "x"}, Words{"kill", "x"},
        Words{"logs", "x"}, Words{"rm", "x"}, Words{"--model", "opus", "daemon"},
        Words{"remote-control"}}) {
    EXPECT_THAT(refused(words), HasSubstr("outside of the session")) << words.front();
  }
  EXPECT_TRUE(refused({"-p", "talk about daemon"}).empty());
  EXPECT_TRUE(refused({"hello", "daemon"}).empty());
}

TEST(ClientArguments, WhatTurnsHooksOffIsSaid) {
  EXPECT_THAT(good({"--bare"}).notes, ElementsAre(HasSubstr("--bare turns hooks off")));
  EXPECT_THAT(good({"-p", "--safe-mode"}).notes, ElementsAre(HasSubstr("--safe-mode")));
  EXPECT_THAT(good({"--restricted"}).notes, ElementsAre(HasSubstr("removes the Bash tool")));
  EXPECT_THAT(good({"--", "--bare"}).notes, IsEmpty());
}

TEST(ClientArguments, AContinuedConversationGetsTheParagraph) {
  const Version knows{2, 1, 332};
  for (const Words& words :
       {Words{"--continue"}, Words{"-c"}, Words{"-pc", "x"}, Words{"-r"}, Words{"--resume", "id"},
        Words{"--resume=id"}, Words{"--from-pr", "1"}, Words{"-rid"}}) {
    const Words more = rest(good(words, knows));
    ASSERT_GE(more.size(), 2U);
    EXPECT_EQ(more[0], "--system-prompt-snapshot");
    EXPECT_EQ(more[1], "off");
    EXPECT_EQ(Words(more.begin() + 2, more.end()), words);
    EXPECT_EQ(rest(good(words, Version{2, 1, 331})), words);
    EXPECT_EQ(rest(good(words)), words);
  }
  EXPECT_THAT(rest(good({"-c", "--system-prompt-snapshot", "on"}, knows)),
              ElementsAre("-c", "--system-prompt-snapshot", "on"));
  EXPECT_THAT(rest(good({"-p", "x"}, knows)), ElementsAre("-p", "x"));
  EXPECT_THAT(rest(good({"-n", "c"}, knows)), ElementsAre("-n", "c"));
}

TEST(ClientArguments, SomeStartNoConversation) {
  for (const Words& words : {Words{"--version"}, Words{"-v"}, Words{"--help"}, Words{"-h"},
                             Words{"mcp", "list"}, Words{"doctor"}, Words{"update"}}) {
    EXPECT_FALSE(good(words).conversation) << words.front();
  }
  EXPECT_TRUE(good({"-p", "doctor who"}).conversation);
  EXPECT_THAT(rest({"mcp", "add", "x", "--settings", "y", "--append-system-prompt", "z"}),
              ElementsAre("mcp", "add", "x", "--settings", "y", "--append-system-prompt", "z"));
}

TEST(ClientArguments, Versions) {
  EXPECT_EQ(version_of("2.1.332"), (Version{2, 1, 332}));
  EXPECT_LT((Version{2, 1, 278}), (Version{2, 1, 332}));
  for (const char* text : {"", "2", "2.1", "2.1.", "2.1.x", "2.1.332-beta", "-2.1.3", "2..3",
                           "2.1.99999999999", " 2.1.3"}) {
    EXPECT_EQ(version_of(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace nd7::runtime::hook
