// One construct of the language per file: its profile, and what the compiler says about it.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "compiler/check/files.hpp"
#include "compiler/diagnostics/render.hpp"
#include "compiler/driver/options.hpp"
#include "compiler/ir/json.hpp"
#include "compiler/pipeline/compile.hpp"
#include "tests/golden/fixture.hpp"
#include "tests/support/golden.hpp"

namespace nd7::test {
namespace {

constexpr const char* kFolder = "lower";

/// The fixtures as the files below /rules, so that no golden holds a path of this machine.
MemoryFiles fixture_files() {
  MemoryFiles files;
  const std::filesystem::path root = golden_path(kFolder);
  for (const auto& entry : std::filesystem::recursive_directory_iterator{root}) {
    if (entry.path().extension() != ".toml") continue;
    files.put("/rules/" + entry.path().lexically_relative(root).string(),
              read_text_file(entry.path()));
  }
  return files;
}

class Lowering : public testing::TestWithParam<std::string> {};

TEST_P(Lowering, GivesTheGolden) {
  const Fixture fixture = read_fixture(kFolder, GetParam() + ".toml");
  driver::PolicyOptions policy;
  driver::OutputOptions output;
  CLI::App app;
  driver::add_policy_options(app, policy);
  app.add_option("--target", policy.target);
  ASSERT_EQ(driver::parse(app, fixture.args), std::nullopt);
  auto options = driver::resolve(policy, output);
  ASSERT_TRUE(options);
  options->compile.version = "0";

  SourceMap sources;
  Diagnostics diagnostics;
  const FileId root = sources.add(fixture.file, "/rules/" + fixture.file, fixture.text);
  const auto compiled = compile(sources, fixture_files(), root, options->compile, diagnostics);
  RenderOptions plain;
  plain.format = Format::plain;
  const std::string said = render(diagnostics, sources, plain);
  const std::string stem = std::string{kFolder} + "/" + GetParam();
  const bool has_err = std::filesystem::exists(golden_path(stem + ".err"));
  if (!said.empty() || has_err) expect_golden(stem + ".err", said);
  if (!compiled) {
    EXPECT_FALSE(std::filesystem::exists(golden_path(stem + ".sb"))) << said;
    return;
  }
  EXPECT_TRUE(compiled->bugs.empty()) << compiled->bugs.front();
  if (policy.target == "ir") {
    expect_golden(stem + ".json", ir::to_json(compiled->policy, sources));
  } else {
    expect_golden(stem + ".sb", compiled->printed.text);
  }
}

std::vector<std::string> cases() {
  std::vector<std::string> names;
  for (const std::string& file : fixtures_in(kFolder, "", ".toml")) {
    names.push_back(file.substr(0, file.size() - 5));
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Files, Lowering, testing::ValuesIn(cases()),
                         [](const auto& param) { return param.param; });

}  // namespace
}  // namespace nd7::test
