#include "tests/session/script.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "tests/kernel/programs.hpp"

namespace nd7::test {
namespace {

struct Programs {
  std::string nd7;
  std::string nd7_exec;
  std::string nd7c;
};

[[noreturn]] void become_script(const User& user, const Programs& programs,
                                const std::string& script) {
  const std::string project = user.home + "/project";
  std::error_code ignored;
  if (!become(user)) ::_exit(99);
  std::filesystem::remove_all(project, ignored);
  std::filesystem::create_directories(project, ignored);
  std::filesystem::current_path(project, ignored);
  ::setsid();
  ::clearenv();
  ::setenv("HOME", user.home.c_str(), 1);
  ::setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
  ::setenv("ND7", programs.nd7.c_str(), 1);
  ::setenv("ND7_EXEC", programs.nd7_exec.c_str(), 1);
  ::setenv("ND7C", programs.nd7c.c_str(), 1);
  ::execl("/bin/sh", "sh", "-c", script.c_str(), nullptr);
  ::_exit(98);
}

}  // namespace

Output run_script(const User& user, const std::string& script) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return {};
  const Programs programs{program_for(user, ND7_PROGRAM), program_for(user, ND7_EXEC_PROGRAM),
                          program_for(user, ND7C_PROGRAM)};
  // What a killed session leaves behind comes here, and is ended here.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], 1);
    ::dup2(ends[1], 2);
    ::close(ends[0]);
    ::close(ends[1]);
    const int nothing = ::open("/dev/null", 0);
    ::dup2(nothing, 0);
    become_script(user, programs, script);
  }
  ::close(ends[1]);
  Output output;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes{3};
  bool ended = false;
  std::array<char, 4096> block{};
  for (;;) {
    pollfd ready{ends[0], POLLIN, 0};
    const int count = ::poll(&ready, 1, 50);
    if (count > 0) {
      const ssize_t size = ::read(ends[0], block.data(), block.size());
      if (size <= 0) {
        // Nobody writes any more; the script itself is about to end.
        int status = 0;
        if (!ended && ::waitpid(child, &status, 0) == child) {
          output.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
          ended = true;
        }
        break;
      }
      output.text.append(block.data(), static_cast<std::size_t>(size));
      continue;
    }
    int status = 0;
    if (!ended && ::waitpid(child, &status, WNOHANG) == child) {
      output.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      ended = true;
      continue;  // once more, for what it wrote last
    }
    if (ended || std::chrono::steady_clock::now() > deadline) break;
  }
  ::kill(-child, SIGKILL);
  int status = 0;
  while (::waitpid(-1, &status, ended ? WNOHANG : 0) > 0) {
  }
  ::close(ends[0]);
  return output;
}

}  // namespace nd7::test
