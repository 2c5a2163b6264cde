#include "runtime/cli/choose.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/diagnostics/render.hpp"
#include "runtime/cli/say.hpp"
#include "runtime/session/home.hpp"

namespace nd7::runtime::cli {

std::optional<Store> open_store(std::string_view command) {
  std::string home;
  if (const auto failure = home_directory(home)) {
    say(command, failure->text());
    return std::nullopt;
  }
  return Store{home};
}

std::optional<pid_t> choose_session(const Store& store, std::optional<pid_t> asked,
                                    std::string_view command) {
  const auto running = store.running();
  if (asked) {
    if (std::find(running.begin(), running.end(), *asked) != running.end()) return asked;
    say(command,
        fmt::format("no session {} is running; `nd7 sessions` lists those that are", *asked));
    return std::nullopt;
  }
  if (running.size() == 1) return running.front();
  if (running.empty()) {
    say(command, "no nd7 session is running; `nd7 run PROGRAM` starts one");
    return std::nullopt;
  }
  say(command, "several sessions are running; say which with --session PID:");
  for (const pid_t process : running) {
    const auto record = store.read_record(process);
    const auto* const known = std::get_if<Record>(&record);
    report(fmt::format("  --session {}  {}\n", process,
                       known != nullptr ? printable(known->project) : "?"));
  }
  return std::nullopt;
}

}  // namespace nd7::runtime::cli
