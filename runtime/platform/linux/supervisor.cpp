#include "runtime/platform/linux/supervisor.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>
#include <set>

#include "runtime/os/pass_descriptor.hpp"
#include "runtime/platform/linux/confine.hpp"
#include "runtime/platform/linux/gate_process.hpp"
#include "runtime/platform/linux/relay.hpp"

namespace nd7::runtime {
namespace {

constexpr std::size_t kMostRequests = 512;  ///< at the same time; more wait for their turn
constexpr int kMostRelays = 8;              ///< starts of the relay, of which it needs one
constexpr std::chrono::seconds kGreetingTime{30};

Outcome listen_at(const std::string& path, Descriptor& listener) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return Failure{path + " is too long for a socket", 0};
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  listener = Descriptor{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  const mode_t before = ::umask(0177);
  const bool bound = listener && ::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address),
                                        sizeof address) == 0;
  ::umask(before);
  if (!bound || ::listen(listener.get(), SOMAXCONN) != 0) return failed("listen at " + path);
  return std::nullopt;
}

class Supervisor {
 public:
  explicit Supervisor(const SupervisorOptions& options) : options_(options) {}

  Ended run() {
    if (auto failure = prepare()) return {std::move(failure), kNotExecutable};
    const auto before = [this](const Floor& floor) -> Outcome {
      auto failure =
          start_gate(options_.floor.plan, floor, options_.broker_directory + "/broker", gate_);
      // Before the program, which may fill the terminal at once.
      if (!failure) options_.started();
      return failure;
    };
    if (auto failure = start_floor(options_.floor, before, floor_)) {
      const bool missing =
          failure->error == ENOENT && failure->step == "run " + options_.floor.arguments.front();
      return {std::move(failure), missing ? kNotFound : kNotExecutable};
    }
    for (const std::string& path : floor_.absent) {
      options_.absent(path);
    }
    if (auto failure = send_descriptor(gate_.get(), floor_.connects)) {
      ::kill(floor_.process, SIGKILL);
      return {std::move(failure), kNotExecutable};
    }
    floor_.connects.reset();
    start_relay();
    return {std::nullopt, loop()};
  }

 private:
  Outcome prepare() {
    if (auto failure = listen_at(options_.broker_directory + "/broker", listener_)) return failure;
    sigset_t watched{};
    ::sigemptyset(&watched);
    for (const int number : {SIGCHLD, SIGTERM, SIGHUP}) ::sigaddset(&watched, number);
    ::sigprocmask(SIG_BLOCK, &watched, nullptr);
    // The children of a request that was killed come here and are waited for: as long as one is
    // not, the session's process namespace cannot end.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    // The terminal's are for the program, which decides what they mean.
    for (const int number : {SIGINT, SIGQUIT}) ::signal(number, SIG_IGN);
    signals_ = Descriptor{::signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK)};
    if (!signals_) return failed("watch for signals");
    return std::nullopt;
  }

  void start_relay() {
    if (floor_.listeners.empty() || relays_++ == kMostRelays) return;
    const pid_t parent = ::getpid();
    relay_ = ::fork();
    if (relay_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (::getppid() != parent) ::_exit(1);
    reset_signals();
    listener_.reset();
    gate_.reset();
    for (const int number : {SIGINT, SIGQUIT, SIGTSTP, SIGHUP}) ::signal(number, SIG_IGN);
    const Outcome failure = relay(std::move(floor_.listeners));
    if (failure) options_.say("the session has no network: " + failure->text());
    ::_exit(1);
  }

  int loop() {
    greeted_ = options_.greeting.empty();
    reminder_ = Clock::now() + kGreetingTime;
    for (;;) {
      std::array<pollfd, 2> ready{{{signals_.get(), POLLIN, 0}, {listener_.get(), POLLIN, 0}}};
      const nfds_t count = requests_.size() < kMostRequests ? 2 : 1;
      const int events = ::poll(ready.data(), count, wait_for_greeting());
      if (events <= 0) continue;
      if (count == 2 && ready[1].revents != 0) accept_one();
      if (ready[0].revents == 0) continue;
      signalfd_siginfo info{};
      while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
        if (info.ssi_signo != SIGCHLD) ::kill(floor_.process, static_cast<int>(info.ssi_signo));
      }
      int status = 0;
      for (pid_t ended = ::waitpid(-1, &status, WNOHANG); ended > 0;
           ended = ::waitpid(-1, &status, WNOHANG)) {
        const bool of_request = requests_.erase(ended) > 0;
        if (of_request && WIFEXITED(status) && WEXITSTATUS(status) == kGreeted) greeted_ = true;
        if (ended == relay_) start_relay();
        if (ended == floor_.process) {
          if (!greeted_) options_.not_greeted(true);
          return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
      }
    }
  }

  /// For poll(), in milliseconds.
  int wait_for_greeting() {
    if (greeted_ || reminded_) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(reminder_ - Clock::now());
    if (left.count() > 0) return static_cast<int>(left.count());
    reminded_ = true;
    options_.not_greeted(false);
    return -1;
  }

  void accept_one() {
    Descriptor connection{::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC)};
    if (!connection) return;
    const pid_t child = ::fork();
    if (child == 0) {
      listener_.reset();
      signals_.reset();
      floor_.listeners.clear();
      reset_signals();
      // Until there is a command, the terminal's signals are the client's to hand on.
      for (const int number : {SIGINT, SIGQUIT, SIGTSTP}) ::signal(number, SIG_IGN);
      serve(std::move(connection), {&floor_, options_.floor.own, options_.floor.private_processes,
                                    &gate_, options_.read_policy, options_.greeting});
    }
    if (child > 0) requests_.insert(child);
  }

  const SupervisorOptions& options_;
  Descriptor listener_;
  Descriptor signals_;
  Floor floor_;
  Descriptor gate_;
  pid_t relay_ = -1;
  int relays_ = 0;
  std::set<pid_t> requests_;
  using Clock = std::chrono::steady_clock;
  bool greeted_ = true;
  bool reminded_ = false;
  Clock::time_point reminder_;
};

}  // namespace

Ended supervise(const SupervisorOptions& options) { return Supervisor{options}.run(); }

}  // namespace nd7::runtime
