// One construct of the language per file: its Linux plan, and what the compiler says about it.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "compiler/check/files.hpp"
#include "compiler/diagnostics/render.hpp"
#include "compiler/driver/options.hpp"
#include "compiler/pipeline/prove_linux.hpp"
#include "tests/golden/fixture.hpp"
#include "tests/support/golden.hpp"

namespace nd7::test {
namespace {

constexpr const char* kFolder = "linux";

class LinuxLowering : public testing::TestWithParam<std::string> {};

TEST_P(LinuxLowering, GivesTheGolden) {
  const Fixture fixture = read_fixture(kFolder, GetParam() + ".toml");
  driver::PolicyOptions policy;
  driver::OutputOptions output;
  CLI::App app;
  driver::add_policy_options(app, policy);
  app.add_option("--target", policy.target);
  ASSERT_EQ(driver::parse(app, fixture.args), std::nullopt);
  ASSERT_EQ(policy.target, "linux");
  const auto options = driver::resolve(policy, output);
  ASSERT_TRUE(options);

  SourceMap sources;
  Diagnostics diagnostics;
  const FileId root = sources.add(fixture.file, "/rules/" + fixture.file, fixture.text);
  auto compiled = compile_linux(sources, MemoryFiles{}, root, options->compile, diagnostics);
  if (compiled) {
    EXPECT_TRUE(compiled->bugs.empty()) << compiled->bugs.front();
    prove_linux(sources, MemoryFiles{}, *compiled, options->compile, Claims::invariants,
                diagnostics);
    EXPECT_TRUE(compiled->bugs.empty()) << compiled->bugs.front();
  }
  RenderOptions plain;
  plain.format = Format::plain;
  const std::string said = render(diagnostics, sources, plain);
  const std::string stem = std::string{kFolder} + "/" + GetParam();
  if (!said.empty() || std::filesystem::exists(golden_path(stem + ".err"))) {
    expect_golden(stem + ".err", said);
  }
  if (!compiled) {
    EXPECT_FALSE(std::filesystem::exists(golden_path(stem + ".json"))) << said;
    return;
  }
  expect_golden(stem + ".json", compiled->text);
}

std::vector<std::string> cases() {
  std::vector<std::string> names;
  for (const std::string& file : fixtures_in(kFolder, "", ".toml")) {
    names.push_back(file.substr(0, file.size() - 5));
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Files, LinuxLowering, testing::ValuesIn(cases()),
                         [](const auto& param) { return param.param; });

}  // namespace
}  // namespace nd7::test
