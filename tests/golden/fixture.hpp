// Fixture files: rules files or profiles whose first lines say how they are used.
//
//   # args: --for command -D HOME=/Users/dev     options, split at spaces
//   # expect: 7:1                                the place of the first error; `-` for none,
//                                                `base.toml:3:1` in another file
//
// Profiles have `;` for `#`.
#pragma once

#include <string>
#include <vector>

namespace nd7::test {

struct Fixture {
  std::string file;  ///< last component
  std::string text;
  std::vector<std::string> args;
  std::string expect;
};

/// Reads tests/golden/`folder`/`file`.
[[nodiscard]] Fixture read_fixture(const std::string& folder, const std::string& file);

/// The files of tests/golden/`folder` that begin with `prefix` and end in `ending`, in order.
[[nodiscard]] std::vector<std::string> fixtures_in(const std::string& folder,
                                                   const std::string& prefix,
                                                   const std::string& ending);

/// Absolute path of tests/golden/`name`.
[[nodiscard]] std::string golden_path(const std::string& name);

[[nodiscard]] std::string read_text_file(const std::string& path);

}  // namespace nd7::test
