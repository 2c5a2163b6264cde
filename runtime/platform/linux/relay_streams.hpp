// TCP connections, carried by the kernel from one socket to the other (splice).
#pragma once

#include <sys/epoll.h>

#include <memory>
#include <unordered_map>
#include <vector>

#include "runtime/os/descriptor.hpp"
#include "runtime/os/failure.hpp"
#include "runtime/platform/linux/floor.hpp"

namespace nd7::runtime {

class StreamRelay {
 public:
  /// `poll` is an epoll descriptor; events' data is the descriptor's number.
  explicit StreamRelay(int poll) : poll_(poll) {}

  Outcome add(Listener listener);
  /// False if the event is not about a socket of this relay.
  bool handle(const epoll_event& event);
  /// To be called after a round of events: none of them names a closed one.
  void close_ended();

 private:
  /// Bytes under way in one direction.
  struct Flow {
    Descriptor in;  ///< a pipe's ends
    Descriptor out;
    std::size_t held = 0;
    bool ended = false;   ///< nothing more comes
    bool closed = false;  ///< and the other side knows
  };
  struct Connection {
    Descriptor inside;
    Descriptor outside;
    Flow up;    ///< inside to outside
    Flow down;  ///< outside to inside
    bool connected = false;
    bool failed = false;
  };

  void accept_from(const Listener& listener);
  bool watch(int descriptor, std::uint32_t events) const;
  void move(Connection& connection);
  /// False on an error that ends the connection.
  static bool pump(int from, int to, Flow& flow);

  int poll_;
  std::unordered_map<int, Listener> listeners_;
  std::unordered_map<int, std::shared_ptr<Connection>> by_descriptor_;
  std::vector<std::shared_ptr<Connection>> ended_;
};

}  // namespace nd7::runtime
