// Runs a program and collects what it says, for tests of whole programs.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace nd7::test {

struct Spawn {
  std::vector<std::string> words;        ///< program and arguments
  std::string folder;                    ///< working directory; empty: this process's
  std::vector<std::string> environment;  ///< "NAME=value", all of it
  std::string input;                     ///< standard input
  /// Runs in the child between fork and exec: closing descriptors, changing users.
  std::function<void()> prepare;
};

struct Ended {
  int code = -1;    ///< exit code; 128 + N after signal N; -1 when it did not end in time
  std::string out;  ///< standard output
  std::string err;  ///< standard error
};

/// Throws std::system_error when nothing can be started. A program that runs for four minutes is
/// killed.
[[nodiscard]] Ended run(const Spawn& spawn);

/// A folder of its own, removed with what is in it.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  /// The path of `name` in it.
  [[nodiscard]] std::string at(const std::string& name) const { return path_ + "/" + name; }
  void put(const std::string& name, const std::string& text) const;
  [[nodiscard]] std::string text(const std::string& name) const;
  /// The names in it, in order.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  std::string path_;
};

}  // namespace nd7::test
