#include "runtime/session/installed.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <optional>

namespace nd7::runtime {
namespace {

std::optional<std::string> real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real{::realpath(path.c_str(), nullptr),
                                                         &std::free};
  if (!real) return std::nullopt;
  return std::string{real.get()};
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

constexpr mode_t kOthersWrite = 0022;

Outcome check_not_replaceable(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return failed("look at " + path);
  if (status.st_uid != 0 && status.st_uid != ::geteuid()) {
    return Failure{path + " belongs to another user, who could replace it", 0};
  }
  const bool sticky = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;
  if ((status.st_mode & kOthersWrite) != 0 && !sticky) {
    return Failure{path + " is writable by group or others; chmod go-w it", 0};
  }
  return std::nullopt;
}

bool is_roots_alone(const std::string& path) {
  for (std::string at = path;; at = folder_of(at)) {
    struct stat status {};
    if (::stat(at.c_str(), &status) != 0 || status.st_uid != 0 ||
        (status.st_mode & kOthersWrite) != 0) {
      return false;
    }
    if (at == "/") return true;
  }
}

bool is_runnable(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

Outcome locate_installed(Installed& installed) {
  const auto self = real_path("/proc/self/exe");
  if (!self) return failed("find this program");
  installed.nd7 = *self;
  installed.nd7_exec = folder_of(*self) + "/nd7-exec";
  return std::nullopt;
}

Outcome find_installed(Installed& installed) {
  if (auto failure = locate_installed(installed)) return failure;
  const std::string folder = folder_of(installed.nd7);
  struct stat status {};
  if (::lstat(installed.nd7_exec.c_str(), &status) != 0) {
    return failed("nd7-exec has to be installed beside nd7: " + installed.nd7_exec);
  }
  if (!S_ISREG(status.st_mode)) {
    return Failure{installed.nd7_exec + " is not a regular file", 0};
  }
  if (auto failure = check_not_replaceable(installed.nd7_exec)) return failure;
  return check_not_replaceable(folder);
}

std::string choose_shell(const char* wanted) {
  if (wanted != nullptr && wanted[0] == '/') {
    const auto real = real_path(wanted);
    const std::string name = std::string{wanted}.substr(std::string{wanted}.rfind('/') + 1);
    if (real && (name == "bash" || name == "zsh") && is_runnable(*real) && is_roots_alone(*real)) {
      return wanted;
    }
  }
  if (is_runnable("/bin/zsh")) return "/bin/zsh";
  return "/bin/sh";
}

}  // namespace nd7::runtime
