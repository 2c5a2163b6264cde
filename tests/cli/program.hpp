// nd7c in a folder of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/support/spawn.hpp"

namespace nd7::test {

inline const std::string kHead = "nd7 = 1\nname = \"a\"\nextends = \"floor\"\n\n";
inline const std::string kOlder = "an older profile\n";

/// A scratch folder with `a.toml`, a rules file that builds.
class Program {
 public:
  Program() { folder.put("a.toml", kHead + "[allow.notes]\nwrite = \"~/notes\"\n"); }

  /// nd7c with these words; the folder is the working directory.
  [[nodiscard]] Ended operator()(std::vector<std::string> words, Spawn spawn = {}) const;

  Scratch folder;
};

/// For Spawn::prepare: gives up root for a user who owns nothing, so that permissions count.
[[nodiscard]] std::function<void()> as_ordinary_user();

/// Codes in any output, in order: "ND2003 ND2016".
[[nodiscard]] std::string codes_in(const std::string& text);

}  // namespace nd7::test
