#include "runtime/session/parameters.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <memory>

#include "runtime/os/descriptor.hpp"

namespace nd7::runtime {
namespace {

std::optional<std::string> real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real{::realpath(path.c_str(), nullptr),
                                                         &std::free};
  if (!real) return std::nullopt;
  return std::string{real.get()};
}

/// The only line of a short file.
std::optional<std::string> line_of(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)};
  if (!file) return std::nullopt;
  std::array<char, 4096> block{};
  const ssize_t count = ::read(file.get(), block.data(), block.size());
  if (count <= 0) return std::nullopt;
  std::string line{block.data(), static_cast<std::size_t>(count)};
  const std::size_t end = line.find('\n');
  if (end != std::string::npos) line.resize(end);
  return line;
}

std::string below(const std::string& base, const std::string& path) {
  return path.starts_with("/") ? path : base + "/" + path;
}

}  // namespace

std::optional<std::string> git_common_directory(const std::string& project) {
  const std::string entry = project + "/.git";
  struct stat status {};
  if (::lstat(entry.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return entry;
  const auto line = line_of(entry);
  constexpr std::string_view kKey = "gitdir: ";
  if (!line || !line->starts_with(kKey)) return std::nullopt;
  const auto worktree = real_path(below(project, line->substr(kKey.size())));
  if (!worktree) return std::nullopt;
  const auto back = line_of(*worktree + "/gitdir");
  const auto real_entry = real_path(entry);
  if (!back || !real_entry || real_path(below(*worktree, *back)) != real_entry) {
    return std::nullopt;
  }
  const auto common = line_of(*worktree + "/commondir");
  if (!common) return std::nullopt;
  auto result = real_path(below(*worktree, *common));
  // Where git keeps worktrees, and nowhere else.
  if (!result || !worktree->starts_with(*result + "/worktrees/")) return std::nullopt;
  return result;
}

std::vector<std::string> bind_from_machine(const std::vector<ir::Param>& params, Record& record) {
  std::vector<std::string> doubts;
  for (const ir::Param& param : params) {
    if (param.value || record.bindings.contains(param.key)) continue;
    if (param.source == ir::ParamSource::git_common_dir) {
      if (auto directory = git_common_directory(record.project)) {
        record.bindings.emplace(param.key, std::move(*directory));
      }
      continue;
    }
    if (param.source != ir::ParamSource::environment) continue;
    const char* const value = std::getenv(param.environment.c_str());
    if (value == nullptr || value[0] == '\0') continue;
    if (value[0] != '/') {
      record.bindings.emplace(param.key, value);
      continue;
    }
    if (auto real = real_path(value)) {
      record.bindings.emplace(param.key, std::move(*real));
    } else {
      doubts.push_back(
          fmt::format("{} names {}, which is not there; what the rules open by it stays closed",
                      param.environment, value));
    }
  }
  return doubts;
}

}  // namespace nd7::runtime
