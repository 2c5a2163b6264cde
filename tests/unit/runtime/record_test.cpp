#include "runtime/session/record.hpp"

#include <gtest/gtest.h>

namespace nd7::runtime {
namespace {

Record sample() {
  Record record;
  record.process = 41287;
  record.started = 18446744073709551615U;
  record.home = "/home/ada";
  record.project = std::string{"/home/ada/\xff\xfe \"\n\x01"};  // paths are bytes
  record.temporary = "/tmp";
  record.exit = "/usr/bin/nd7-exec";
  record.shell = "/bin/zsh";
  record.root = "floor";
  record.sets = {"claude"};
  record.sources = {{"/r/a.toml", "nd7 = 1\n# données\n"}, {"\xc3(", "x"}};
  record.bindings = {{"team.agent", "/run/x"}};
  record.protect = {"/usr/bin/nd7"};
  record.grants = {"/data", "/data/\x80"};
  record.own = {"/tmp/nd7-abc123"};
  record.made = {"/home/ada/.aws"};
  return record;
}

TEST(Record, ComesBackAsItWas) {
  const Record record = sample();
  const auto read = record_from_json(to_json(record));
  ASSERT_TRUE(std::holds_alternative<Record>(read)) << std::get<std::string>(read);
  const Record& again = std::get<Record>(read);
  EXPECT_EQ(to_json(again), to_json(record));
  EXPECT_EQ(again.project, record.project);
  EXPECT_EQ(again.started, record.started);
  EXPECT_EQ(again.grants, record.grants);
  EXPECT_EQ(again.sources, record.sources);
}

TEST(Record, WhatIsNotOneIsRefused) {
  const std::string good = to_json(sample());
  std::string other_version = good;
  other_version.replace(other_version.find("\"nd7_session\": 1"), 16, "\"nd7_session\": 2");
  std::string more = good;
  more.replace(more.find('{'), 1, "{\"more\": 1,");
  std::string wrong = good;
  wrong.replace(wrong.find("41287"), 5, "\"no\"");
  for (const std::string& text :
       {std::string{}, std::string{"{}"}, std::string{"[1]"}, good.substr(0, good.size() / 2),
        other_version, more, wrong, std::string(100000, '[')}) {
    EXPECT_TRUE(std::holds_alternative<std::string>(record_from_json(text))) << text.substr(0, 200);
  }
}

}  // namespace
}  // namespace nd7::runtime
