#include "compiler/check/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <system_error>

#include "compiler/source/gate.hpp"

namespace nd7 {
namespace {

FileError last_error() { return {std::generic_category().message(errno)}; }

/// A descriptor that is closed on the way out.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

std::variant<FileText, FileError> DiskFiles::read(const std::string& path) const {
  if (path.find('\0') != std::string::npos) return FileError{"the name holds a NUL character"};
  // Not blocking: a FIFO must not hold the compiler before its kind is known.
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.get() < 0) return last_error();
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return last_error();
  if (S_ISDIR(status.st_mode)) return FileError{"it is a directory"};
  if (!S_ISREG(status.st_mode)) return FileError{"it is not a regular file"};
  FileText result;
  std::string buffer(std::size_t{1} << 16U, '\0');
  while (result.text.size() <= kMaxFileBytes) {
    const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return last_error();
    if (got == 0) break;
    result.text.append(buffer, 0, static_cast<std::size_t>(got));
  }
  const std::unique_ptr<char, decltype(&std::free)> physical{::realpath(path.c_str(), nullptr),
                                                             &std::free};
  if (!physical) return last_error();
  result.path = physical.get();
  return result;
}

std::variant<FileText, FileError> MemoryFiles::read(const std::string& path) const {
  const auto at = files_.find(path);
  if (at == files_.end()) return FileError{"no such file"};
  return FileText{path, at->second};
}

}  // namespace nd7
