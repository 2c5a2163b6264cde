#include "tests/kernel/attempt.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace nd7::test {

void attempt(std::string_view name, const std::function<long()>& attempt) {
  std::printf("%.*s\t", static_cast<int>(name.size()), name.data());
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    errno = 0;
    const long result = attempt();
    std::printf("%s\n", result < 0 ? ::strerrorname_np(errno) : "PASS");
    std::fflush(stdout);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) std::printf("signal %d\n", WTERMSIG(status));
  std::fflush(stdout);
}

}  // namespace nd7::test
