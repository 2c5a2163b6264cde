// A directory of its own for the examples of one document, and commands run in it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace nd7::test {

/// What a command printed, standard error included, and its exit code.
struct Output {
  std::string text;
  int code = -1;
};

/// Removed with everything in it at the end. `rules` in it leads to the repository's.
class Sandbox {
 public:
  Sandbox();
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  void write(const std::string& name, std::string_view text) const;
  /// Runs `script` with sh: in the directory, with nd7c in PATH and no other environment.
  [[nodiscard]] Output run(std::string_view script) const;

 private:
  std::filesystem::path place_;
};

/// A file of the repository; empty if it cannot be read.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

}  // namespace nd7::test
