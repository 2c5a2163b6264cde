#include "runtime/platform/linux/mounts.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

namespace nd7::runtime::mounts {
namespace {

// Of linux/mount.h, which cannot be included beside sys/mount.h everywhere.
constexpr unsigned kCloneTree = 1;       // OPEN_TREE_CLONE
constexpr unsigned kRecursive = 0x8000;  // AT_RECURSIVE
constexpr unsigned kFromEmptyPath = 4;   // MOVE_MOUNT_F_EMPTY_PATH
constexpr unsigned kToEmptyPath = 0x40;  // MOVE_MOUNT_T_EMPTY_PATH
constexpr std::uint64_t kReadOnly = 1;   // MOUNT_ATTR_RDONLY
constexpr std::uint64_t kNoSetuid = 2;   // MOUNT_ATTR_NOSUID
constexpr std::uint64_t kNoDevices = 4;  // MOUNT_ATTR_NODEV
constexpr std::uint64_t kNoExec = 8;     // MOUNT_ATTR_NOEXEC

struct Attributes {
  std::uint64_t set = 0;
  std::uint64_t clear = 0;
  std::uint64_t propagation = 0;
  std::uint64_t user_namespace = 0;
};

int set_attributes(int at, const char* path, unsigned flags, Attributes attributes) {
  return static_cast<int>(
      ::syscall(SYS_mount_setattr, at, path, flags, &attributes, sizeof attributes));
}

/// Never through a symbolic link: below a place that the session may write, one could lead
/// anywhere.
Descriptor open_place(const std::string& path) {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  return Descriptor{
      static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how))};
}

Descriptor clone_tree(int at) {
  return Descriptor{static_cast<int>(
      ::syscall(SYS_open_tree, at, "", kCloneTree | kRecursive | AT_EMPTY_PATH | O_CLOEXEC))};
}

bool is_directory(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode);
}

std::optional<std::string> real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real{::realpath(path.c_str(), nullptr),
                                                         &std::free};
  if (!real) return std::nullopt;
  return std::string{real.get()};
}

/// A place on its way: what will be seen there.
struct Prepared {
  const Place* place = nullptr;
  std::string path;  ///< the place's, or where a symbolic link leads
  Descriptor tree;   ///< a clone of the host's, or the session's own
  bool directory = true;
  bool covered = false;  ///< something above hides the host's files: a mount point must be made
  bool inner = false;    ///< something below is to be mounted in it
};

class Applier {
 public:
  Applier(const Layout& layout, const Options& options) : layout_(layout), options_(options) {}

  Applied run() {
    applied_.failure = mount_all();
    return std::move(applied_);
  }

 private:
  Outcome mount_all() {
    if (layout_.empty() || layout_.front().path != "/" ||
        layout_.front().access == Access::closed) {
      return Failure{"these rules do not open / for reading", 0};
    }
    if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
      return failed("make all mounts private");
    }
    if (options_.fresh_proc &&
        ::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0) {
      return failed("mount /proc");
    }
    if (auto failure = own_terminals()) return failure;
    for (const Place& place : layout_) {
      if (place.path == "/") continue;
      if (auto failure = prepare(place)) return failure;
    }
    // A link may have led somewhere else in the order.
    std::stable_sort(prepared_.begin(), prepared_.end(),
                     [](const Prepared& a, const Prepared& b) { return a.path < b.path; });
    for (std::size_t i = 0; i < prepared_.size(); ++i) {
      for (std::size_t j = i + 1; j < prepared_.size(); ++j) {
        if (is_at_or_below(prepared_[j].path, prepared_[i].path)) prepared_[i].inner = true;
      }
      if (auto failure = attach(prepared_[i])) return failure;
    }
    return set_all_attributes();
  }

  /// Other terminals of the same user could be read and typed at: the session has those that it
  /// makes itself, and the one that it was started at by its descriptors and as /dev/tty.
  static Outcome own_terminals() {
    if (::mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC,
                "newinstance,ptmxmode=0666,mode=0620") != 0) {
      // A machine without them has none to hide.
      if (errno == ENOENT) return std::nullopt;
      return failed("mount /dev/pts");
    }
    if (::mount("/dev/pts/ptmx", "/dev/ptmx", nullptr, MS_BIND, nullptr) != 0) {
      return failed("mount /dev/ptmx");
    }
    return std::nullopt;
  }

  Outcome prepare(const Place& place) {
    Prepared prepared;
    prepared.place = &place;
    prepared.path = place.path;
    prepared.covered = is_covered(place.path);
    if (place.own) return prepare_own(std::move(prepared));
    // What is closed below something closed, or where the session has its own, does not exist.
    if (place.access == Access::closed && prepared.covered) return std::nullopt;
    Descriptor at = open_place(place.path);
    if (!at && errno == ELOOP && place.access == Access::closed) {
      const auto real = real_path(place.path);
      if (real) {
        prepared.path = *real;
        at = open_place(*real);
      }
    }
    if (!at) {
      const int error = errno;
      if (error != ENOENT && error != ENOTDIR && error != ELOOP && error != EACCES) {
        return failed("open " + place.path);
      }
      (place.access == Access::closed ? applied_.missing : applied_.absent).push_back(place.path);
      return std::nullopt;
    }
    prepared.directory = is_directory(at.get());
    if (place.file_only && prepared.directory) {
      applied_.absent.push_back(place.path);
      return std::nullopt;
    }
    if (place.access != Access::closed) {
      prepared.tree = clone_tree(at.get());
      if (!prepared.tree) return failed("take the tree at " + place.path);
    }
    prepared_.push_back(std::move(prepared));
    return std::nullopt;
  }

  Outcome prepare_own(Prepared prepared) {
    const auto own = std::find_if(options_.own.begin(), options_.own.end(),
                                  [&](const Own& one) { return one.path == prepared.path; });
    if (own == options_.own.end()) return Failure{"nothing stands for " + prepared.path, 0};
    if (!prepared.covered && !open_place(prepared.path)) {
      // A machine without, say, /dev/shm needs no private one.
      applied_.missing.push_back(prepared.path);
      return std::nullopt;
    }
    if (own->source) {
      prepared.tree = clone_tree(own->source.get());
      if (!prepared.tree) return failed("take the session's own " + prepared.path);
    }
    prepared_.push_back(std::move(prepared));
    return std::nullopt;
  }

  /// Whether something hides the host's files at `path`.
  [[nodiscard]] bool is_covered(const std::string& path) const {
    return std::any_of(prepared_.begin(), prepared_.end(), [&](const Prepared& above) {
      const Access access = above.place->access;
      return (access == Access::closed || access == Access::own) && path != above.path &&
             is_at_or_below(path, above.path);
    });
  }

  Outcome attach(Prepared& prepared) {
    if (prepared.covered) {
      if (auto failure = make_mount_point(prepared)) return failure;
    }
    if (!prepared.tree) return cover(prepared);
    const Descriptor target = open_place(prepared.path);
    if (!target || ::syscall(SYS_move_mount, prepared.tree.get(), "", target.get(), "",
                             kFromEmptyPath | kToEmptyPath) != 0) {
      return failed("mount " + prepared.path);
    }
    return std::nullopt;
  }

  /// Something empty over what is closed, or for the session's own.
  static Outcome cover(const Prepared& prepared) {
    const char* const path = prepared.path.c_str();
    if (!prepared.directory) {
      // A device on a mount without devices: it can be neither read nor written.
      if (::mount("/dev/null", path, nullptr, MS_BIND, nullptr) != 0) {
        return failed("close " + prepared.path);
      }
      return std::nullopt;
    }
    const bool own = prepared.place->access == Access::own;
    const char* const options = own              ? "mode=0700"
                                : prepared.inner ? "mode=0111,size=1m,nr_inodes=4096"
                                                 : "mode=0000,size=4k,nr_inodes=1";
    unsigned long flags = MS_NOSUID | MS_NODEV;
    if (!own) flags |= MS_NOEXEC;
    if (::mount("nd7", path, "tmpfs", flags, options) != 0) {
      return failed("close " + prepared.path);
    }
    return std::nullopt;
  }

  /// Directories, and a file or directory at the end, one component after the other: the session
  /// may write in its own places and could have put links there.
  static Outcome make_mount_point(const Prepared& prepared) {
    const std::string& path = prepared.path;
    Descriptor at = open_place("/");
    for (std::size_t begin = 1; begin < path.size();) {
      const std::size_t end = std::min(path.find('/', begin), path.size());
      const std::string name = path.substr(begin, end - begin);
      const bool last = end == path.size();
      begin = end + 1;
      if (last && !prepared.directory) {
        const Descriptor made{
            ::openat(at.get(), name.c_str(), O_CREAT | O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0600)};
        if (!made) return failed("make a mount point at " + path);
        return std::nullopt;
      }
      if (::mkdirat(at.get(), name.c_str(), 0711) != 0 && errno != EEXIST && errno != EROFS) {
        return failed("make a mount point at " + path);
      }
      at = Descriptor{
          ::openat(at.get(), name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
      if (!at) return failed("make a mount point at " + path);
    }
    return std::nullopt;
  }

  Outcome set_all_attributes() {
    if (set_attributes(AT_FDCWD, "/", kRecursive, {kReadOnly | kNoSetuid}) != 0) {
      return failed("make everything read-only");
    }
    // Processes change settings of their own there; Landlock decides on the rest.
    if (set_attributes(AT_FDCWD, "/proc", 0, {0, kReadOnly}) != 0) {
      return failed("keep /proc writable");
    }
    for (const Prepared& prepared : prepared_) {
      if (auto failure = set_attributes_of(prepared)) return failure;
    }
    return std::nullopt;
  }

  static Outcome set_attributes_of(const Prepared& prepared) {
    const Descriptor at = open_place(prepared.path);
    if (!at) return failed("open " + prepared.path + " again");
    const Place& place = *prepared.place;
    Attributes attributes;
    const bool writable = place.access == Access::write || place.access == Access::own;
    (writable ? attributes.clear : attributes.set) |= kReadOnly;
    if (place.access == Access::closed) attributes.set |= kNoDevices;
    if (!place.exec) attributes.set |= kNoExec;
    unsigned flags = AT_EMPTY_PATH | kRecursive;
    if (place.access == Access::closed) flags = AT_EMPTY_PATH;
    if (set_attributes(at.get(), "", flags, attributes) == 0) return std::nullopt;
    // A mount below that the host has read-only stays so; the place itself does not.
    if (errno == EPERM && writable &&
        set_attributes(at.get(), "", AT_EMPTY_PATH, attributes) == 0) {
      return std::nullopt;
    }
    return failed("set what may be done at " + prepared.path);
  }

  const Layout& layout_;
  const Options& options_;
  std::vector<Prepared> prepared_;
  Applied applied_;
};

}  // namespace

Applied apply(const Layout& layout, const Options& options) {
  return Applier{layout, options}.run();
}

}  // namespace nd7::runtime::mounts
