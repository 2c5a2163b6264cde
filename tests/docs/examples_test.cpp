// Every example of the documentation does what the text around it says.
//
//   ```toml                     a complete rules file that builds without a diagnostic
//   ```toml fragment            the same behind a head that extends the floor
//   ```toml says=ND2020,ND2016  it gets exactly these diagnostics, in this order
//   ```toml file=team.toml      the file stays for the examples further down
//   ```console                  `$ ` commands and exactly what they print, run in order
//   ```text from=tests/x.txt    a part of a file of the repository
//   ```LANGUAGE unchecked="…"   none of these, for the reason given
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "tests/docs/markdown.hpp"
#include "tests/docs/sandbox.hpp"

namespace nd7::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHead = "nd7     = 1\nname    = \"example\"\nextends = \"floor\"\n\n";
const std::set<std::string> kAttributes{"fragment", "says", "file", "from", "unchecked"};

/// The outputs in the documents are written anew. The case fails then, so that a run that updates
/// never passes for a test.
bool updating() { return std::getenv("ND7_UPDATE_GOLDEN") != nullptr; }

/// The codes of compact output, joined by commas.
std::string codes_in(const std::string& text) {
  std::string result;
  for (std::size_t at = text.find("[ND"); at != std::string::npos; at = text.find("[ND", at + 1)) {
    const std::size_t end = text.find(']', at);
    if (!result.empty()) result += ",";
    result += text.substr(at + 1, end - at - 1);
  }
  return result;
}

void check_rules_file(const Sandbox& sandbox, const Block& block) {
  const std::string name = block.get("file", "example.toml");
  sandbox.write(name, (block.has("fragment") ? std::string{kHead} : "") + block.text);
  const Output output = sandbox.run("nd7c build " + name + " -o out.sb --format compact");
  EXPECT_EQ(codes_in(output.text), block.get("says", "")) << output.text;
  const bool fails = output.text.find(": error[ND") != std::string::npos;
  EXPECT_EQ(output.code != 0, fails) << "exit code " << output.code;
}

/// New text for a block.
struct Replacement {
  std::size_t begin;
  std::string from;
  std::string to;
};

void check_console(const Sandbox& sandbox, const Block& block, std::vector<Replacement>& updates) {
  std::string now;
  for (const Command& command : commands_of(block)) {
    ASSERT_FALSE(command.text.empty()) << "output without a command";
    const std::string output = sandbox.run(command.text).text;
    now += command.shown + output;
    if (!updating()) {
      EXPECT_EQ(output, command.output) << "$ " << command.text;
    }
  }
  if (updating() && now != block.text) updates.push_back({block.begin, block.text, now});
}

void check_block(const Sandbox& sandbox, const Block& block, std::vector<Replacement>& updates) {
  for (const auto& [attribute, value] : block.attributes) {
    EXPECT_EQ(kAttributes.count(attribute), 1U) << "unknown attribute " << attribute;
  }
  if (block.has("unchecked")) {
    EXPECT_NE(block.get("unchecked", ""), "") << "a reason is missing";
  } else if (block.language == "toml") {
    check_rules_file(sandbox, block);
  } else if (block.language == "console") {
    check_console(sandbox, block, updates);
  } else if (block.language == "text" && block.has("from")) {
    const std::string whole = read_file(fs::path{ND7_SOURCE_DIR} / block.get("from", ""));
    EXPECT_NE(whole.find(block.text), std::string::npos) << "not in " << block.get("from", "");
  } else {
    ADD_FAILURE() << "a block in `" << block.language
                  << "` is not checked: make it toml or console, or say why with unchecked=\"…\"";
  }
}

/// Documents below `folder` of the repository, by path from its root.
std::vector<std::string> documents(const std::string& folder) {
  std::vector<std::string> result;
  for (const auto& entry : fs::directory_iterator{fs::path{ND7_SOURCE_DIR} / folder}) {
    if (entry.path().extension() != ".md") continue;
    result.push_back((fs::path{folder} / entry.path().filename()).string());
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<std::string> all_documents() {
  std::vector<std::string> result{"README.md", "CONTRIBUTING.md"};
  for (const char* folder : {"docs", "docs/decisions"}) {
    const auto more = documents(folder);
    result.insert(result.end(), more.begin(), more.end());
  }
  return result;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string result = fs::path{info.param}.replace_extension().string();
  std::replace_if(
      result.begin(), result.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return result;
}

class Document : public testing::TestWithParam<std::string> {};

TEST_P(Document, ExamplesDoWhatTheySay) {
  const fs::path path = fs::path{ND7_SOURCE_DIR} / GetParam();
  std::string text = read_file(path);
  ASSERT_NE(text, "");
  const Sandbox sandbox;
  std::vector<Replacement> updates;
  for (const Block& block : blocks_of(text)) {
    SCOPED_TRACE(GetParam() + ":" + std::to_string(block.line));
    check_block(sandbox, block, updates);
  }
  if (updates.empty()) return;
  for (auto update = updates.rbegin(); update != updates.rend(); ++update) {
    text.replace(update->begin, update->from.size(), update->to);
  }
  std::ofstream{path, std::ios::binary} << text;
  ADD_FAILURE() << "wrote " << GetParam() << "; look at the change and run again";
}

/// `[text](place)` and `[text](place#part)` lead to files that exist.
TEST_P(Document, LinksLeadSomewhere) {
  const fs::path path = fs::path{ND7_SOURCE_DIR} / GetParam();
  const std::string text = read_file(path);
  for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
    std::string target = text.substr(at + 2, text.find(')', at) - at - 2);
    target.erase(std::min(target.find('#'), target.size()));
    if (target.empty() || target.find("://") != std::string::npos) continue;
    EXPECT_TRUE(fs::exists(path.parent_path() / target)) << target;
  }
}

INSTANTIATE_TEST_SUITE_P(Docs, Document, testing::ValuesIn(all_documents()), test_name);

class CodePage : public testing::TestWithParam<std::string> {};

/// Of a page of docs/codes, `Avoid` has the code and `Prefer` has no error.
TEST_P(CodePage, AvoidHasTheCodeAndPreferHasNot) {
  const std::string code = fs::path{GetParam()}.stem().string();
  const Sandbox sandbox;
  for (const Block& block : blocks_of(read_file(fs::path{ND7_SOURCE_DIR} / GetParam()))) {
    if (block.language != "toml" || code.rfind("ND6", 0) == 0) continue;
    SCOPED_TRACE(GetParam() + ":" + std::to_string(block.line));
    sandbox.write("example.toml", block.text);
    const bool avoid = block.section == "Avoid";
    const auto run = [&](const std::string& command) {
      const std::string target = block.has("target") ? " --target " + block.get("target", "") : "";
      return sandbox.run(command + target + " example.toml --format compact");
    };
    Output output = run(avoid ? "nd7c build -o out.sb" : "nd7c check");
    if (avoid) {
      // What a build lets pass, a check may still name.
      if (codes_in(output.text).find(code) == std::string::npos) output = run("nd7c check");
      EXPECT_NE(codes_in(output.text).find(code), std::string::npos) << output.text;
    } else {
      EXPECT_EQ(output.code, 0) << output.text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Docs, CodePage, testing::ValuesIn(documents("docs/codes")), test_name);

}  // namespace
}  // namespace nd7::test
