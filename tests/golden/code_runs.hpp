// What the program, or the profile reader, says about one text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tests/golden/fixture.hpp"

namespace nd7::test {

/// One diagnostic.
struct Said {
  std::string code;
  std::string severity;
  std::string place;  ///< "3:1", "base.toml:3:1" in another file than the one asked about, or "-"
  std::string message;
};

struct Outcome {
  int code = -1;  ///< exit code; of the reader 0 or 1
  std::vector<Said> said;
  std::string log;
  bool output_untouched = false;

  [[nodiscard]] bool has(const std::string& code_name) const;
  /// The first error; for codes of warnings and notes the first of the code. nullptr if none.
  [[nodiscard]] const Said* first(const std::string& code_name) const;
};

/// The diagnostics in compact output.
[[nodiscard]] std::vector<Said> parse_compact(const std::string& text, const std::string& file);

/// `nd7c FILE ARGS -o OUT` in `folder`, where OUT held something else before. What is wanted to be
/// known is whether `code` comes: where a build has nothing to say about that, `nd7c check` is
/// asked as well.
[[nodiscard]] Outcome run_rules(const std::string& code, const std::string& folder,
                                const std::string& file, const std::vector<std::string>& args);

inline constexpr std::size_t kReaderBytes = 100'000;

/// The profile reader on a text, with the traps that it finds and with limits that tests can reach
/// (kReaderBytes of text). Of `args` it knows `-D NAME=VALUE`, `-D NAME` for a parameter that is
/// left open, and `--os RELEASE`.
[[nodiscard]] Outcome run_reader(const std::string& text, const std::vector<std::string>& args);

}  // namespace nd7::test
