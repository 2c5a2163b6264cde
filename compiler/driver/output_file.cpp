#include "compiler/driver/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <system_error>
#include <utility>

#include "compiler/driver/console.hpp"

namespace nd7::driver {
namespace {

std::string reason() { return std::generic_category().message(errno); }

std::optional<std::string> real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&::free)> real{::realpath(path.c_str(), nullptr), &::free};
  if (!real) return std::nullopt;
  return std::string{real.get()};
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

mode_t new_file_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return static_cast<mode_t>(0666 & ~mask);
}

/// Removes the temporary file unless it was renamed.
class Temporary {
 public:
  explicit Temporary(const std::string& folder)
      : name_(folder + "/.nd7c-XXXXXX"), descriptor_(::mkostemp(name_.data(), O_CLOEXEC)) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    if (!renamed_) ::unlink(name_.c_str());
  }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] bool rename_to(const std::string& path) {
    renamed_ = ::rename(name_.c_str(), path.c_str()) == 0;
    return renamed_;
  }

 private:
  std::string name_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

std::optional<std::string> write_directly(const std::string& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return reason();
  const bool good = write_all(file, text);
  std::optional<std::string> problem;
  if (!good) problem = reason();
  if (::close(file) != 0 && !problem) problem = reason();
  return problem;
}

std::optional<std::string> replace(const std::string& path, std::string_view text, mode_t mode) {
  const std::string folder = folder_of(path);
  Temporary file{folder};
  if (file.descriptor() < 0) return reason();
  if (!write_all(file.descriptor(), text) || ::fchmod(file.descriptor(), mode) != 0 ||
      ::fsync(file.descriptor()) != 0 || !file.rename_to(path)) {
    return reason();
  }
  // The new name survives a crash once its folder is on the disk; the content is there already.
  const int directory = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0) {
    (void)::fsync(directory);
    ::close(directory);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> write_output(const std::string& path, std::string_view text) {
  if (path.empty()) return "the name is empty";
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) return reason();
    if (path.back() == '/') return "it names a directory";
    return replace(path, text, new_file_mode());
  }
  std::string target = path;
  if (S_ISLNK(status.st_mode)) {
    if (::stat(path.c_str(), &status) != 0) {
      return errno == ENOENT ? "it is a symbolic link that leads nowhere" : reason();
    }
    // A link such as /dev/stdout may lead to a pipe, which has no other name.
    if (S_ISREG(status.st_mode)) {
      const auto real = real_path(path);
      if (!real) return reason();
      target = *real;
    }
  }
  if (S_ISDIR(status.st_mode)) return "it is a directory";
  if (!S_ISREG(status.st_mode)) return write_directly(target, text);
  // A file that its owner made read-only is not replaced behind their back.
  if (::access(target.c_str(), W_OK) != 0) return reason();
  return replace(target, text, static_cast<mode_t>(status.st_mode & 07777U));
}

std::optional<std::string> same_file(const std::string& path,
                                     const std::vector<std::string>& inputs) {
  struct stat output {};
  if (::stat(path.c_str(), &output) != 0) return std::nullopt;
  if (!S_ISREG(output.st_mode)) return std::nullopt;
  for (const std::string& input : inputs) {
    struct stat status {};
    if (::stat(input.c_str(), &status) == 0 && status.st_dev == output.st_dev &&
        status.st_ino == output.st_ino) {
      return input;
    }
  }
  return std::nullopt;
}

}  // namespace nd7::driver
