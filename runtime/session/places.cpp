#include "runtime/session/places.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "runtime/broker/protocol.hpp"
#include "runtime/os/descriptor.hpp"
#include "runtime/platform/linux/layout.hpp"

namespace nd7::runtime {
namespace {

Outcome make_temporary(const std::string& parent, Record& record, std::string& made) {
  made = parent + "/nd7-XXXXXX";
  if (::mkdtemp(made.data()) == nullptr) return failed("make a directory in " + parent);
  record.own.push_back(made);
  return std::nullopt;
}

Outcome make(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) != 0) return failed("make " + path);
  return std::nullopt;
}

bool exists(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

/// `path` and what is missing above it; each is noted.
Outcome make_all(const std::string& path, std::vector<std::string>* made) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (!exists(part)) {
      if (auto failure = make(part)) return failure;
      if (made != nullptr) made->push_back(part);
    }
    if (end == std::string::npos) return std::nullopt;
  }
}

Outcome make_file(const std::string& path, std::vector<std::string>& made) {
  const std::size_t slash = path.rfind('/');
  if (slash != 0) {
    if (auto failure = make_all(path.substr(0, slash), &made)) return failure;
  }
  const Descriptor file{
      ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600)};
  if (!file) return failed("make " + path);
  made.push_back(path);
  return std::nullopt;
}

/// Something empty where nothing is yet.
Outcome hold_place(const linux_plan::Tree& tree, std::vector<std::string>& made) {
  if (exists(tree.path)) return std::nullopt;
  auto failure = tree.file ? make_file(tree.path, made) : make_all(tree.path, &made);
  // What this user cannot make, a program of this user cannot make later.
  if (failure && (failure->error == EACCES || failure->error == EROFS || failure->error == EPERM ||
                  failure->error == ENOTDIR)) {
    return std::nullopt;
  }
  return failure;
}

}  // namespace

Outcome make_own_places(Record& record, OwnPlaces& places) {
  std::string base;
  if (auto failure = make_temporary("/tmp", record, base)) return failure;
  for (const char* part : {"/tmp", "/broker", "/run"}) {
    if (auto failure = make(base + part)) return failure;
  }
  if (exists("/dev/shm")) {
    std::string shared;
    if (auto failure = make_temporary("/dev/shm", record, shared)) return failure;
    places.directories.push_back({"/dev/shm", shared, false});
  }
  const std::string run = "/run/user/" + std::to_string(::getuid());
  if (exists(run)) places.directories.push_back({run, base + "/run", false});
  places.directories.push_back({"/tmp", base + "/tmp", false});
  const std::string socket = broker::kSocket;
  places.directories.push_back({socket.substr(0, socket.rfind('/')), base + "/broker", true});
  places.broker = base + "/broker";
  return std::nullopt;
}

Outcome make_places(const linux_plan::Plan& plan, Record& record) {
  for (const std::string& path : plan.directories) {
    if (auto failure = make_all(path, nullptr)) return failure;
  }
  for (const linux_plan::Carve& carve : plan.closed) {
    if (auto failure = hold_place(carve.tree, record.made)) return failure;
  }
  for (const linux_plan::Carve& carve : plan.readonly) {
    const bool writable = std::any_of(
        plan.write.begin(), plan.write.end(),
        [&](const linux_plan::Tree& tree) { return is_at_or_below(carve.tree.path, tree.path); });
    if (!writable) continue;
    if (auto failure = hold_place(carve.tree, record.made)) return failure;
  }
  return std::nullopt;
}

}  // namespace nd7::runtime
