// The floor and the command profile against the table of floor_cases.tsv: read back with the
// profile reader, which shares nothing with the compiler but the tables, and decided under every
// reading of Seatbelt's precedence.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <string>

#include "tests/support/compile.hpp"
#include "tests/unit/seatbelt_read/support.hpp"

namespace nd7::test {
namespace {

using namespace seatbelt::read;
namespace profiles = seatbelt::read::test;

struct Layout {
  std::string project = "/Users/dev/project";
  std::string exit = "/usr/local/bin/nd7-exec";
  std::vector<std::string> grants;
};

const std::map<std::string, Layout> kLayouts{
    {"plain", {}},
    {"home-is-project", {"/Users/dev", "/usr/local/bin/nd7-exec", {}}},
    {"home-granted", {"/Users/dev/project", "/usr/local/bin/nd7-exec", {"/Users/dev"}}},
    {"data-granted", {"/Users/dev/project", "/usr/local/bin/nd7-exec", {"/Users/dev/data"}}},
    {"exit-in-home", {"/Users/dev", "/Users/dev/bin/nd7-exec", {}}},
};

/// The profile for a layout: with the places as text, or as parameters that the loader gets.
struct Loaded {
  RuleBase rules;
  std::string text;
};

Loaded load(const Layout& layout, laws::Profile profile, bool bound) {
  CompileOptions options;
  options.profile = profile;
  if (profile == laws::Profile::command) options.grants = layout.grants;
  ReadOptions read;
  const std::map<std::string, std::string> places{
      {"HOME", "/Users/dev"}, {"PROJ", layout.project}, {"TMP", "/private/var/folders/ab/cd/T"}};
  if (bound) {
    options.check.bindings = places;
    options.check.exit = layout.exit;
  } else {
    for (const auto& [name, value] : places) {
      read.parameters.push_back({name, Parameter::Kind::bound, value});
    }
    read.parameters.push_back({"EXIT", Parameter::Kind::bound, layout.exit});
  }
  const Compilation compilation = compile_floor(options);
  EXPECT_TRUE(compilation.result) << compilation.log();
  if (!compilation.result) return {};
  EXPECT_TRUE(compilation.result->bugs.empty());
  auto reading = profiles::read_text(compilation.result->printed.text, read);
  EXPECT_TRUE(reading.rules) << reading.log() << compilation.result->printed.text;
  if (!reading.rules) return {};
  return {std::move(*reading.rules), compilation.result->printed.text};
}

std::string answer(const Decision& decision) {
  if (decision.verdict == Verdict::unknown) return "deny-or-import";
  if (decision.verdict == Verdict::deny) return "deny";
  return decision.unconfined == Truth::yes ? "allow-unconfined" : "allow";
}

/// Where only the imported system.sb could allow, whether it can depends on the reading of
/// precedence.
bool is(const std::string& answer, const std::string& expected) {
  return answer == expected || (expected == "deny-or-import" && answer == "deny");
}

TEST(FloorTable, EveryCaseUnderEveryModelBoundAndUnbound) {
  const auto table =
      profiles::read_table(std::string{ND7_SOURCE_DIR} + "/tests/spec/floor_cases.tsv");
  ASSERT_TRUE(table);
  std::map<std::string, Loaded> loaded;
  std::size_t cases = 0;
  for (const auto& row : table->rows) {
    if (row.empty() || row[0].empty() || row[0][0] == '#') continue;
    ASSERT_GE(row.size(), 6U) << row[0];
    ++cases;
    for (const laws::Profile profile : {laws::Profile::floor, laws::Profile::command}) {
      const std::string name = profile == laws::Profile::floor ? "floor" : "command";
      if (row[0] != "both" && row[0] != name) continue;
      for (const bool bound : {true, false}) {
        const auto layout = kLayouts.find(row[1]);
        ASSERT_NE(layout, kLayouts.end()) << row[1];
        const std::string key = name + row[1] + (bound ? "+" : "-");
        if (loaded.count(key) == 0) loaded[key] = load(layout->second, profile, bound);
        const auto question = profiles::parse_question(row[2], row[3]);
        ASSERT_TRUE(question) << row[2] << " " << row[3];
        for (const Model model : kModels) {
          EXPECT_TRUE(is(answer(decide(loaded[key].rules, question->request, model)), row[4]))
              << name << (bound ? ", bound" : ", with parameters") << ", " << row[1] << ": "
              << row[2] << " " << row[3] << " (" << row[5] << ")";
        }
      }
    }
  }
  EXPECT_GE(cases, 200U);
}

TEST(FloorTable, TheTwoProfilesDifferByExitAndGrantsOnly) {
  const Layout layout{"/Users/dev/project", "/usr/local/bin/nd7-exec", {"/Users/dev/data"}};
  const auto lines = [&](laws::Profile profile) {
    std::set<std::string> result;
    std::string line;
    for (const char c : load(layout, profile, true).text) {
      if (c != '\n') {
        line.push_back(c);
        continue;
      }
      if (!line.empty() && line[0] != ';') result.insert(line);
      line.clear();
    }
    return result;
  };
  std::set<std::string> floor = lines(laws::Profile::floor);
  std::set<std::string> command = lines(laws::Profile::command);
  EXPECT_EQ(floor.erase("(allow process-exec* (with no-sandbox) "
                        "(literal \"/usr/local/bin/nd7-exec\"))"),
            1U);
  EXPECT_EQ(command.erase("(allow file-write* file-link (subpath \"/Users/dev/data\"))"), 1U);
  EXPECT_EQ(floor, command);
}

}  // namespace
}  // namespace nd7::test
