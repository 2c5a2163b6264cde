#include "tests/kernel/user.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "runtime/platform/linux/landlock.hpp"
#include "runtime/platform/linux/namespaces.hpp"

namespace nd7::test {
namespace {

std::optional<User> user_of(const passwd* entry) {
  if (entry == nullptr) return std::nullopt;
  return User{entry->pw_uid, entry->pw_gid, entry->pw_dir};
}

}  // namespace

std::optional<User> ordinary_user(std::string& reason, const char* name) {
  if (::geteuid() != 0) {
    auto user = user_of(::getpwuid(::geteuid()));
    if (!user) reason = "this user is not in the password database";
    return user;
  }
  if (::getpwnam(name) == nullptr) {
    const std::string command = std::string{"useradd --create-home --shell /bin/sh "} + name;
    if (std::system(command.c_str()) != 0) {
      reason = "root, and no ordinary user could be made (useradd)";
      return std::nullopt;
    }
  }
  auto user = user_of(::getpwnam(name));
  if (!user) reason = "the user that was made is not there";
  return user;
}

bool become(const User& user) {
  if (::geteuid() == user.uid) return true;
  // A change of user makes the files in /proc root's, as if this were a program with more rights.
  return ::setgroups(1, &user.gid) == 0 && ::setresgid(user.gid, user.gid, user.gid) == 0 &&
         ::setresuid(user.uid, user.uid, user.uid) == 0 && ::prctl(PR_SET_DUMPABLE, 1) == 0;
}

std::string why_no_sessions(const User& user) {
  if (runtime::landlock::abi() < 4) return "this kernel's Landlock does not know ports";
  const pid_t child = ::fork();
  if (child == 0) {
    const bool good = become(user) && !runtime::namespaces::enter({true, true});
    ::_exit(good ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (status != 0) return "user namespaces are not available to ordinary users here";
  return {};
}

}  // namespace nd7::test
