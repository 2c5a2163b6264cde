#include "tests/golden/fixture.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace nd7::test {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::istringstream in{text};
  return {std::istream_iterator<std::string>{in}, {}};
}

}  // namespace

std::string golden_path(const std::string& name) {
  return std::string{ND7_SOURCE_DIR} + "/tests/golden/" + name;
}

std::string read_text_file(const std::string& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

Fixture read_fixture(const std::string& folder, const std::string& file) {
  Fixture fixture;
  fixture.file = file;
  fixture.text = read_text_file(golden_path(folder + "/" + file));
  std::istringstream lines{fixture.text};
  for (std::string line; std::getline(lines, line);) {
    const auto value = [&](const std::string& key) {
      return line.substr(std::min(line.size(), key.size() + 4));
    };
    if (line.compare(1, 7, " args: ") == 0) {
      fixture.args = split(value("args"));
    } else if (line.compare(1, 9, " expect: ") == 0) {
      fixture.expect = value("expect");
    } else {
      break;
    }
  }
  return fixture;
}

std::vector<std::string> fixtures_in(const std::string& folder, const std::string& prefix,
                                     const std::string& ending) {
  std::vector<std::string> names;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator{golden_path(folder), missing}) {
    const std::string name = entry.path().filename();
    if (name.starts_with(prefix) && name.ends_with(ending)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace nd7::test
