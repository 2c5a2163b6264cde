// Every format over every hard text. Set ND7_UPDATE_GOLDEN=1 to rewrite the files.
#include <gtest/gtest.h>

#include <string>

#include "compiler/diagnostics/render.hpp"
#include "tests/support/golden.hpp"
#include "tests/unit/diagnostics/scenarios.hpp"

namespace nd7 {
namespace {

void check(Format format, const std::string& ending) {
  for (const test::NamedScenario& scenario : test::scenarios()) {
    test::Scenario s;
    scenario.build(s);
    RenderOptions options;
    options.format = format;
    test::expect_golden("diagnostics/" + scenario.name + ending,
                        render(s.diagnostics, s.sources, options));
  }
}

TEST(RenderGolden, Human) { check(Format::human, ".human.txt"); }
TEST(RenderGolden, Plain) { check(Format::plain, ".plain.txt"); }
TEST(RenderGolden, Compact) { check(Format::compact, ".compact.txt"); }
TEST(RenderGolden, Json) { check(Format::json, ".json"); }

}  // namespace
}  // namespace nd7
