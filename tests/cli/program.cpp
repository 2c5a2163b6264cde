#include "tests/cli/program.hpp"

#include <grp.h>
#include <unistd.h>

namespace nd7::test {

Ended Program::operator()(std::vector<std::string> words, Spawn spawn) const {
  spawn.words = std::move(words);
  spawn.words.insert(spawn.words.begin(), ND7C);
  if (spawn.folder.empty()) spawn.folder = folder.path();
  return run(spawn);
}

std::function<void()> as_ordinary_user() {
  return [] {
    constexpr uid_t kNobody = 65534;
    if (::geteuid() != 0) return;
    if (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) {
      ::_exit(125);
    }
  };
}

std::string codes_in(const std::string& text) {
  std::string result;
  for (std::size_t at = text.find("[ND"); at != std::string::npos; at = text.find("[ND", at + 1)) {
    result += (result.empty() ? "" : " ") + text.substr(at + 1, 6);
  }
  return result;
}

}  // namespace nd7::test
