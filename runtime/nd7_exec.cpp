// nd7-exec -c COMMAND: runs one command under the session's current rules.
//
// On Linux the session's broker, outside, starts the command as its own child; this program hands
// over what it was given and stays in between for signals and the exit status. It takes no decision
// and has no rights: everything that it sends can be sent by any program of the session.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "runtime/broker/protocol.hpp"
#include "runtime/os/transfer.hpp"

namespace nd7::runtime::broker {
namespace {

constexpr int kUsage = 2;
constexpr int kRefused = 126;

void say(std::string_view text) {
  std::string line{"nd7-exec: "};
  line += text;
  line += '\n';
  // Nobody is left to be told if this fails.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

[[noreturn]] void refuse(std::string_view text) {
  say(text);
  ::_exit(kRefused);
}
[[noreturn]] void refuse_with_error(std::string_view step) {
  const int error = errno;
  std::string text{step};
  text += ": ";
  text += ::strerror(error);
  refuse(text);
}

/// What is open of 0, 1 and 2; the others are opened on nothing, so that no descriptor takes their
/// numbers.
std::uint32_t standard_descriptors() {
  std::uint32_t open = 0;
  for (int descriptor = 0; descriptor < 3; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) >= 0) {
      open |= 1U << static_cast<unsigned>(descriptor);
      continue;
    }
    const int nothing = ::open("/dev/null", O_RDWR);
    if (nothing >= 0 && nothing != descriptor) {
      ::dup2(nothing, descriptor);
      ::close(nothing);
    }
  }
  return open;
}

int connect_to_broker() {
  const char* path = ::secure_getenv(kSocketVariable);
  if (path == nullptr) path = kSocket;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (std::strlen(path) >= sizeof address.sun_path) refuse("the broker's path is too long");
  std::strcpy(address.sun_path, path);
  const int broker = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (broker < 0) refuse_with_error("make a socket");
  if (::connect(broker, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    return broker;
  }
  if (errno == ENOENT || errno == ECONNREFUSED || errno == ENOTDIR) {
    refuse("no nd7 session in this process's ancestry");
  }
  refuse_with_error("reach the session's broker");
}

/// Every descriptor that is handed over, beside the first bytes.
bool send_request(int broker, const Request& request, const std::array<int, 4>& descriptors,
                  std::size_t count) {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof descriptors)> control{};
  Request copy = request;
  iovec bytes{&copy, sizeof copy};
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  if (count > 0) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(count * sizeof(int));
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(count * sizeof(int));
    std::memcpy(CMSG_DATA(header), descriptors.data(), count * sizeof(int));
  }
  return ::sendmsg(broker, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof copy);
}

[[noreturn]] void end_like(int status) {
  if (WIFEXITED(status)) ::_exit(WEXITSTATUS(status));
  const int number = WTERMSIG(status);
  // The same death, but without a core file of this program.
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::signal(number, SIG_DFL);
  sigset_t only{};
  ::sigemptyset(&only);
  ::sigaddset(&only, number);
  ::raise(number);
  ::sigprocmask(SIG_UNBLOCK, &only, nullptr);
  ::_exit(128 + number);
}

[[noreturn]] void say_refusal(int broker, std::int32_t size) {
  std::array<char, kMaxRefusal> text{};
  if (size < 0 || size > kMaxRefusal ||
      !read_fully(broker, text.data(), static_cast<std::size_t>(size))) {
    refuse("the session's broker refused and did not say why");
  }
  refuse({text.data(), static_cast<std::size_t>(size)});
}

/// Signals in, events out, until the command has ended.
[[noreturn]] void wait_for_end(int broker, int signals) {
  bool in_our_group = false;
  std::array<pollfd, 2> ready{{{broker, POLLIN, 0}, {signals, POLLIN, 0}}};
  for (;;) {
    if (::poll(ready.data(), ready.size(), -1) < 0) continue;
    if (ready[0].revents != 0) {
      Event event;
      if (!read_fully(broker, &event, sizeof event)) refuse("the session's broker went away");
      switch (event.kind) {
        case EventKind::ready: break;
        case EventKind::started: in_our_group = event.value == 1; break;
        case EventKind::ended: end_like(event.value);
        case EventKind::refused: say_refusal(broker, event.value);
      }
    }
    if (ready[1].revents != 0) {
      signalfd_siginfo got{};
      if (::read(signals, &got, sizeof got) != sizeof got) continue;
      const auto number = static_cast<std::int32_t>(got.ssi_signo);
      if (number == SIGCHLD || number == SIGPIPE) continue;
      // The terminal has told the whole group, the command in it.
      if (in_our_group && got.ssi_code == SI_KERNEL) continue;
      if (!send_fully(broker, &number, sizeof number)) refuse("the session's broker went away");
    }
  }
}

int run(std::string_view command) {
  Request request;
  request.open = standard_descriptors();
  // Blocked signals are handed on; stopping is for this program, too, so that a shell sees it.
  sigset_t all{};
  ::sigfillset(&all);
  for (const int number : {SIGTSTP, SIGTTIN, SIGTTOU, SIGSEGV, SIGBUS, SIGILL, SIGFPE}) {
    ::sigdelset(&all, number);
  }
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  const int signals = ::signalfd(-1, &all, SFD_CLOEXEC);
  if (signals < 0) refuse_with_error("watch for signals");

  std::string environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    environment += *entry;
    environment += '\0';
  }
  if (command.size() > kMaxCommand) refuse("the command is longer than 128 KiB");
  if (environment.size() > kMaxEnvironment) refuse("the environment is larger than 8 MiB");
  request.command_size = static_cast<std::uint32_t>(command.size());
  request.environment_size = static_cast<std::uint32_t>(environment.size());

  std::array<int, 4> descriptors{};
  std::size_t count = 0;
  for (int descriptor = 0; descriptor < 3; ++descriptor) {
    if ((request.open >> static_cast<unsigned>(descriptor) & 1U) != 0) {
      descriptors[count++] = descriptor;
    }
  }
  const int directory = ::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0) {
    request.open |= kDirectoryBit;
    descriptors[count++] = directory;
  }
  const int broker = connect_to_broker();
  Event event;
  if (!read_fully(broker, &event, sizeof event)) refuse("the session's broker went away");
  if (event.kind == EventKind::refused) say_refusal(broker, event.value);
  if (!send_request(broker, request, descriptors, count) ||
      !send_fully(broker, command.data(), command.size()) ||
      !send_fully(broker, environment.data(), environment.size())) {
    // A refusal may have come before everything was sent.
    if (read_fully(broker, &event, sizeof event) && event.kind == EventKind::refused) {
      say_refusal(broker, event.value);
    }
    refuse("the session's broker went away");
  }
  wait_for_end(broker, signals);
}

}  // namespace
}  // namespace nd7::runtime::broker

int main(int argc, char** argv) {
  if (argc != 3 || std::strcmp(argv[1], "-c") != 0) {
    constexpr std::string_view kText = "usage: nd7-exec -c COMMAND\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kText.data(), kText.size());
    return nd7::runtime::broker::kUsage;
  }
  return nd7::runtime::broker::run(argv[2]);
}
