#include "runtime/platform/linux/process_tree.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

namespace nd7::runtime {
namespace {

constexpr std::size_t kMostProcesses = 65536;

std::string read_all(int proc, const std::string& file) {
  const Descriptor at{::openat(proc, file.c_str(), O_RDONLY | O_CLOEXEC)};
  std::string text;
  std::array<char, 4096> block{};
  for (;;) {
    const ssize_t count = at ? ::read(at.get(), block.data(), block.size()) : 0;
    if (count <= 0) return text;
    text.append(block.data(), static_cast<std::size_t>(count));
  }
}

std::vector<pid_t> children_of(int proc, pid_t process) {
  const std::string number = std::to_string(process);
  const std::string text = read_all(proc, number + "/task/" + number + "/children");
  std::vector<pid_t> result;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    pid_t child = 0;
    const auto [after, problem] = std::from_chars(at, end, child);
    if (problem == std::errc{}) result.push_back(child);
    at = after == at ? at + 1 : after;
  }
  return result;
}

template <class Visit>
void each_of_group(int proc, pid_t root, Visit visit) {
  const pid_t group = ::getpgid(root);
  std::vector<pid_t> waiting{root};
  for (std::size_t seen = 0; !waiting.empty() && seen < kMostProcesses; ++seen) {
    const pid_t process = waiting.back();
    waiting.pop_back();
    visit(process);
    for (const pid_t child : children_of(proc, process)) {
      if (::getpgid(child) == group) waiting.push_back(child);
    }
  }
}

}  // namespace

void signal_tree(int proc, pid_t root, int number) {
  each_of_group(proc, root, [&](pid_t process) { ::kill(process, number); });
}

void kill_tree(int proc, pid_t root) {
  std::vector<pid_t> stopped;
  each_of_group(proc, root, [&](pid_t process) {
    ::kill(process, SIGSTOP);
    stopped.push_back(process);
  });
  for (const pid_t process : stopped) ::kill(process, SIGKILL);
}

std::optional<pid_t> parent_of(int proc, pid_t process) {
  const std::string text = read_all(proc, std::to_string(process) + "/stat");
  // The name is in parentheses and may hold anything, parentheses too.
  const std::size_t close = text.rfind(')');
  if (close == std::string::npos || close + 4 >= text.size()) return std::nullopt;
  pid_t parent = 0;
  const char* const at = text.data() + close + 4;  // ") S "
  const auto [after, problem] = std::from_chars(at, text.data() + text.size(), parent);
  if (problem != std::errc{}) return std::nullopt;
  return parent;
}

}  // namespace nd7::runtime
