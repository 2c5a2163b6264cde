// nd7_attack HOME OUTSIDE PORT: tries to get at what a session may not reach. HOME is laid out by
// the test, OUTSIDE is a process of the same user, PORT is one that no rule opens and that
// something listens at. Run bare it shows that the attempts are real.
#include <fcntl.h>
#include <linux/if_alg.h>
#include <linux/io_uring.h>
#include <linux/sched.h>
#include <linux/vm_sockets.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "tests/kernel/attempt.hpp"

namespace nd7::test {
namespace {

std::string home;
pid_t outside = 0;
std::uint16_t closed_port = 0;

std::string at(const char* path) { return home + "/" + path; }
std::string outside_file(const char* name) {
  return "/proc/" + std::to_string(outside) + "/" + name;
}

long open_to_read(const std::string& path, int flags = O_RDONLY) {
  return ::open(path.c_str(), flags | O_CLOEXEC);
}

long read_some(const std::string& path) {
  std::array<char, 8> bytes{};
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  return file < 0 ? -1 : ::read(file, bytes.data(), bytes.size());
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

long connect_to(std::uint16_t port, int protocol = 0) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, protocol);
  const sockaddr_in address = loopback(port);
  if (socket < 0) return -1;
  return ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

long fast_open_to(std::uint16_t port, int protocol = 0) {
  constexpr int kFastOpen = 0x20000000;
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, protocol);
  const sockaddr_in address = loopback(port);
  if (socket < 0) return -1;
  return ::sendto(socket, "x", 1, kFastOpen | MSG_NOSIGNAL,
                  reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

long connect_unix(const void* name, std::size_t size) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, name, size);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return -1;
  return ::connect(socket, reinterpret_cast<const sockaddr*>(&address),
                   static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + size));
}

int outside_descriptor() { return static_cast<int>(::syscall(SYS_pidfd_open, outside, 0)); }

void files() {
  const std::string key = at(".ssh/id");
  const std::string notes = at("notes.txt");
  attempt("read a key", [&] { return open_to_read(key); });
  attempt("read a key through a link in the project", [&] {
    ::unlink(at("proj/link").c_str());
    if (::symlink(at(".ssh").c_str(), at("proj/link").c_str()) != 0) return -1L;
    return open_to_read(at("proj/link/id"));
  });
  attempt("stat a key", [&] {
    struct stat status {};
    return static_cast<long>(::stat(key.c_str(), &status));
  });
  attempt("test a key", [&] { return static_cast<long>(::access(key.c_str(), F_OK)); });
  attempt("read an attribute of a key", [&] {
    std::array<char, 8> value{};
    return ::getxattr(key.c_str(), "user.t", value.data(), value.size());
  });
  attempt("open a key's path", [&] { return open_to_read(key, O_PATH); });
  attempt("list the keys", [&] { return open_to_read(at(".ssh"), O_RDONLY | O_DIRECTORY); });
  attempt("enter the keys", [&] { return static_cast<long>(::chdir(at(".ssh").c_str())); });
  attempt("watch the keys", [&] {
    return static_cast<long>(
        ::inotify_add_watch(::inotify_init1(IN_CLOEXEC), at(".ssh").c_str(), IN_ALL_EVENTS));
  });
  attempt("move the keys", [&] {
    return static_cast<long>(::rename(at(".ssh").c_str(), at("proj/moved").c_str()));
  });
  attempt("read nd7's records", [&] { return open_to_read(at(".nd7/sessions"), O_DIRECTORY); });
  attempt("write nd7's records", [&] { return open_to_read(at(".nd7/x"), O_WRONLY | O_CREAT); });
  attempt("write outside", [&] { return open_to_read(at("data/f"), O_WRONLY | O_CREAT); });
  attempt("truncate outside", [&] { return static_cast<long>(::truncate(notes.c_str(), 0)); });
  attempt("change a mode outside", [&] { return static_cast<long>(::chmod(notes.c_str(), 0644)); });
  attempt("change times outside",
          [&] { return static_cast<long>(::utimensat(AT_FDCWD, notes.c_str(), nullptr, 0)); });
  attempt("change an attribute outside",
          [&] { return static_cast<long>(::setxattr(notes.c_str(), "user.z", "1", 1, 0)); });
  attempt("change a mode by a descriptor",
          [&] { return static_cast<long>(::fchmod(static_cast<int>(open_to_read(notes)), 0644)); });
  attempt("change inode flags by a descriptor", [&] {
    const int file = static_cast<int>(open_to_read(notes));
    int flags = 0;
    if (::ioctl(file, 0x80086601UL, &flags) != 0) return -1L;
    return static_cast<long>(::ioctl(file, 0x40086602UL, &flags));
  });
  attempt("link a file from outside", [&] {
    ::unlink(at("proj/hard").c_str());
    return static_cast<long>(::link(notes.c_str(), at("proj/hard").c_str()));
  });
  attempt("move a file out",
          [&] { return static_cast<long>(::rename(at("proj/f").c_str(), at("data/f2").c_str())); });
  attempt("write in the project", [&] { return open_to_read(at("proj/new"), O_WRONLY | O_CREAT); });
  attempt("write what is protected in the project",
          [&] { return open_to_read(at("proj/sub/deep/hooks/h"), O_WRONLY | O_CREAT); });
  attempt("move what is protected", [&] {
    return static_cast<long>(::rename(at("proj/sub/deep/hooks").c_str(), at("proj/h").c_str()));
  });
  attempt("move a directory above it", [&] {
    return static_cast<long>(::rename(at("proj/sub").c_str(), at("proj/s").c_str()));
  });
  attempt("open by a handle", [&] {
    alignas(file_handle) std::array<char, sizeof(file_handle) + 128> room{};
    auto* const handle = reinterpret_cast<file_handle*>(room.data());
    handle->handle_bytes = 128;
    int mount = 0;
    if (::name_to_handle_at(AT_FDCWD, notes.c_str(), handle, &mount, 0) != 0) return -1L;
    return static_cast<long>(
        ::open_by_handle_at(static_cast<int>(open_to_read("/")), handle, O_RDONLY));
  });
  attempt("read a key by another's root",
          [&] { return open_to_read(outside_file("root") + home + "/.ssh/id"); });
  attempt("enter another's directory",
          [&] { return open_to_read(outside_file("cwd/"), O_RDONLY | O_DIRECTORY); });
  attempt("read another's memory", [&] { return open_to_read(outside_file("mem")); });
  attempt("read another's environment", [&] { return read_some(outside_file("environ")); });
  attempt("read another's command line", [&] { return read_some(outside_file("cmdline")); });
  attempt("use shared memory",
          [&] { return open_to_read("/dev/shm/nd7", O_RDWR | O_CREAT | O_EXCL); });
  attempt("find another's shared memory", [&] { return open_to_read("/dev/shm/nd7-outside"); });
  attempt("find another's System V memory",
          [&] { return ::syscall(SYS_shmget, 0x6e6437, 4096, 0); });
  attempt("find another's temporary file", [&] { return open_to_read("/tmp/nd7-outside"); });
}

void mounts() {
  attempt("mount", [] { return static_cast<long>(::mount("x", "/mnt", "tmpfs", 0, "")); });
  attempt("unmount a mask",
          [] { return static_cast<long>(::umount2(at(".ssh").c_str(), MNT_DETACH)); });
  attempt("make a user namespace", [] { return static_cast<long>(::unshare(CLONE_NEWUSER)); });
  attempt("make one by clone", [] {
    const long child = ::syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, 0);
    if (child == 0) ::_exit(0);
    return child;
  });
  attempt("make one by clone3", [] {
    clone_args arguments{};
    arguments.flags = CLONE_NEWUSER;
    arguments.exit_signal = SIGCHLD;
    const long child = ::syscall(SYS_clone3, &arguments, sizeof arguments);
    if (child == 0) ::_exit(0);
    return child;
  });
  attempt("clone the tree of the home",
          [] { return ::syscall(SYS_open_tree, AT_FDCWD, home.c_str(), 1); });
  attempt("change the root", [] { return static_cast<long>(::chroot("/tmp")); });
  attempt("join another's mounts", [] {
    const int space = static_cast<int>(open_to_read(outside_file("ns/mnt")));
    return space < 0 ? -1L : static_cast<long>(::setns(space, 0));
  });
  attempt("join another by its descriptor", [] {
    const int process = outside_descriptor();
    return process < 0 ? -1L : static_cast<long>(::setns(process, CLONE_NEWUSER));
  });
  attempt("run a file without a name", [] {
    const int file = static_cast<int>(::syscall(SYS_memfd_create, "x", 1));
    const int source = static_cast<int>(open_to_read("/bin/true"));
    std::array<char, 65536> block{};
    for (ssize_t count = 0; (count = ::read(source, block.data(), block.size())) > 0;) {
      if (::write(file, block.data(), static_cast<std::size_t>(count)) != count) return -1L;
    }
    const pid_t child = ::fork();
    if (child == 0) {
      std::array<char*, 2> arguments{const_cast<char*>("x"), nullptr};
      ::fexecve(file, arguments.data(), arguments.data());
      ::_exit(9);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    errno = EACCES;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0L : -1L;
  });
}

void processes() {
  attempt("signal another", [] { return static_cast<long>(::kill(outside, SIGCONT)); });
  attempt("signal another by its descriptor", [] {
    const int process = outside_descriptor();
    return process < 0 ? -1L : ::syscall(SYS_pidfd_send_signal, process, SIGCONT, nullptr, 0);
  });
  attempt("trace another", [] { return ::ptrace(PTRACE_SEIZE, outside, nullptr, nullptr); });
  attempt("read another's memory directly", [] {
    std::array<char, 8> bytes{};
    const iovec here{bytes.data(), bytes.size()};
    const iovec there{reinterpret_cast<void*>(0x400000), bytes.size()};
    const long count = ::process_vm_readv(outside, &here, 1, &there, 1, 0);
    return count < 0 && errno == EFAULT ? 0L : count;
  });
  attempt("take another's descriptor", [] {
    const int process = outside_descriptor();
    return process < 0 ? -1L : ::syscall(SYS_pidfd_getfd, process, 0, 0);
  });
  attempt("slow another down", [] {
    return static_cast<long>(::setpriority(PRIO_PROCESS, static_cast<id_t>(outside), 5));
  });
  attempt("limit another", [] {
    std::array<char, 16> limit{};
    return ::syscall(SYS_prlimit64, outside, RLIMIT_NOFILE, nullptr, limit.data());
  });
  attempt("pin another", [] {
    unsigned long mask = 1;
    return ::syscall(SYS_sched_setaffinity, outside, sizeof mask, &mask);
  });
  attempt("add a key to the keyring",
          [] { return ::syscall(SYS_add_key, "user", "nd7", "x", 1, -4); });
  attempt("type into the terminal", [] {
    char byte = 'x';
    return static_cast<long>(::ioctl(0, TIOCSTI, &byte));
  });
  attempt("count events", [] {
    std::array<char, 128> attributes{};
    return ::syscall(SYS_perf_event_open, attributes.data(), 0, -1, -1, 0);
  });
  attempt("load a kernel program", [] {
    std::array<char, 128> attributes{};
    return ::syscall(SYS_bpf, 5, attributes.data(), attributes.size());
  });
  attempt("handle page faults", [] { return ::syscall(SYS_userfaultfd, 1); });
  attempt("use io_uring", [] {
    io_uring_params parameters{};
    return ::syscall(SYS_io_uring_setup, 4, &parameters);
  });
  attempt("decide calls of others", [] {
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return ::syscall(SYS_seccomp, 1, 8, nullptr);
  });
}

void sockets() {
  attempt("connect to a closed port", [] { return connect_to(closed_port); });
  attempt("fast open to a closed port", [] { return fast_open_to(closed_port); });
  attempt("fast open by connect", [] {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1;
    const sockaddr_in address = loopback(closed_port);
    ::setsockopt(socket, IPPROTO_TCP, TCP_FASTOPEN_CONNECT, &on, sizeof on);
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      return -1L;
    }
    return static_cast<long>(::send(socket, "x", 1, MSG_NOSIGNAL));
  });
  attempt("connect by MPTCP", [] { return connect_to(closed_port, 262); });
  attempt("fast open by MPTCP", [] { return fast_open_to(closed_port, 262); });
  const auto socket_of = [](int family, int type, int protocol) {
    return static_cast<long>(::socket(family, type | SOCK_CLOEXEC, protocol));
  };
  attempt("SCTP", [&] { return socket_of(AF_INET, SOCK_STREAM, 132); });
  attempt("SMC", [&] { return socket_of(43, SOCK_STREAM, 0); });
  attempt("UDP-Lite", [&] { return socket_of(AF_INET, SOCK_DGRAM, 136); });
  attempt("ICMP", [&] { return socket_of(AF_INET, SOCK_DGRAM, 1); });
  attempt("raw IP", [&] { return socket_of(AF_INET, SOCK_RAW, 6); });
  attempt("packets", [&] { return socket_of(AF_PACKET, SOCK_RAW, 0); });
  attempt("the audit socket", [&] { return socket_of(AF_NETLINK, SOCK_RAW, 9); });
  attempt("the socket diagnosis", [&] { return socket_of(AF_NETLINK, SOCK_RAW, 4); });
  attempt("the routes", [&] { return socket_of(AF_NETLINK, SOCK_RAW, 0); });
  attempt("the hypervisor", [&] { return socket_of(AF_VSOCK, SOCK_STREAM, 0); });
  attempt("kernel cryptography", [&] { return socket_of(AF_ALG, SOCK_SEQPACKET, 0); });
  attempt("express data path", [&] { return socket_of(44, SOCK_RAW, 0); });
  attempt("a socket kind with high bits",
          [] { return ::syscall(SYS_socket, 0x100000000L | AF_PACKET, SOCK_RAW, 0); });
  attempt("listen at a port", [] {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(8088);
    return static_cast<long>(
        ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address));
  });
  attempt("an abstract socket", [] { return connect_unix("\0nd7-outside", 12); });
  attempt("a socket in /tmp", [] { return connect_unix("/tmp/nd7-outside.sock", 22); });
  const std::string elsewhere = at("data/socket");
  attempt("a socket elsewhere",
          [&] { return connect_unix(elsewhere.c_str(), elsewhere.size() + 1); });
  attempt("a datagram to a socket elsewhere",
          [&] { return static_cast<long>(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)); });
  attempt("a socket elsewhere behind another descriptor", [&] {
    // One thread connects, another puts a Unix socket in the place of a TCP one meanwhile.
    const int internet = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int local = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int number = ::dup(internet);
    std::atomic<bool> over{false};
    std::thread swaps{[&] {
      while (!over) {
        ::dup2(local, number);
        ::dup2(internet, number);
      }
    }};
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, elsewhere.c_str(), elsewhere.size() + 1);
    long result = -1;
    for (int i = 0; i < 2000 && result != 0; ++i) {
      result = ::connect(number, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    }
    over = true;
    swaps.join();
    if (result != 0) errno = EACCES;
    return result;
  });
  attempt("a socket of its own", [] {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = at("proj/own.sock");
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    ::unlink(path.c_str());
    const int listening = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::bind(listening, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(listening, 1) != 0) {
      return -1L;
    }
    return connect_unix(path.c_str(), path.size() + 1);
  });
}

}  // namespace
}  // namespace nd7::test

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: nd7_attack HOME OUTSIDE PORT\n", stderr);
    return 2;
  }
  nd7::test::home = argv[1];
  nd7::test::outside = std::atoi(argv[2]);
  nd7::test::closed_port = static_cast<std::uint16_t>(std::atoi(argv[3]));
  nd7::test::files();
  nd7::test::mounts();
  nd7::test::processes();
  nd7::test::sockets();
  return 0;
}
