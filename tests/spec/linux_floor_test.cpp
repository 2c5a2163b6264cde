// The floor and the command profile on Linux against the table of linux_floor_cases.tsv: the plan
// read back from its text, with its places as text and as parameters that get their values later,
// decided by plain code and by the engine's form of the model.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "compiler/linux/model_text.hpp"
#include "compiler/linux/read.hpp"
#include "compiler/linux/requests.hpp"
#include "compiler/linux/values.hpp"
#include "compiler/pipeline/compile_linux.hpp"
#include "compiler/shipped/shipped.hpp"
#include "tests/unit/seatbelt_read/support.hpp"

namespace nd7::test {
namespace {

namespace profiles = seatbelt::read::test;
using linux_plan::Plan;

struct Layout {
  std::string project = "/home/dev/project";
  std::string exit = "/usr/local/bin/nd7-exec";
  std::vector<std::string> grants;
};

const std::map<std::string, Layout> kLayouts{
    {"plain", {}},
    {"home-is-project", {"/home/dev", "/usr/local/bin/nd7-exec", {}}},
    {"home-granted", {"/home/dev/project", "/usr/local/bin/nd7-exec", {"/home/dev"}}},
    {"data-granted", {"/home/dev/project", "/usr/local/bin/nd7-exec", {"/home/dev/data"}}},
    {"exit-in-home", {"/home/dev", "/home/dev/bin/nd7-exec", {}}},
};

Plan load(const Layout& layout, laws::Profile profile, bool bound) {
  CompileOptions options;
  options.profile = profile;
  if (profile == laws::Profile::command) options.grants = layout.grants;
  std::map<std::string, std::string> places{
      {"HOME", "/home/dev"}, {"PROJ", layout.project}, {"TMP", "/tmp"}};
  if (bound) {
    options.check.bindings = places;
    options.check.exit = layout.exit;
  }
  SourceMap sources;
  Diagnostics diagnostics;
  const FileId root = sources.add("floor.toml", "", std::string{*shipped_set("floor")});
  const auto compiled = compile_linux(sources, MemoryFiles{}, root, options, diagnostics);
  EXPECT_TRUE(compiled);
  if (!compiled) return {};
  EXPECT_TRUE(compiled->bugs.empty());
  EXPECT_EQ(compiled->plan.params.empty(), bound);
  places["EXIT"] = layout.exit;
  return linux_plan::with_values(compiled->plan, places);
}

std::string answer(const linux_plan::Decision& decision) {
  if (decision.own) return "own";
  return decision.allowed ? "allow" : "deny";
}

TEST(LinuxFloorTable, EveryCaseBoundAndUnbound) {
  const auto table =
      profiles::read_table(std::string{ND7_SOURCE_DIR} + "/tests/spec/linux_floor_cases.tsv");
  ASSERT_TRUE(table);
  std::map<std::string, Plan> plans;
  std::map<std::string, answer::Side> sides;
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
        if (plans.count(key) == 0) {
          plans[key] = load(layout->second, profile, bound);
          std::string bug;
          auto side = linux_plan::model_side(plans[key], bug);
          ASSERT_TRUE(side) << bug;
          sides.emplace(key, std::move(*side));
        }
        const auto question = profiles::parse_question(row[2], row[3]);
        ASSERT_TRUE(question) << row[2] << " " << row[3];
        const auto decision = linux_plan::decide(plans[key], question->request);
        ASSERT_TRUE(decision) << row[2] << " " << row[3];
        EXPECT_EQ(answer(*decision), row[4])
            << key << ": " << row[2] << " " << row[3] << " (" << row[5] << ")";
        const bool allowed = sides.at(key).level(question->request) != answer::Level::deny;
        EXPECT_EQ(allowed, row[4] == "allow") << key << ": " << row[2] << " " << row[3];
      }
    }
  }
  EXPECT_GE(cases, 190U);
}

TEST(LinuxFloorTable, TheTwoProfilesDifferByGrantsOnly) {
  const Layout layout{"/home/dev/project", "/usr/local/bin/nd7-exec", {"/home/dev/data"}};
  const Plan floor = load(layout, laws::Profile::floor, true);
  Plan command = load(layout, laws::Profile::command, true);
  EXPECT_EQ(
      std::erase(command.write, linux_plan::Tree{"/home/dev/data", false, "grant /home/dev/data"}),
      1U);
  command.profile = laws::Profile::floor;
  EXPECT_EQ(command, floor);
}

}  // namespace
}  // namespace nd7::test
