#include "runtime/session/store.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "compiler/digest/sha256.hpp"

namespace nd7::runtime {
namespace {

constexpr const char* kRecord = "record.json";
constexpr const char* kPolicy = "policy.plan";
constexpr std::size_t kMostBytes = std::size_t{128} << 20U;

/// A directory of this user's, and of no one else's to write.
Outcome make_private_directory(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return failed("make " + path);
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return failed("look at " + path);
  if (S_ISLNK(status.st_mode)) {
    return Failure{path + " is a symbolic link; nd7 keeps its records in a directory of its own",
                   0};
  }
  if (!S_ISDIR(status.st_mode)) return Failure{path + " is not a directory", 0};
  if (status.st_uid != ::geteuid()) return Failure{path + " belongs to another user", 0};
  if ((status.st_mode & 0077U) != 0 && ::chmod(path.c_str(), 0700) != 0) {
    return failed("take the access of others to " + path + " away");
  }
  return std::nullopt;
}

std::variant<std::string, Failure> read_file(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)};
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0) return failed("read " + path);
  if (!S_ISREG(status.st_mode)) return Failure{path + " is not a regular file", 0};
  std::string text;
  std::array<char, 1U << 16U> block{};
  for (;;) {
    const ssize_t count = ::read(file.get(), block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed("read " + path);
    if (count == 0) return text;
    text.append(block.data(), static_cast<std::size_t>(count));
    if (text.size() > kMostBytes) return Failure{path + " is too large", 0};
  }
}

Outcome write_all(int file, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed("write " + path);
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  if (::fsync(file) != 0) return failed("write " + path);
  return std::nullopt;
}

/// The old file or the new one, whenever the machine stops.
Outcome replace_file(const std::string& directory, const std::string& name, std::string_view text) {
  const std::string path = directory + "/" + name;
  std::string temporary = directory + "/." + name + ".XXXXXX";
  const Descriptor file{::mkostemp(temporary.data(), O_CLOEXEC)};
  if (!file) return failed("write " + path);
  Outcome failure = write_all(file.get(), text, path);
  if (!failure && ::rename(temporary.c_str(), path.c_str()) != 0) failure = failed("write " + path);
  if (failure) {
    ::unlink(temporary.c_str());
    return failure;
  }
  const Descriptor folder{::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!folder || ::fsync(folder.get()) != 0) return failed("write " + path);
  return std::nullopt;
}

void remove_empty(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return;
  if (S_ISDIR(status.st_mode)) ::rmdir(path.c_str());
  if (S_ISREG(status.st_mode) && status.st_size == 0) ::unlink(path.c_str());
}

void remove_tree(const std::string& path) {
  // Never through a link: std::filesystem removes the link itself.
  std::error_code ignored;  // the next sweep tries again
  std::filesystem::remove_all(path, ignored);
}

std::optional<pid_t> number_of(std::string_view text) {
  pid_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{} || end != text.data() + text.size() || number <= 0) {
    return std::nullopt;
  }
  return number;
}

}  // namespace

Store::Store(const std::string& home) : nd7_(home + "/.nd7"), sessions_(nd7_ + "/sessions") {}

Outcome Store::prepare() const {
  if (auto failure = make_private_directory(nd7_)) return failure;
  return make_private_directory(sessions_);
}

std::string Store::directory_of(pid_t process) const {
  return sessions_ + "/" + std::to_string(process);
}

std::optional<std::uint64_t> Store::start_of(pid_t process) {
  const auto text = read_file("/proc/" + std::to_string(process) + "/stat");
  const auto* const stat = std::get_if<std::string>(&text);
  if (stat == nullptr) return std::nullopt;
  // The name, in parentheses, may hold anything; after it, the 20th field is the start.
  std::size_t at = stat->rfind(')');
  for (int field = 0; at != std::string::npos && field < 20; ++field) at = stat->find(' ', at + 1);
  if (at == std::string::npos) return std::nullopt;
  std::uint64_t ticks = 0;
  const char* const begin = stat->data() + at + 1;
  if (std::from_chars(begin, stat->data() + stat->size(), ticks).ec != std::errc{}) {
    return std::nullopt;
  }
  return ticks;
}

bool Store::is_gone(pid_t process) const {
  if (::kill(process, 0) != 0 && errno == ESRCH) return true;
  // Its number may be another process's now.
  const auto record = read_record(process);
  const auto* const known = std::get_if<Record>(&record);
  const auto started = start_of(process);
  return known != nullptr && started && *started != known->started;
}

std::vector<pid_t> Store::all() const {
  std::vector<pid_t> result;
  std::error_code problem;  // no directory yet: no sessions
  for (std::filesystem::directory_iterator at{sessions_, problem}, end; !problem && at != end;
       at.increment(problem)) {
    if (const auto process = number_of(at->path().filename().string())) result.push_back(*process);
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<pid_t> Store::running() const {
  std::vector<pid_t> result = all();
  std::erase_if(result, [&](pid_t process) { return is_gone(process); });
  return result;
}

void Store::sweep() const {
  for (const pid_t process : all()) {
    if (is_gone(process)) remove(process);
  }
}

Outcome Store::create(pid_t process) const {
  const std::string path = directory_of(process);
  if (::mkdir(path.c_str(), 0700) != 0) return failed("make " + path);
  return std::nullopt;
}

void Store::remove(pid_t process) const {
  const auto record = read_record(process);
  if (const auto* const known = std::get_if<Record>(&record)) {
    for (const std::string& own : known->own) {
      // Whatever a record says: nothing but what nd7 run makes.
      if (std::filesystem::path{own}.filename().string().starts_with("nd7-")) remove_tree(own);
    }
    // The deepest last made; what something was put into stays.
    for (auto at = known->made.rbegin(); at != known->made.rend(); ++at) remove_empty(*at);
  }
  remove_tree(directory_of(process));
}

Outcome Store::lock(pid_t process, Descriptor& held) const {
  const std::string path = directory_of(process) + "/lock";
  held = Descriptor{::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600)};
  if (!held) return failed("open " + path);
  while (::flock(held.get(), LOCK_EX) != 0) {
    if (errno != EINTR) return failed("lock " + path);
  }
  return std::nullopt;
}

std::variant<Record, Failure> Store::read_record(pid_t process) const {
  auto text = read_file(directory_of(process) + "/" + kRecord);
  if (auto* const failure = std::get_if<Failure>(&text)) return std::move(*failure);
  auto record = record_from_json(std::get<std::string>(text));
  if (auto* const why = std::get_if<std::string>(&record)) return Failure{std::move(*why), 0};
  return std::move(std::get<Record>(record));
}

Outcome Store::write(const Record& record, const std::string& plan) const {
  const std::string directory = directory_of(record.process);
  const std::string json = to_json(record);
  if (auto failure = replace_file(directory, kRecord, json)) return failure;
  return replace_file(directory, kPolicy, sha256_hex(json) + "\n" + record.shell + "\n" + plan);
}

std::variant<PolicyFile, Failure> Store::read_policy(pid_t process) const {
  const std::string path = directory_of(process) + "/" + kPolicy;
  auto text = read_file(path);
  if (auto* const failure = std::get_if<Failure>(&text)) return std::move(*failure);
  const std::string& all = std::get<std::string>(text);
  const std::size_t first = all.find('\n');
  const std::size_t second = first == std::string::npos ? first : all.find('\n', first + 1);
  if (second == std::string::npos) return Failure{path + " is not a session's policy", 0};
  return PolicyFile{all.substr(0, first), all.substr(first + 1, second - first - 1),
                    all.substr(second + 1)};
}

}  // namespace nd7::runtime
