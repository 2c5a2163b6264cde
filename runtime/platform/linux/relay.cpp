#include "runtime/platform/linux/relay.hpp"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/resource.h>

#include <array>
#include <memory>
#include <unordered_map>

#include "runtime/platform/linux/landlock.hpp"
#include "runtime/platform/linux/relay_datagrams.hpp"
#include "runtime/platform/linux/relay_streams.hpp"

namespace nd7::runtime {
namespace {

Outcome confine(const std::vector<Listener>& listeners) {
  landlock::Ruleset rules;
  const landlock::Handled handled{landlock::known_rights(landlock::abi()), true, true, true, true};
  if (auto failure = rules.create(handled)) return failure;
  for (const Listener& listener : listeners) {
    if (listener.port.protocol != linux_plan::Protocol::tcp) continue;
    if (auto failure = rules.allow_connect(listener.port.first)) return failure;
  }
  return rules.enforce();
}

}  // namespace

Outcome relay(std::vector<Listener> listeners) {
  ::signal(SIGPIPE, SIG_IGN);
  // Four descriptors a connection.
  rlimit most{};
  if (::getrlimit(RLIMIT_NOFILE, &most) == 0) {
    most.rlim_cur = most.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &most);
  }
  if (auto failure = confine(listeners)) return failure;
  const Descriptor poll{::epoll_create1(EPOLL_CLOEXEC)};
  if (!poll) return failed("make a poll set");
  StreamRelay streams{poll.get()};
  DatagramRelay datagrams{poll.get()};
  for (Listener& listener : listeners) {
    const bool tcp = listener.port.protocol == linux_plan::Protocol::tcp;
    auto failure = tcp ? streams.add(std::move(listener)) : datagrams.add(std::move(listener));
    if (failure) return failure;
  }
  std::array<epoll_event, 64> events{};
  for (;;) {
    const int count = ::epoll_wait(poll.get(), events.data(), static_cast<int>(events.size()),
                                   DatagramRelay::kTickMilliseconds);
    for (int i = 0; i < count; ++i) {
      const epoll_event& event = events[static_cast<std::size_t>(i)];
      if (!streams.handle(event)) datagrams.handle(event);
    }
    streams.close_ended();
    datagrams.close_idle();
  }
}

}  // namespace nd7::runtime
