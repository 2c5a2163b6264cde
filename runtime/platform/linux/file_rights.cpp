#include "runtime/platform/linux/file_rights.hpp"

#include <fcntl.h>

#include <array>
#include <string>

#include "runtime/os/descriptor.hpp"
#include "runtime/platform/linux/landlock.hpp"

namespace nd7::runtime {
namespace {

using landlock::Rights;
using landlock::Ruleset;

/// What every program expects to be able to write to; nothing is kept there.
constexpr std::array kDevices{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
                              "/dev/tty",  "/dev/ptmx", "/dev/pts",  "/dev/fd"};

/// Something that is not there needs no rule.
Outcome allow(Ruleset& rules, const std::string& path, Rights rights) {
  const Descriptor at{::open(path.c_str(), O_PATH | O_CLOEXEC)};
  if (!at) {
    if (errno == ENOENT || errno == EACCES || errno == ENOTDIR) return std::nullopt;
    return failed("open " + path + " for a Landlock rule");
  }
  return rules.allow(at.get(), rights);
}

Outcome allow_ports(Ruleset& rules, const linux_plan::Plan& plan) {
  for (const linux_plan::Port& port : plan.connect) {
    if (port.protocol != linux_plan::Protocol::tcp) continue;
    for (std::uint32_t number = port.first; number <= port.last; ++number) {
      if (auto failure = rules.allow_connect(static_cast<std::uint16_t>(number))) return failure;
    }
  }
  for (const linux_plan::Port& port : plan.bind) {
    if (port.protocol != linux_plan::Protocol::tcp) continue;
    for (std::uint32_t number = port.first; number <= port.last; ++number) {
      if (auto failure = rules.allow_bind(static_cast<std::uint16_t>(number))) return failure;
    }
  }
  return std::nullopt;
}

}  // namespace

Outcome enforce_file_rights(const linux_plan::Plan& plan, const Layout& layout) {
  const Rights all = landlock::known_rights(landlock::abi()) & ~landlock::kIoctlDevice;
  Ruleset rules;
  if (auto failure = rules.create({all, true, true, true, true})) return failure;
  for (const Place& place : layout) {
    Rights rights = 0;
    if (place.access == Access::read) rights = landlock::kRead;
    if (place.access == Access::write || place.access == Access::own) {
      rights = landlock::kRead | landlock::kWrite;
    }
    if (rights != 0 && place.exec) rights |= landlock::kExecute;
    if (auto failure = allow(rules, place.path, rights)) return failure;
  }
  for (const char* device : kDevices) {
    if (auto failure =
            allow(rules, device, landlock::kRead | landlock::kWriteFile | landlock::kTruncate)) {
      return failure;
    }
  }
  if (auto failure = allow_ports(rules, plan)) return failure;
  return rules.enforce();
}

}  // namespace nd7::runtime
