#include "runtime/platform/linux/gate_process.hpp"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "runtime/os/pass_descriptor.hpp"
#include "runtime/platform/linux/child_report.hpp"
#include "runtime/platform/linux/confine.hpp"
#include "runtime/platform/linux/connect_gate.hpp"

namespace nd7::runtime {
namespace {

[[noreturn]] void gate(const linux_plan::Plan& plan, const Floor& floor, const std::string& broker,
                       const Descriptor& control, ChildReport& report) {
  const auto check = [&](const Outcome& outcome) {
    if (outcome) report.fail(*outcome);
  };
  reset_signals();
  for (const int number : {SIGINT, SIGQUIT, SIGTSTP, SIGHUP, SIGPIPE}) ::signal(number, SIG_IGN);
  // With the rights of the session's own root, which some systems ask for before one process may
  // look at another. Before any thread: this is one process's namespace.
  if (::setns(floor.user.get(), CLONE_NEWUSER) != 0 ||
      ::setns(floor.network.get(), CLONE_NEWNET) != 0) {
    report.fail(failed("join the session"));
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  UnixListeners own;
  check(own.open());
  const ConnectGate gate{plan, own, broker};
  report.close_child_end();
  for (;;) {
    Descriptor listener;
    if (receive_descriptor(control.get(), listener)) continue;
    if (!listener) ::_exit(0);
    std::thread{[&gate, taken = std::move(listener)] { gate.serve(taken.get()); }}.detach();
  }
}

}  // namespace

Outcome start_gate(const linux_plan::Plan& plan, const Floor& floor, const std::string& broker,
                   Descriptor& control) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return failed("make a socket pair");
  }
  control = Descriptor{ends[0]};
  const Descriptor theirs{ends[1]};
  ChildReport report;
  if (auto failure = report.open()) return failure;
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return failed("start a process");
  if (child == 0) {
    control.reset();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (::getppid() != parent) ::_exit(1);
    gate(plan, floor, broker, theirs, report);
  }
  report.close_child_end();
  std::vector<std::string> nothing;
  return report.read(nothing);
}

}  // namespace nd7::runtime
