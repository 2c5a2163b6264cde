// Every attempt of attack.cpp in the full tier, and what the kernel has to answer. Bare, the
// attempts that are refused here succeed, or the table would show nothing.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "runtime/os/pass_descriptor.hpp"
#include "runtime/platform/linux/floor.hpp"
#include "runtime/platform/linux/gate_process.hpp"
#include "tests/kernel/programs.hpp"
#include "tests/kernel/user.hpp"

namespace nd7::test {
namespace {

using Verdicts = std::map<std::string, std::string>;

constexpr std::uint16_t kClosedPort = 18222;

/// What each attempt comes to. "PASS" is what the rules allow or what harms nobody.
const Verdicts& expected() {
  static const Verdicts kTable{
      // What is closed cannot be seen in any way.
      {"read a key", "EACCES"},
      {"read a key through a link in the project", "EACCES"},
      {"stat a key", "EACCES"},
      {"test a key", "EACCES"},
      {"read an attribute of a key", "EACCES"},
      {"open a key's path", "EACCES"},
      {"list the keys", "EACCES"},
      {"enter the keys", "EACCES"},
      {"watch the keys", "EACCES"},
      {"move the keys", "EXDEV"},
      {"read nd7's records", "EACCES"},
      {"write nd7's records", "EACCES"},
      // Outside of what is granted, nothing changes.
      {"write outside", "EROFS"},
      {"truncate outside", "EROFS"},
      {"change a mode outside", "EROFS"},
      {"change times outside", "EROFS"},
      {"change an attribute outside", "EROFS"},
      {"change a mode by a descriptor", "EROFS"},
      {"change inode flags by a descriptor", "EROFS"},
      {"link a file from outside", "EXDEV"},
      {"move a file out", "EXDEV"},
      {"write in the project", "PASS"},
      {"write what is protected in the project", "EROFS"},
      {"move what is protected", "EXDEV"},
      {"move a directory above it", "EBUSY"},
      {"open by a handle", "EPERM"},
      {"read a key by another's root", "ENOENT"},
      {"enter another's directory", "ENOENT"},
      {"read another's memory", "ENOENT"},
      {"read another's environment", "ENOENT"},
      {"read another's command line", "ENOENT"},
      {"use shared memory", "PASS"},
      {"find another's shared memory", "ENOENT"},
      {"find another's System V memory", "ENOENT"},
      {"find another's temporary file", "ENOENT"},
      // Mounts and namespaces.
      {"mount", "EPERM"},
      {"unmount a mask", "EPERM"},
      {"make a user namespace", "EPERM"},
      {"make one by clone", "EPERM"},
      {"make one by clone3", "ENOSYS"},
      {"clone the tree of the home", "EPERM"},
      {"change the root", "EPERM"},
      {"join another's mounts", "ENOENT"},
      {"join another by its descriptor", "ESRCH"},
      {"run a file without a name", "PASS"},  // exec is open by these rules
      // Other processes do not exist.
      {"signal another", "ESRCH"},
      {"signal another by its descriptor", "ESRCH"},
      {"trace another", "EPERM"},
      {"read another's memory directly", "EPERM"},
      {"take another's descriptor", "ESRCH"},
      {"slow another down", "ESRCH"},
      {"limit another", "ESRCH"},
      {"pin another", "ESRCH"},
      {"add a key to the keyring", "EPERM"},
      {"type into the terminal", "EPERM"},
      {"count events", "EPERM"},
      {"load a kernel program", "EPERM"},
      {"handle page faults", "EPERM"},
      {"use io_uring", "EPERM"},
      {"decide calls of others", "EPERM"},
      // Only the ports of the rules, by TCP alone.
      {"connect to a closed port", "EACCES"},
      {"fast open to a closed port", "EPERM"},
      {"fast open by connect", "EACCES"},
      {"connect by MPTCP", "EPERM"},
      {"fast open by MPTCP", "EPERM"},
      {"SCTP", "EPERM"},
      {"SMC", "EPERM"},
      {"UDP-Lite", "EPERM"},
      {"ICMP", "EPERM"},
      {"raw IP", "EPERM"},
      {"packets", "EPERM"},
      {"the audit socket", "EPERM"},
      {"the socket diagnosis", "EPERM"},
      {"the routes", "PASS"},  // the session's own
      {"the hypervisor", "EPERM"},
      {"kernel cryptography", "EPERM"},
      {"express data path", "EPERM"},
      {"a socket kind with high bits", "EPERM"},
      {"listen at a port", "EACCES"},
      {"an abstract socket", "ECONNREFUSED"},
      {"a socket in /tmp", "ENOENT"},
      {"a socket elsewhere", "EACCES"},
      {"a datagram to a socket elsewhere", "EPERM"},
      {"a socket elsewhere behind another descriptor", "EACCES"},
      {"a socket of its own", "PASS"},
  };
  return kTable;
}

void put(const std::string& path, const std::string& text) { std::ofstream{path} << text; }

int listener(int family, const sockaddr* address, socklen_t size) {
  const int socket = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0 || ::bind(socket, address, size) != 0 || ::listen(socket, 8) != 0) return -1;
  return socket;
}

/// As the ordinary user, in a process of its own: the home, what runs outside, and the attack.
class Laboratory {
 public:
  Laboratory(const User& user, std::string attack)
      : home_(user.home + "/laboratory"), attack_(std::move(attack)) {}

  void lay_out() {
    std::filesystem::remove_all(home_);
    for (const char* directory :
         {".ssh", ".nd7/sessions", "data", "proj/sub/deep/hooks", "own/tmp", "own/shm"}) {
      std::filesystem::create_directories(home_ + "/" + directory);
    }
    put(home_ + "/.ssh/id", "secret");
    put(home_ + "/notes.txt", "notes");
    put(home_ + "/proj/f", "f");
    put("/dev/shm/nd7-outside", "x");
    put("/tmp/nd7-outside", "x");
    ::shmget(0x6e6437, 4096, IPC_CREAT | 0600);
    sockaddr_in port{};
    port.sin_family = AF_INET;
    port.sin_port = htons(kClosedPort);
    port.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener(AF_INET, reinterpret_cast<const sockaddr*>(&port), sizeof port);
    ::unlink("/tmp/nd7-outside.sock");
    for (const auto& name : {std::string{"\0nd7-outside", 12}, std::string{"/tmp/nd7-outside.sock"},
                             home_ + "/data/socket"}) {
      sockaddr_un address{};
      address.sun_family = AF_UNIX;
      std::memcpy(address.sun_path, name.data(), name.size());
      listener(AF_UNIX, reinterpret_cast<const sockaddr*>(&address),
               static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size()));
    }
    other_ = ::fork();
    if (other_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      for (;;) ::pause();
    }
  }

  [[nodiscard]] std::vector<std::string> attack() const {
    return {attack_, home_, std::to_string(other_), std::to_string(kClosedPort)};
  }

  [[nodiscard]] runtime::FloorOptions floor() const {
    runtime::FloorOptions options;
    auto& plan = options.plan;
    plan.read = {{"/", false, "read"}};
    plan.exec = {{"/", false, "exec"}};
    plan.write = {{home_ + "/proj", false, "project"}};
    plan.closed = {{{home_ + "/.ssh", false, "keys"}, {}}, {{home_ + "/.nd7", false, "seal"}, {}}};
    plan.readonly = {{{home_ + "/proj/sub/deep/hooks", false, "hooks"}, {}}};
    plan.connect = {{linux_plan::Protocol::tcp, false, 18443, 18443, "https"}};
    options.own = {{"/dev/shm", home_ + "/own/shm", false}, {"/tmp", home_ + "/own/tmp", false}};
    options.arguments = attack();
    options.environment = {"PATH=/usr/bin:/bin"};
    options.directory = home_ + "/proj";
    return options;
  }

 private:
  std::string home_;
  std::string attack_;
  pid_t other_ = -1;
};

/// The lines that `run`, in a process of the user's, leaves on standard output.
template <class Run>
std::string output_of(const User& user, Run run) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return {};
  const std::string attack = program_for(user, ND7_ATTACK);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], 1);
    ::close(ends[0]);
    ::close(ends[1]);
    if (!become(user)) ::_exit(1);
    Laboratory laboratory{user, attack};
    laboratory.lay_out();
    run(laboratory);
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text;
  std::array<char, 4096> block{};
  for (ssize_t count = 0; (count = ::read(ends[0], block.data(), block.size())) > 0;) {
    text.append(block.data(), static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return text;
}

Verdicts verdicts(const std::string& text) {
  Verdicts result;
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    result[line.substr(0, tab)] = line.substr(tab + 1);
  }
  return result;
}

class Attack : public testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    const auto user = ordinary_user(reason);
    if (!user) GTEST_SKIP() << reason;
    user_ = *user;
    if (const std::string why = why_no_sessions(user_); !why.empty()) GTEST_SKIP() << why;
  }
  User user_;
};

TEST_F(Attack, FailsInTheFullTier) {
  const std::string text = output_of(user_, [](const Laboratory& laboratory) {
    using runtime::Descriptor;
    runtime::Floor floor;
    Descriptor gate;
    const auto options = laboratory.floor();
    const auto before = [&](const runtime::Floor& at) {
      return runtime::start_gate(options.plan, at, "/no/broker", gate);
    };
    auto failure = runtime::start_floor(options, before, floor);
    if (!failure) failure = runtime::send_descriptor(gate.get(), floor.connects);
    if (failure) {
      std::printf("the floor does not start: %s\n", failure->text().c_str());
      std::fflush(stdout);
      ::_exit(1);
    }
    ::waitpid(floor.process, nullptr, 0);
  });
  const Verdicts found = verdicts(text);
  for (const auto& [name, verdict] : expected()) {
    const auto at = found.find(name);
    ASSERT_NE(at, found.end()) << name << " was not tried\n" << text;
    EXPECT_EQ(at->second, verdict) << name;
  }
  EXPECT_EQ(found.size(), expected().size()) << "an attempt is not in the table";
}

TEST_F(Attack, SucceedsBare) {
  const std::string text = output_of(user_, [](const Laboratory& laboratory) {
    const auto arguments = laboratory.attack();
    std::vector<char*> pointers;
    for (const std::string& argument : arguments) {
      pointers.push_back(const_cast<char*>(argument.c_str()));
    }
    pointers.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
      ::execv(pointers.front(), pointers.data());
      ::_exit(1);
    }
    ::waitpid(child, nullptr, 0);
  });
  const Verdicts found = verdicts(text);
  for (const char* name :
       {"read a key", "stat a key", "watch the keys", "write outside", "change a mode outside",
        "link a file from outside", "read another's environment", "find another's shared memory",
        "find another's System V memory", "signal another", "slow another down",
        "connect to a closed port", "an abstract socket", "a socket in /tmp",
        "a socket elsewhere"}) {
    const auto at = found.find(name);
    ASSERT_NE(at, found.end()) << name << " was not tried\n" << text;
    EXPECT_EQ(at->second, "PASS") << name;
  }
}

}  // namespace
}  // namespace nd7::test
