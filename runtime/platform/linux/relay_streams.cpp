#include "runtime/platform/linux/relay_streams.hpp"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "runtime/platform/linux/wanted_address.hpp"

namespace nd7::runtime {
namespace {

constexpr std::size_t kBlock = 1U << 16U;

bool set_option(int socket, int level, int option, int value) {
  return ::setsockopt(socket, level, option, &value, sizeof value) == 0;
}

std::optional<WantedAddress> wanted_of(int accepted, bool localhost_only) {
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  if (::getsockname(accepted, reinterpret_cast<sockaddr*>(&own), &size) != 0) return std::nullopt;
  if (own.ss_family == AF_INET6) {
    const auto* const address = reinterpret_cast<const sockaddr_in6*>(&own);
    return wanted_address(address->sin6_addr, address->sin6_port, localhost_only);
  }
  const auto* const address = reinterpret_cast<const sockaddr_in*>(&own);
  return wanted_address(address->sin_addr, address->sin_port, localhost_only);
}

/// The program sees a refusal, not an end of data.
void refuse(Descriptor& socket) {
  const linger at_once{1, 0};
  ::setsockopt(socket.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  socket.reset();
}

}  // namespace

Outcome StreamRelay::add(Listener listener) {
  const int socket = listener.socket.get();
  if (::fcntl(socket, F_SETFL, O_NONBLOCK) != 0 || !watch(socket, EPOLLIN)) {
    return failed("watch a listener");
  }
  listeners_.emplace(socket, std::move(listener));
  return std::nullopt;
}

bool StreamRelay::watch(int descriptor, std::uint32_t events) const {
  epoll_event event{};
  event.events = events;
  event.data.fd = descriptor;
  return ::epoll_ctl(poll_, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

bool StreamRelay::handle(const epoll_event& event) {
  if (const auto listener = listeners_.find(event.data.fd); listener != listeners_.end()) {
    accept_from(listener->second);
    return true;
  }
  const auto found = by_descriptor_.find(event.data.fd);
  if (found == by_descriptor_.end()) return false;
  Connection& connection = *found->second;
  if (!connection.connected && event.data.fd == connection.outside.get() &&
      (event.events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) != 0) {
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(connection.outside.get(), SOL_SOCKET, SO_ERROR, &error, &size);
    connection.connected = error == 0;
    connection.failed = error != 0;
  }
  if (connection.connected && !connection.failed) move(connection);
  if (connection.failed || (connection.up.closed && connection.down.closed)) {
    ended_.push_back(found->second);
  }
  return true;
}

void StreamRelay::accept_from(const Listener& listener) {
  for (;;) {
    Descriptor inside{
        ::accept4(listener.socket.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)};
    if (!inside) return;
    const auto wanted = wanted_of(inside.get(), listener.port.localhost);
    auto connection = std::make_shared<Connection>();
    std::array<int, 2> up{};
    std::array<int, 2> down{};
    if (wanted) {
      connection->outside =
          Descriptor{::socket(wanted->family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    }
    if (!connection->outside || ::pipe2(up.data(), O_NONBLOCK | O_CLOEXEC) != 0) {
      refuse(inside);
      continue;
    }
    connection->up.out = Descriptor{up[0]};
    connection->up.in = Descriptor{up[1]};
    if (::pipe2(down.data(), O_NONBLOCK | O_CLOEXEC) != 0) {
      refuse(inside);
      continue;
    }
    connection->down.out = Descriptor{down[0]};
    connection->down.in = Descriptor{down[1]};
    // Small answers would wait for acknowledgements of each other.
    set_option(inside.get(), IPPROTO_TCP, TCP_NODELAY, 1);
    set_option(connection->outside.get(), IPPROTO_TCP, TCP_NODELAY, 1);
    const int outside = connection->outside.get();
    if (::connect(outside, wanted->get(), wanted->size) != 0 && errno != EINPROGRESS) {
      refuse(inside);
      continue;
    }
    constexpr std::uint32_t kBoth = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    const int number = inside.get();
    connection->inside = std::move(inside);
    if (!watch(number, kBoth) || !watch(outside, kBoth)) {
      refuse(connection->inside);
      continue;
    }
    by_descriptor_.emplace(number, connection);
    by_descriptor_.emplace(outside, connection);
  }
}

bool StreamRelay::pump(int from, int to, Flow& flow) {
  for (;;) {
    bool moved = false;
    if (!flow.ended && flow.held < kBlock) {
      const ssize_t count = ::splice(from, nullptr, flow.in.get(), nullptr, kBlock,
                                     SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
      if (count > 0) {
        flow.held += static_cast<std::size_t>(count);
        moved = true;
      } else if (count == 0) {
        flow.ended = true;
      } else if (errno != EAGAIN && errno != EINTR) {
        return false;
      }
    }
    if (flow.held > 0) {
      const ssize_t count = ::splice(flow.out.get(), nullptr, to, nullptr, flow.held,
                                     SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
      if (count > 0) {
        flow.held -= static_cast<std::size_t>(count);
        moved = true;
      } else if (count < 0 && errno != EAGAIN && errno != EINTR) {
        return false;
      }
    }
    if (flow.ended && flow.held == 0 && !flow.closed) {
      ::shutdown(to, SHUT_WR);
      flow.closed = true;
    }
    if (!moved) return true;
  }
}

void StreamRelay::move(Connection& connection) {
  connection.failed = !pump(connection.inside.get(), connection.outside.get(), connection.up) ||
                      !pump(connection.outside.get(), connection.inside.get(), connection.down);
}

void StreamRelay::close_ended() {
  for (const auto& connection : ended_) {
    by_descriptor_.erase(connection->inside.get());
    by_descriptor_.erase(connection->outside.get());
    if (connection->failed && connection->inside) refuse(connection->inside);
    connection->outside.reset();
  }
  ended_.clear();
}

}  // namespace nd7::runtime
