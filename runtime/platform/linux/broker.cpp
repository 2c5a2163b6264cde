#include "runtime/platform/linux/broker.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <optional>
#include <string_view>

#include "runtime/broker/protocol.hpp"
#include "runtime/os/pass_descriptor.hpp"
#include "runtime/os/transfer.hpp"
#include "runtime/platform/linux/child_report.hpp"
#include "runtime/platform/linux/confine.hpp"
#include "runtime/platform/linux/namespaces.hpp"
#include "runtime/platform/linux/peer.hpp"
#include "runtime/platform/linux/process_tree.hpp"

namespace nd7::runtime {
namespace {

using broker::Event;
using broker::EventKind;
using broker::Request;

/// What one request holds.
struct Asked {
  std::string command;
  std::vector<std::string> environment;
  std::array<Descriptor, 3> standard;
  Descriptor directory;
};

class Handler {
 public:
  Handler(Descriptor connection, const BrokerOptions& options)
      : connection_(std::move(connection)), options_(options) {}

  [[noreturn]] void run() {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (auto failure = ask_for_sender(connection_.get())) refuse(*failure);
    const Event ready{EventKind::ready, 0};
    if (!send_fully(connection_.get(), &ready, sizeof ready)) ::_exit(0);
    receive();
    const auto peer = sender_.process(*options_.floor);
    if (!peer) refuse("no nd7 session in this process's ancestry");
    receive_texts();
    if (!options_.greeting.empty() && asked_.command == options_.greeting) greet();
    auto policy = options_.read_policy();
    if (const auto* why = std::get_if<std::string>(&policy)) refuse(*why);
    policy_ = std::move(std::get<CommandPolicy>(policy));
    start(*peer);
    watch();
  }

 private:
  [[noreturn]] void refuse(std::string_view why) {
    why = why.substr(0, broker::kMaxRefusal);
    const Event event{EventKind::refused, static_cast<std::int32_t>(why.size())};
    // A peer that has gone needs no answer.
    if (send_fully(connection_.get(), &event, sizeof event)) {
      [[maybe_unused]] const bool sent = send_fully(connection_.get(), why.data(), why.size());
    }
    ::_exit(0);
  }
  [[noreturn]] void greet() {
    const Event event{EventKind::ended, 0};
    [[maybe_unused]] const bool sent = send_fully(connection_.get(), &event, sizeof event);
    ::_exit(kGreeted);
  }
  [[noreturn]] void refuse(const Failure& failure) { refuse(failure.text()); }

  void receive() {
    Request request;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(4 * sizeof(int)) + kSenderSpace> control{};
    iovec bytes{&request, sizeof request};
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t count = ::recvmsg(connection_.get(), &message, MSG_CMSG_CLOEXEC | MSG_WAITALL);
    std::vector<Descriptor> received;
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
         header = CMSG_NXTHDR(&message, header)) {
      if (header->cmsg_level != SOL_SOCKET) continue;
      sender_.take(*header);
      if (header->cmsg_type != SCM_RIGHTS) continue;
      for (std::size_t at = 0; at + sizeof(int) <= header->cmsg_len - CMSG_LEN(0);
           at += sizeof(int)) {
        int descriptor = -1;
        std::memcpy(&descriptor, CMSG_DATA(header) + at, sizeof descriptor);
        received.emplace_back(descriptor);
      }
    }
    if (count != sizeof request || request.magic != broker::kMagic ||
        (message.msg_flags & (MSG_CTRUNC | MSG_TRUNC)) != 0 || request.open > 15) {
      refuse("this nd7-exec and this session are of different versions");
    }
    if (request.command_size > broker::kMaxCommand ||
        request.environment_size > broker::kMaxEnvironment) {
      refuse("the command or its environment is too large");
    }
    take_descriptors(request, received);
    asked_.command.resize(request.command_size);
    environment_size_ = request.environment_size;
  }

  void receive_texts() {
    std::string environment(environment_size_, '\0');
    if (!read_fully(connection_.get(), asked_.command.data(), asked_.command.size()) ||
        !read_fully(connection_.get(), environment.data(), environment.size())) {
      refuse("the request is incomplete");
    }
    if (asked_.command.find('\0') != std::string::npos) refuse("the command holds a NUL");
    for (std::size_t begin = 0; begin < environment.size();) {
      const std::size_t end = std::min(environment.find('\0', begin), environment.size());
      asked_.environment.push_back(environment.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  void take_descriptors(const Request& request, std::vector<Descriptor>& received) {
    std::size_t next = 0;
    const auto take = [&](unsigned bit, Descriptor& into) {
      if ((request.open >> bit & 1U) == 0) return;
      if (next >= received.size()) refuse("a descriptor of the request is missing");
      into = std::move(received[next++]);
    };
    for (unsigned i = 0; i < 3; ++i) take(i, asked_.standard[i]);
    take(3, asked_.directory);
    if (next != received.size()) refuse("the request brings more descriptors than it says");
  }

  void start(pid_t peer) {
    // In the terminal's session the kernel tells the command of Ctrl-C itself.
    in_peers_group_ = ::getsid(peer) == ::getsid(0);
    const pid_t group = ::getpgid(peer);
    proc_ = Descriptor{::open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC)};
    if (!proc_) refuse(failed("open /proc"));
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);

    sigset_t ended{};
    ::sigemptyset(&ended);
    ::sigaddset(&ended, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &ended, nullptr);
    signals_ = Descriptor{::signalfd(-1, &ended, SFD_CLOEXEC)};
    if (!signals_) refuse(failed("watch for the command's end"));

    std::array<int, 2> gate{};
    if (::pipe2(gate.data(), O_CLOEXEC) != 0) refuse(failed("make a pipe"));
    gate_read_ = Descriptor{gate[0]};
    gate_write_ = Descriptor{gate[1]};
    ChildReport report;
    if (auto failure = report.open()) refuse(*failure);

    const Floor& floor = *options_.floor;
    if (::setns(floor.user.get(), CLONE_NEWUSER) != 0) refuse(failed("join the session's users"));
    if (floor.processes && ::setns(floor.processes.get(), CLONE_NEWPID) != 0) {
      refuse(failed("join the session's processes"));
    }
    command_ = ::fork();
    if (command_ < 0) refuse(failed("start a process"));
    if (command_ == 0) command_child(report);
    // Numbers differ between PID namespaces, so the group is set from here.
    if (in_peers_group_ && ::setpgid(command_, group) != 0) in_peers_group_ = false;
    const char go = in_peers_group_ ? 'j' : 's';
    if (::write(gate_write_.get(), &go, 1) != 1) refuse(failed("start the command"));
    gate_read_.reset();
    for (Descriptor& descriptor : asked_.standard) descriptor.reset();
    asked_.directory.reset();
    report.close_child_end();
    std::vector<std::string> absent;
    if (auto failure = report.read(absent)) {
      ::waitpid(command_, nullptr, 0);
      refuse(*failure);
    }
    const Event event{EventKind::started, in_peers_group_ ? 1 : 0};
    if (!send_fully(connection_.get(), &event, sizeof event)) end_command();
  }

  [[noreturn]] void command_child(const ChildReport& report) {
    const auto check = [&](const Outcome& outcome) {
      if (outcome) report.fail(*outcome);
    };
    gate_write_.reset();
    char go = 0;
    if (!read_fully(gate_read_.get(), &go, 1)) ::_exit(126);
    if (go == 's') ::setsid();
    // A name may have been given to another directory since: the path is what counts below.
    std::array<char, PATH_MAX> directory{"/"};
    if (asked_.directory) {
      const std::string link = "/proc/self/fd/" + std::to_string(asked_.directory.get());
      const ssize_t size = ::readlink(link.c_str(), directory.data(), directory.size() - 1);
      if (size > 0) directory[static_cast<std::size_t>(size)] = '\0';
    }
    const Floor& floor = *options_.floor;
    if (::setns(floor.network.get(), CLONE_NEWNET) != 0 ||
        ::setns(floor.ipc.get(), CLONE_NEWIPC) != 0) {
      report.fail(failed("join the session"));
    }
    // From the host's mounts as they are now, not from the floor's.
    if (::unshare(CLONE_NEWNS) != 0) report.fail(failed("make mounts for the command"));
    check(make_mounts(policy_.plan, options_.own, static_cast<bool>(floor.processes), report));
    check(namespaces::drop_capabilities());
    for (int i = 0; i < 3; ++i) {
      const Descriptor& standard = asked_.standard[static_cast<std::size_t>(i)];
      if (standard && ::dup2(standard.get(), i) < 0) report.fail(failed("pass a descriptor on"));
    }
    // The gate's may have had one of these numbers.
    const int gate = ::fcntl(options_.gate->get(), F_DUPFD_CLOEXEC, 3);
    ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    if (::chdir(directory.data()) != 0) {
      report.fail(failed(std::string{"enter "} + directory.data()));
    }
    const rlimit none{0, 0};  // a core pattern may name a program outside
    ::setrlimit(RLIMIT_CORE, &none);
    Descriptor connects;
    check(restrict_to(policy_.plan, options_.own, connects));
    check(send_descriptor(gate, connects));
    connects.reset();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    // The other end closes when the handler is gone; then nobody would end this command.
    pollfd gone{gate_read_.get(), POLLIN, 0};
    if (::poll(&gone, 1, 0) > 0) ::_exit(126);
    reset_signals();
    // Last, so that nothing opened here takes their numbers.
    for (int i = 0; i < 3; ++i) {
      if (!asked_.standard[static_cast<std::size_t>(i)]) ::close(i);
    }
    execute({policy_.shell, "-c", asked_.command}, asked_.environment);
    const int error = errno;
    report.fail({"exec " + policy_.shell, error});
  }

  [[noreturn]] void watch() {
    std::array<pollfd, 2> ready{{{connection_.get(), POLLIN, 0}, {signals_.get(), POLLIN, 0}}};
    for (;;) {
      if (::poll(ready.data(), ready.size(), -1) < 0) continue;
      if (ready[1].revents != 0) {
        signalfd_siginfo info{};
        if (::read(signals_.get(), &info, sizeof info) == sizeof info) reap();
      }
      if (ready[0].revents != 0) {
        std::int32_t number = 0;
        if (!read_fully(connection_.get(), &number, sizeof number)) end_command();
        pass_on(number);
      }
    }
  }

  void reap() {
    for (;;) {
      int status = 0;
      const pid_t ended = ::waitpid(-1, &status, WNOHANG);
      if (ended <= 0) return;
      if (ended != command_) continue;
      const Event event{EventKind::ended, status};
      [[maybe_unused]] const bool sent = send_fully(connection_.get(), &event, sizeof event);
      ::_exit(0);
    }
  }

  void pass_on(std::int32_t number) {
    if (number <= 0 || number >= NSIG) return;
    if (!in_peers_group_) {
      ::kill(-command_, number);
    } else if (number == SIGUSR1 || number == SIGUSR2) {
      ::kill(command_, number);
    } else {
      // Not to the group: that holds nd7-exec, which would send it here again.
      signal_tree(proc_.get(), command_, number);
    }
  }

  [[noreturn]] void end_command() {
    kill_tree(proc_.get(), command_);
    if (!in_peers_group_) ::kill(-command_, SIGKILL);
    // What nobody waits for would keep the session's process namespace from ending.
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    ::waitpid(command_, nullptr, 0);
    ::_exit(0);
  }

  Descriptor connection_;
  const BrokerOptions& options_;
  Asked asked_;
  Sender sender_;
  std::size_t environment_size_ = 0;
  CommandPolicy policy_;
  bool in_peers_group_ = false;
  pid_t command_ = -1;
  Descriptor proc_;
  Descriptor signals_;
  Descriptor gate_read_;
  Descriptor gate_write_;
};

}  // namespace

void serve(Descriptor connection, const BrokerOptions& options) {
  Handler{std::move(connection), options}.run();
}

}  // namespace nd7::runtime
