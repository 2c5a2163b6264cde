#include <gtest/gtest.h>

#include <string>

#include "compiler/diagnostics/render.hpp"
#include "tests/support/json.hpp"
#include "tests/unit/diagnostics/scenarios.hpp"

namespace nd7 {
namespace {

test::Json parsed(const Diagnostics& diagnostics, const SourceMap& sources,
                  std::size_t limit = 50) {
  RenderOptions options;
  options.format = Format::json;
  options.limit = limit;
  const std::string text = render(diagnostics, sources, options);
  const auto value = test::JsonReader::parse(text);
  EXPECT_TRUE(value) << text;
  return value.value_or(test::Json{});
}

TEST(RenderJson, EveryScenarioIsValid) {
  for (const test::NamedScenario& scenario : test::scenarios()) {
    test::Scenario s;
    scenario.build(s);
    const test::Json json = parsed(s.diagnostics, s.sources);
    EXPECT_EQ(json.at("version").integer(), 1) << scenario.name;
    EXPECT_EQ(json.at("diagnostics").items.size(), s.diagnostics.sorted().size());
  }
}

TEST(RenderJson, NothingToSayIsStillAnObject) {
  const test::Json json = parsed({}, {});
  EXPECT_EQ(json.at("errors").integer(), 0);
  EXPECT_EQ(json.at("warnings").integer(), 0);
  EXPECT_EQ(json.at("truncated").integer(), 0);
  EXPECT_EQ(json.at("diagnostics").kind, test::Json::Kind::array);
}

TEST(RenderJson, FieldsOfADiagnostic) {
  SourceMap sources;
  const FileId f = sources.add("a\x1b.toml", "/a.toml", "x = 1\né = 2\n");
  Diagnostics diagnostics;
  Diagnostic& d = diagnostics.add(Code::ND2003, Span{f, 6, 8}, "unknown key `é`");
  d.primary_label = "here";
  d.labels.push_back({Span{f, 0, 1}, "like \"this\""});
  d.labels.push_back({Span{FileId{9}, 0, 1}, "of no file"});
  d.notes = {"one\ntwo"};
  d.helps = {"three"};
  d.fixits.push_back({Span{f, 6, 8}, "e", "write `e`"});
  diagnostics.add(Code::ND2038, std::nullopt, "no base");

  const test::Json json = parsed(diagnostics, sources);
  EXPECT_EQ(json.at("errors").integer(), 1);
  EXPECT_EQ(json.at("warnings").integer(), 1);
  EXPECT_TRUE(json.at("diagnostics").at(0).at("primary").is_null());
  EXPECT_EQ(json.at("diagnostics").at(0).at("severity").text, "warning");

  const test::Json& one = json.at("diagnostics").at(1);
  EXPECT_EQ(one.at("code").text, "ND2003");
  EXPECT_EQ(one.at("severity").text, "error");
  EXPECT_EQ(one.at("message").text, "unknown key `é`");
  EXPECT_EQ(one.at("title").text, "an unknown key");
  const test::Json& primary = one.at("primary");
  EXPECT_EQ(primary.at("file").text, "a\x1b.toml");
  EXPECT_EQ(primary.at("begin").integer(), 6);
  EXPECT_EQ(primary.at("end").integer(), 8);
  EXPECT_EQ(primary.at("line").integer(), 2);
  EXPECT_EQ(primary.at("column").integer(), 1);
  EXPECT_EQ(primary.at("end_line").integer(), 2);
  EXPECT_EQ(primary.at("end_column").integer(), 2);
  EXPECT_EQ(primary.at("label").text, "here");
  ASSERT_EQ(one.at("labels").items.size(), 1U);
  EXPECT_EQ(one.at("labels").at(0).at("label").text, "like \"this\"");
  EXPECT_EQ(one.at("notes").at(0).text, "one\ntwo");
  EXPECT_EQ(one.at("helps").at(0).text, "three");
  EXPECT_EQ(one.at("fixits").at(0).at("replacement").text, "e");
  EXPECT_EQ(one.at("fixits").at(0).at("title").text, "write `e`");
  EXPECT_EQ(one.at("fixits").at(0).at("end").integer(), 8);
}

TEST(RenderJson, CountsWhatTheLimitLeavesOut) {
  SourceMap sources;
  const FileId f = sources.add("a", "", "abcdef");
  Diagnostics diagnostics;
  for (std::uint32_t i = 0; i < 5; ++i) diagnostics.add(Code::ND1002, Span{f, i, i + 1}, "x");
  const test::Json json = parsed(diagnostics, sources, 2);
  EXPECT_EQ(json.at("errors").integer(), 5);
  EXPECT_EQ(json.at("truncated").integer(), 3);
  EXPECT_EQ(json.at("diagnostics").items.size(), 2U);
}

}  // namespace
}  // namespace nd7
