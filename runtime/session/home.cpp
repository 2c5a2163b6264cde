#include "runtime/session/home.hpp"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <vector>

namespace nd7::runtime {

Outcome home_directory(std::string& home) {
  std::vector<char> buffer(1U << 14U);
  passwd entry{};
  passwd* found = nullptr;
  for (;;) {
    const int error = ::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found);
    if (error == ERANGE && buffer.size() < (1U << 24U)) {
      buffer.resize(buffer.size() * 2);
      continue;
    }
    if (error != 0) return Failure{"look up this user in the password database", error};
    break;
  }
  if (found == nullptr || found->pw_dir == nullptr || found->pw_dir[0] != '/') {
    return Failure{"the password database has no home directory for this user", 0};
  }
  const std::unique_ptr<char, decltype(&std::free)> real{::realpath(found->pw_dir, nullptr),
                                                         &std::free};
  if (!real) return failed(std::string{"resolve the home directory "} + found->pw_dir);
  home = real.get();
  if (home == "/") return Failure{"the home directory of this user is /", 0};
  return std::nullopt;
}

}  // namespace nd7::runtime
