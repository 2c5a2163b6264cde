#include "tests/docs/sandbox.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace nd7::test {

namespace fs = std::filesystem;

Sandbox::Sandbox() {
  std::string name = (fs::temp_directory_path() / "nd7-docs-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
  place_ = name;
  fs::create_directory(place_ / "work");
  fs::create_directory_symlink(fs::path{ND7_SOURCE_DIR} / "rules", place_ / "work" / "rules");
}

Sandbox::~Sandbox() {
  std::error_code ignored;
  fs::remove_all(place_, ignored);
}

void Sandbox::write(const std::string& name, std::string_view text) const {
  const fs::path path = place_ / "work" / name;
  fs::create_directories(path.parent_path());
  std::ofstream{path, std::ios::binary} << text;
}

Output Sandbox::run(std::string_view script) const {
  std::ofstream{place_ / "script", std::ios::binary} << script;
  const fs::path tools = fs::path{ND7C}.parent_path();
  const std::string command = "cd '" + (place_ / "work").string() + "' && env -i LC_ALL=C PATH='" +
                              tools.string() + "':/usr/bin:/bin sh '" +
                              (place_ / "script").string() + "' 2>&1 </dev/null";
  Output result;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("sh cannot be started");
  std::array<char, 4096> buffer{};
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    result.text.append(buffer.data(), got);
  }
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
  return result;
}

std::string read_file(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

}  // namespace nd7::test
