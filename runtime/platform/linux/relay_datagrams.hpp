// UDP: each pair of a program's socket and the address that it asks is a flow with a socket of its
// own outside; answers come back from the address that was asked.
#pragma once

#include <sys/epoll.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "runtime/os/descriptor.hpp"
#include "runtime/os/failure.hpp"
#include "runtime/platform/linux/floor.hpp"

namespace nd7::runtime {

class DatagramRelay {
 public:
  static constexpr int kTickMilliseconds = 1000;

  explicit DatagramRelay(int poll) : poll_(poll) {}

  Outcome add(Listener listener);
  void handle(const epoll_event& event);
  void close_idle();

 private:
  static constexpr std::size_t kMostFlows = 1024;
  static constexpr std::int64_t kIdleSeconds = 60;

  struct Flow {
    int listener = -1;
    Descriptor outside;
    std::string key;
    std::string client;     ///< the program's address, as the kernel gave it
    std::string answered;   ///< the control data that makes an answer come from the asked address
    std::int64_t used = 0;  ///< seconds
  };

  void ask(const Listener& listener);
  void answer(Flow& flow);
  void close(const std::string& key);
  void close_oldest();

  int poll_;
  std::unordered_map<int, Listener> listeners_;
  std::map<std::string, std::shared_ptr<Flow>> flows_;
  std::unordered_map<int, std::shared_ptr<Flow>> by_descriptor_;
};

}  // namespace nd7::runtime
