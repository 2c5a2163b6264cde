// Golden files: expected text under tests/golden, rewritten when ND7_UPDATE_GOLDEN is set.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace nd7::test {

/// Compares with tests/golden/`name`, byte for byte. With ND7_UPDATE_GOLDEN=1 in the environment
/// the file is written instead and the case fails, so that a run that updates never passes for a
/// test.
inline void expect_golden(const std::string& name, const std::string& actual) {
  const std::filesystem::path path =
      std::filesystem::path{ND7_SOURCE_DIR} / "tests" / "golden" / name;
  std::string expected;
  {
    std::ifstream in{path, std::ios::binary};
    expected.assign(std::istreambuf_iterator<char>{in}, {});
  }
  if (expected == actual && std::filesystem::exists(path)) return;
  if (std::getenv("ND7_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream{path, std::ios::binary} << actual;
    ADD_FAILURE() << "wrote " << name << "; look at the change and run again";
    return;
  }
  EXPECT_EQ(actual, expected) << "differs from tests/golden/" << name;
}

}  // namespace nd7::test
