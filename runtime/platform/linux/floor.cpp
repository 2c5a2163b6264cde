#include "runtime/platform/linux/floor.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "runtime/os/pass_descriptor.hpp"
#include "runtime/platform/linux/child_report.hpp"
#include "runtime/platform/linux/confine.hpp"
#include "runtime/platform/linux/listeners.hpp"
#include "runtime/platform/linux/namespaces.hpp"

namespace nd7::runtime {
namespace {

/// The exit code of a wait status, as a shell gives it.
int exit_code(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// This process ends when its parent does. Set after every change of rights, which clears it.
void die_with(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (::getppid() != parent) ::_exit(126);
}

volatile pid_t signals_go_to = -1;

/// What asks a session to end is for its program.
void hand_on(int number) {
  const int error = errno;
  ::kill(signals_go_to, number);
  errno = error;
}

/// Reaps until `process` has ended, and ends like it. The terminal tells the program itself.
[[noreturn]] void wait_and_end(pid_t process) {
  signals_go_to = process;
  for (const int number : {SIGINT, SIGQUIT}) ::signal(number, SIG_IGN);
  for (const int number : {SIGHUP, SIGTERM}) ::signal(number, hand_on);
  for (;;) {
    int status = 0;
    const pid_t ended = ::waitpid(-1, &status, 0);
    if (ended == process) ::_exit(exit_code(status));
    if (ended < 0 && errno != EINTR) ::_exit(126);
  }
}

class Starter {
 public:
  Starter(const FloorOptions& options, const BeforeStart& before, Floor& floor)
      : options_(options), before_(before), floor_(floor) {}

  Outcome run() {
    if (auto failure = report_.open()) return failure;
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
      return failed("make a socket pair");
    }
    ours_ = Descriptor{ends[0]};
    theirs_ = Descriptor{ends[1]};
    const pid_t parent = ::getpid();
    floor_.process = ::fork();
    if (floor_.process < 0) return failed("start a process");
    if (floor_.process == 0) outer_child(parent);
    theirs_.reset();
    report_.close_child_end();
    // Whatever failed first is the reason; what is missing here follows from it.
    Outcome failure = adopt();
    if (!failure) failure = before_(floor_);
    if (!failure) {
      const char go = 1;
      if (::send(ours_.get(), &go, 1, MSG_NOSIGNAL) != 1) failure = failed("start the program");
    }
    if (!failure) failure = receive_descriptor(ours_.get(), floor_.connects);
    if (!failure && !floor_.connects) failure = Failure{"the program's connects go nowhere", 0};
    ours_.reset();
    if (auto reason = report_.read(floor_.absent)) failure = std::move(reason);
    if (failure) {
      ::kill(floor_.process, SIGKILL);
      ::waitpid(floor_.process, nullptr, 0);
      floor_.process = -1;
    }
    return failure;
  }

 private:
  /// In the parent: the namespaces and the sockets, while the child waits.
  Outcome adopt() {
    char there = 0;
    if (::recv(ours_.get(), &there, 1, 0) != 1) {
      return Failure{"the session's namespaces were not made", 0};
    }
    if (auto failure = receive_listeners(ours_.get(), options_.plan, floor_.listeners)) {
      return failure;
    }
    const std::string base = "/proc/" + std::to_string(floor_.process) + "/ns/";
    const auto open = [&](const char* name, Descriptor& into) -> Outcome {
      into = Descriptor{::open((base + name).c_str(), O_RDONLY | O_CLOEXEC)};
      if (!into) return failed("open " + base + name);
      return std::nullopt;
    };
    if (auto failure = open("user", floor_.user)) return failure;
    if (auto failure = open("net", floor_.network)) return failure;
    if (auto failure = open("ipc", floor_.ipc)) return failure;
    if (options_.private_processes) {
      if (auto failure = open("pid_for_children", floor_.processes)) return failure;
    }
    struct stat status {};
    if (::fstat(floor_.user.get(), &status) != 0) return failed("look at " + base + "user");
    floor_.identity = status.st_ino;
    return std::nullopt;
  }

  void check(const Outcome& outcome) const {
    if (outcome) report_.fail(*outcome);
  }

  /// Makes the namespaces, and stays to end when the program does.
  [[noreturn]] void outer_child(pid_t parent) {
    ours_.reset();
    die_with(parent);
    check(namespaces::enter({options_.private_processes, true}));
    check(namespaces::own_every_address());
    std::vector<Listener> listeners;
    check(listen_for(options_.plan, listeners));
    // The first child of a new PID namespace is its pid 1, which no program should have to be.
    const pid_t outer = ::getpid();
    const pid_t first = ::fork();
    if (first < 0) report_.fail(failed("start a process"));
    if (first == 0) {
      if (!options_.private_processes) die_with(outer);
      first_child();
    }
    // Now that there is one, the kernel shows the namespace of this process's children, too.
    const char there = 1;
    if (::send(theirs_.get(), &there, 1, MSG_NOSIGNAL) != 1) ::_exit(126);
    check(send_listeners(theirs_.get(), listeners));
    listeners.clear();
    theirs_.reset();
    check(namespaces::drop_capabilities());
    die_with(parent);
    report_.close_child_end();
    wait_and_end(first);
  }

  /// The first process of the session: the program's parent, and who takes in what loses its own.
  [[noreturn]] void first_child() {
    // In a new PID namespace the parent has no number here: its end is noticed by the signal alone.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    check(make_mounts(options_.plan, options_.own, options_.private_processes, report_));
    check(namespaces::drop_capabilities());
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    char go = 0;
    if (::recv(theirs_.get(), &go, 1, 0) != 1) ::_exit(126);
    // By its path: the directory that this process is in lies below the mounts.
    if (::chdir(options_.directory.c_str()) != 0) {
      report_.fail(failed("enter " + options_.directory));
    }
    const rlimit none{0, 0};  // a core pattern may name a program outside
    ::setrlimit(RLIMIT_CORE, &none);
    // Before the program starts, so that both are of one domain and signals pass.
    Descriptor connects;
    check(restrict_to(options_.plan, options_.own, connects));
    check(send_descriptor(theirs_.get(), connects));
    connects.reset();
    theirs_.reset();
    const pid_t program = ::fork();
    if (program < 0) report_.fail(failed("start a process"));
    if (program == 0) program_child();
    report_.close_child_end();
    wait_and_end(program);
  }

  [[noreturn]] void program_child() {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    reset_signals();
    execute(options_.arguments, options_.environment);
    const int error = errno;
    report_.fail({"run " + options_.arguments.front(), error});
  }

  const FloorOptions& options_;
  const BeforeStart& before_;
  Floor& floor_;
  ChildReport report_;
  Descriptor ours_;
  Descriptor theirs_;
};

}  // namespace

Outcome start_floor(const FloorOptions& options, const BeforeStart& before, Floor& floor) {
  return Starter{options, before, floor}.run();
}

}  // namespace nd7::runtime
