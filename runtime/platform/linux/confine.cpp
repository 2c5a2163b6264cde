#include "runtime/platform/linux/confine.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "runtime/platform/linux/file_rights.hpp"
#include "runtime/platform/linux/layout.hpp"
#include "runtime/platform/linux/mounts.hpp"
#include "runtime/platform/linux/seccomp.hpp"

namespace nd7::runtime {
namespace {

std::vector<OwnPlace> places_of(const std::vector<OwnDirectory>& own) {
  std::vector<OwnPlace> places;
  places.reserve(own.size());
  for (const OwnDirectory& one : own) places.push_back({one.path, one.read_only});
  return places;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  // exec takes them as char* and does not write to them.
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

std::string_view search_path(const std::vector<std::string>& environment) {
  constexpr std::string_view kName = "PATH=";
  const auto at = std::find_if(environment.begin(), environment.end(),
                               [&](const std::string& entry) { return entry.starts_with(kName); });
  if (at == environment.end()) return "/usr/local/bin:/usr/bin:/bin";
  return std::string_view{*at}.substr(kName.size());
}

}  // namespace

Outcome make_mounts(const linux_plan::Plan& plan, const std::vector<OwnDirectory>& own,
                    bool fresh_proc, const ChildReport& report) {
  mounts::Options options;
  options.fresh_proc = fresh_proc;
  for (const OwnDirectory& one : own) {
    Descriptor source{::open(one.source.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
    if (!source) return failed("open " + one.source);
    options.own.push_back({one.path, std::move(source)});
  }
  const mounts::Applied applied = mounts::apply(layout_of(plan, places_of(own)), options);
  for (const std::string& path : applied.absent) report.absent(path);
  return applied.failure;
}

Outcome restrict_to(const linux_plan::Plan& plan, const std::vector<OwnDirectory>& own,
                    Descriptor& connects) {
  if (auto failure = enforce_file_rights(plan, layout_of(plan, places_of(own)))) return failure;
  const bool udp = std::any_of(plan.connect.begin(), plan.connect.end(), [](const auto& port) {
    return port.protocol == linux_plan::Protocol::udp;
  });
  return seccomp::enforce({udp}, connects);
}

void reset_signals() {
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  sigset_t none{};
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void execute(const std::vector<std::string>& arguments,
             const std::vector<std::string>& environment) {
  const std::vector<char*> argv = pointers(arguments);
  const std::vector<char*> envp = pointers(environment);
  const std::string& program = arguments.front();
  if (program.find('/') != std::string::npos) {
    ::execve(program.c_str(), argv.data(), envp.data());
    return;
  }
  int best = ENOENT;
  std::string_view rest = search_path(environment);
  for (bool more = true; more;) {
    const std::size_t colon = rest.find(':');
    more = colon != std::string_view::npos;
    const std::string_view directory = rest.substr(0, colon);
    if (more) rest.remove_prefix(colon + 1);
    const std::string candidate =
        directory.empty() ? "./" + program : std::string{directory} + "/" + program;
    ::execve(candidate.c_str(), argv.data(), envp.data());
    // Something that is there and cannot be run says more than something that is not.
    if (errno != ENOENT && errno != ENOTDIR) best = errno;
  }
  errno = best;
}

}  // namespace nd7::runtime
