#include "runtime/platform/linux/landlock.hpp"

#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cstddef>

namespace nd7::runtime::landlock {
namespace {

// The same numbers on every architecture.
constexpr long kCreateRuleset = 444;
constexpr long kAddRule = 445;
constexpr long kRestrictSelf = 446;

constexpr std::uint32_t kAskVersion = 1;
constexpr int kPathBeneath = 1;
constexpr int kPort = 2;
constexpr std::uint64_t kScopeAbstractSockets = 1;
constexpr std::uint64_t kScopeSignals = 2;
constexpr std::uint32_t kLogNewExec = 2;  ///< ABI 7

struct RulesetAttribute {
  std::uint64_t files;
  std::uint64_t ports;
  std::uint64_t scoped;
};

struct [[gnu::packed]] PathAttribute {
  std::uint64_t rights;
  std::int32_t parent;
};

struct PortAttribute {
  std::uint64_t rights;
  std::uint64_t port;
};

}  // namespace

int abi() {
  const long version = ::syscall(kCreateRuleset, nullptr, 0, kAskVersion);
  return version > 0 ? static_cast<int>(version) : 0;
}

Rights known_rights(int abi) {
  const unsigned count = abi >= 5 ? 16 : abi >= 3 ? 15 : abi >= 2 ? 14 : abi >= 1 ? 13 : 0;
  return (Rights{1} << count) - 1;
}

Outcome Ruleset::create(const Handled& handled) {
  const int version = abi();
  files_ = handled.files & known_rights(version);
  ports_ = 0;
  if (version >= 4) ports_ = (handled.connect ? kConnect : 0) | (handled.bind ? kBind : 0);
  RulesetAttribute attribute{files_, ports_, 0};
  if (version >= 6) {
    attribute.scoped = (handled.scope_abstract_sockets ? kScopeAbstractSockets : 0) |
                       (handled.scope_signals ? kScopeSignals : 0);
  }
  // A kernel refuses bytes that it does not know, even zero ones of a later version's size.
  const std::size_t size = version >= 6   ? sizeof attribute
                           : version >= 4 ? offsetof(RulesetAttribute, scoped)
                                          : offsetof(RulesetAttribute, ports);
  const long ruleset = ::syscall(kCreateRuleset, &attribute, size, 0);
  if (ruleset < 0) return failed("create a Landlock ruleset");
  ruleset_ = Descriptor{static_cast<int>(ruleset)};
  return std::nullopt;
}

Outcome Ruleset::allow(int path, Rights rights) {
  struct stat status {};
  if (::fstat(path, &status) != 0) return failed("look at a path of a Landlock rule");
  rights &= files_;
  if (!S_ISDIR(status.st_mode)) rights &= kOfFiles;
  if (rights == 0) return std::nullopt;
  const PathAttribute attribute{rights, path};
  if (::syscall(kAddRule, ruleset_.get(), kPathBeneath, &attribute, 0) != 0) {
    return failed("add a Landlock rule for a path");
  }
  return std::nullopt;
}

Outcome Ruleset::allow_port(std::uint16_t port, std::uint64_t rights) {
  rights &= ports_;
  if (rights == 0) return std::nullopt;
  const PortAttribute attribute{rights, port};
  if (::syscall(kAddRule, ruleset_.get(), kPort, &attribute, 0) != 0) {
    return failed("add a Landlock rule for a port");
  }
  return std::nullopt;
}

Outcome Ruleset::enforce() {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failed("set no_new_privs");
  const std::uint32_t flags = abi() >= 7 ? kLogNewExec : 0;
  if (::syscall(kRestrictSelf, ruleset_.get(), flags) != 0) {
    return failed("enforce the Landlock ruleset");
  }
  return std::nullopt;
}

}  // namespace nd7::runtime::landlock
