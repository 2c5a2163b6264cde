#include "tests/support/spawn.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace nd7::test {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kPatience{240};

[[noreturn]] void fail(const char* what) {
  throw std::system_error{errno, std::generic_category(), what};
}

struct Pipe {
  int read = -1;
  int write = -1;
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) fail("pipe");
    read = ends[0];
    write = ends[1];
    for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(read);
    close_end(write);
  }
  static void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
};

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

[[noreturn]] void become(const Spawn& spawn, char* const* words, char* const* environment) {
  if (!spawn.folder.empty() && ::chdir(spawn.folder.c_str()) != 0) ::_exit(125);
  if (spawn.prepare) spawn.prepare();
  ::execve(words[0], words, environment);
  ::_exit(127);
}

/// Feeds and drains until both outputs are closed; false when time runs out.
bool converse(const std::string& input, Pipe& in, Pipe& out, Pipe& err, Ended& ended) {
  const auto deadline = Clock::now() + kPatience;
  std::size_t sent = 0;
  while (out.read >= 0 || err.read >= 0) {
    if (in.write >= 0 && sent == input.size()) Pipe::close_end(in.write);
    std::array<pollfd, 3> wanted{
        {{in.write, POLLOUT, 0}, {out.read, POLLIN, 0}, {err.read, POLLIN, 0}}};
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    if (::poll(wanted.data(), wanted.size(), static_cast<int>(left)) < 0 && errno != EINTR) {
      fail("poll");
    }
    if (wanted[0].revents != 0) {
      const ssize_t wrote = ::write(in.write, input.data() + sent, input.size() - sent);
      if (wrote > 0) sent += static_cast<std::size_t>(wrote);
      if (wrote < 0 && errno != EINTR) Pipe::close_end(in.write);
    }
    const auto drain = [&](const pollfd& ready, int& end, std::string& into) {
      if (ready.revents == 0) return;
      std::array<char, 65536> buffer{};
      const ssize_t got = ::read(end, buffer.data(), buffer.size());
      if (got > 0) into.append(buffer.data(), static_cast<std::size_t>(got));
      if (got == 0 || (got < 0 && errno != EINTR)) Pipe::close_end(end);
    };
    drain(wanted[1], out.read, ended.out);
    drain(wanted[2], err.read, ended.err);
  }
  return true;
}

}  // namespace

Ended run(const Spawn& spawn) {
  std::vector<std::string> words = spawn.words;
  std::vector<std::string> environment = spawn.environment;
  const std::vector<char*> word_pointers = pointers(words);
  const std::vector<char*> environment_pointers = pointers(environment);
  ::signal(SIGPIPE, SIG_IGN);
  Pipe in;
  Pipe out;
  Pipe err;
  const pid_t child = ::fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    ::signal(SIGPIPE, SIG_DFL);
    ::dup2(in.read, STDIN_FILENO);
    ::dup2(out.write, STDOUT_FILENO);
    ::dup2(err.write, STDERR_FILENO);
    become(spawn, word_pointers.data(), environment_pointers.data());
  }
  Pipe::close_end(in.read);
  Pipe::close_end(out.write);
  Pipe::close_end(err.write);
  Ended ended;
  const bool in_time = converse(spawn.input, in, out, err, ended);
  if (!in_time) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (in_time) ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ended;
}

Scratch::Scratch() {
  std::string name = std::filesystem::temp_directory_path() / "nd7-test-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) fail("mkdtemp");
  path_ = std::filesystem::canonical(name);
}

Scratch::~Scratch() {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{path_, ignored}) {
    if (!entry.is_symlink() && entry.is_directory()) {
      std::filesystem::permissions(entry, std::filesystem::perms::owner_all, ignored);
    }
  }
  std::filesystem::remove_all(path_, ignored);
}

void Scratch::put(const std::string& name, const std::string& text) const {
  std::filesystem::create_directories(std::filesystem::path{at(name)}.parent_path());
  std::ofstream{at(name), std::ios::binary} << text;
}

std::string Scratch::text(const std::string& name) const {
  std::ifstream in{at(name), std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

std::vector<std::string> Scratch::names() const {
  std::vector<std::string> result;
  for (const auto& entry : std::filesystem::directory_iterator{path_}) {
    result.push_back(entry.path().filename());
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace nd7::test
