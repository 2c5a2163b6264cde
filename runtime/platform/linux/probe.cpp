#include "runtime/platform/linux/probe.hpp"

#include <signal.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>

#include "runtime/os/pass_descriptor.hpp"
#include "runtime/platform/linux/floor.hpp"
#include "runtime/platform/linux/gate_process.hpp"
#include "runtime/platform/linux/landlock.hpp"
#include "runtime/platform/linux/namespaces.hpp"
#include "runtime/platform/linux/peer.hpp"

namespace nd7::runtime {
namespace {

constexpr int kPortsAbi = 4;

Check kernel() {
  utsname name{};
  ::uname(&name);
  return {"kernel", true, std::string{"Linux "} + name.release, {}};
}

Check landlock_ports() {
  const int abi = landlock::abi();
  Check check{"Landlock", abi >= kPortsAbi, "ABI " + std::to_string(abi), {}};
  if (abi == 0) {
    check.found = "not there";
    check.remedy = "Linux 6.7 or later, with \"landlock\" in the lsm= list it is booted with";
  } else if (!check.good) {
    check.remedy = "Linux 6.7 or later, whose Landlock knows ports (ABI 4)";
  }
  return check;
}

Check user_namespaces() {
  Check check{"user namespaces", false, {}, {}};
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) {
    check.found = failed("make a pipe").text();
    return check;
  }
  const pid_t child = ::fork();
  if (child == 0) {
    const auto failure = namespaces::enter({true, true});
    const std::string text = failure ? failure->text() : std::string{};
    [[maybe_unused]] const ssize_t written = ::write(ends[1], text.data(), text.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  std::array<char, 512> block{};
  const ssize_t count = ::read(ends[0], block.data(), block.size());
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  check.good = child > 0 && count == 0;
  check.found = check.good
                    ? "available"
                    : std::string{block.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
  if (check.good) return check;
  std::ifstream restricted{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns"};
  if (restricted.get() == '1') {
    check.remedy =
        "AppArmor keeps user namespaces from programs that it does not know: install "
        "packaging/apparmor/nd7 as /etc/apparmor.d/nd7 and load it with apparmor_parser -r";
  } else {
    check.remedy =
        "allow them: sysctl user.max_user_namespaces and "
        "kernel.unprivileged_userns_clone, or the container's own settings";
  }
  return check;
}

Check senders() {
  std::array<int, 2> ends{};
  Check check{"senders of messages", false, {}, {}};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    check.found = failed("make a socket pair").text();
    return check;
  }
  const Descriptor first{ends[0]};
  const Descriptor second{ends[1]};
  const auto failure = ask_for_sender(first.get());
  check.good = !failure;
  check.found = failure ? failure->text() : "known to the kernel";
  if (failure) check.remedy = "Linux 6.5 or later";
  return check;
}

Check whole_session(const std::string& directory) {
  FloorOptions options;
  options.plan.read = {{"/", false, {}}};
  options.plan.exec = {{"/", false, {}}};
  options.arguments = {"/bin/true"};
  options.directory = directory;
  Floor floor;
  Descriptor gate;
  const auto before = [&](const Floor& at) { return start_gate(options.plan, at, "/", gate); };
  Check check{"a session", false, {}, {}};
  auto failure = start_floor(options, before, floor);
  if (!failure) failure = send_descriptor(gate.get(), floor.connects);
  int status = -1;
  if (floor.process > 0) ::waitpid(floor.process, &status, 0);
  gate.reset();  // which ends it
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  check.good = !failure && status == 0;
  check.found = failure      ? failure->text()
                : check.good ? "started and ended"
                             : "ended with a failure";
  if (!check.good) check.remedy = "what is named above, or a kernel and container that allow it";
  return check;
}

}  // namespace

std::vector<Check> probe(const std::string& directory) {
  return {kernel(), landlock_ports(), user_namespaces(), senders(), whole_session(directory)};
}

}  // namespace nd7::runtime
