#include "runtime/platform/linux/child_report.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>

namespace nd7::runtime {
namespace {

// Records end with a NUL: paths hold every other byte.
constexpr std::string_view kAbsent = "absent ";
constexpr std::string_view kFailed = "failed ";
constexpr std::size_t kMost = 1U << 20U;  ///< bytes that a parent reads

}  // namespace

Outcome ChildReport::open() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return failed("make a pipe");
  parent_ = Descriptor{ends[0]};
  child_ = Descriptor{ends[1]};
  return std::nullopt;
}

void ChildReport::send(const std::string& record) const {
  // Shorter than a pipe's atomic write, or the parent is only told less.
  [[maybe_unused]] const ssize_t written = ::write(child_.get(), record.c_str(), record.size() + 1);
}

void ChildReport::absent(std::string_view path) const { send(std::string{kAbsent}.append(path)); }

void ChildReport::fail(const Failure& failure) const {
  send(std::string{kFailed} + std::to_string(failure.error) + " " + failure.step);
  ::_exit(126);
}

Outcome ChildReport::read(std::vector<std::string>& absent) {
  std::string all;
  std::array<char, 4096> block{};
  for (;;) {
    const ssize_t count = ::read(parent_.get(), block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed("hear from a child");
    if (count == 0) break;
    if (all.size() < kMost) all.append(block.data(), static_cast<std::size_t>(count));
  }
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find('\0', begin), all.size());
    const std::string_view record{all.data() + begin, end - begin};
    begin = end + 1;
    if (record.starts_with(kAbsent)) absent.emplace_back(record.substr(kAbsent.size()));
    if (!record.starts_with(kFailed)) continue;
    const std::string_view rest = record.substr(kFailed.size());
    int error = 0;
    const auto [after, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), error);
    const auto used = static_cast<std::size_t>(after - rest.data());
    if (problem != std::errc{} || used >= rest.size()) return Failure{"a child failed", 0};
    return Failure{std::string{rest.substr(used + 1)}, error};
  }
  return std::nullopt;
}

}  // namespace nd7::runtime
