#include "compiler/seatbelt/tables/filter.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace nd7::seatbelt {
namespace {

/// A set of subjects, one bit each.
using SubjectSet = std::uint32_t;

constexpr SubjectSet only(Subject subject) { return 1U << static_cast<unsigned>(subject); }

constexpr SubjectSet kAny = ~SubjectSet{0};
constexpr SubjectSet kNone = 0;
constexpr SubjectSet kFile = only(Subject::path);
constexpr SubjectSet kOutbound = only(Subject::outbound) | only(Subject::network);
constexpr SubjectSet kNetwork = kOutbound | only(Subject::inbound);
constexpr SubjectSet kPathLike = kFile | kNetwork;
constexpr SubjectSet kMach = only(Subject::mach);
constexpr SubjectSet kSocket = kNetwork | only(Subject::socket);
constexpr SubjectSet kSignal = only(Subject::signal);
constexpr SubjectSet kProcess = only(Subject::process) | kSignal;
constexpr SubjectSet kSysctl = only(Subject::sysctl);
constexpr SubjectSet kIokit = only(Subject::iokit);
constexpr SubjectSet kIpc = only(Subject::ipc);
constexpr SubjectSet kPreference = only(Subject::preference);
constexpr SubjectSet kName = only(Subject::name);
constexpr SubjectSet kInfoType = only(Subject::infotype);
constexpr SubjectSet kKext = only(Subject::kext);
constexpr SubjectSet kNvram = only(Subject::nvram);
constexpr SubjectSet kPrivilege = only(Subject::privilege);
constexpr SubjectSet kPort = only(Subject::port);
constexpr SubjectSet kSyscall = only(Subject::syscall);
constexpr SubjectSet kMacSyscall = only(Subject::macsyscall);
constexpr SubjectSet kFcntl = only(Subject::fcntl);

/// The column `variant` of filters.def.
enum class About : std::uint8_t {
  any,
  path_like,
  path,
  ip,
  unix_socket,
  control,
  global_name,
  local_name,
  xpc_name,
  other
};

struct Row {
  FilterInfo info;
  About about;
  SubjectSet accepts;
};

constexpr std::array<Row, kFilterCount> kFilters{{
#define ND7_FILTER(id, name, value, variant, accepts) \
  {{name, FilterValue::value, About::variant != About::any}, About::variant, accepts},
#include "compiler/seatbelt/tables/filters.def"
}};

const Row& row(Filter filter) { return kFilters[static_cast<std::size_t>(filter)]; }

constexpr std::array kAliases{
    std::pair<std::string_view, Filter>{"path", Filter::literal},
    std::pair<std::string_view, Filter>{"path-literal", Filter::literal},
    std::pair<std::string_view, Filter>{"path-prefix", Filter::prefix},
    std::pair<std::string_view, Filter>{"path-subpath", Filter::subpath},
    std::pair<std::string_view, Filter>{"path-regex", Filter::regex},
    std::pair<std::string_view, Filter>{"mount-relative-path", Filter::mount_relative_literal},
    std::pair<std::string_view, Filter>{"mount-relative-path-subpath",
                                        Filter::mount_relative_subpath},
    std::pair<std::string_view, Filter>{"to", Filter::remote},
    std::pair<std::string_view, Filter>{"from", Filter::local},
    std::pair<std::string_view, Filter>{"iokit-user-client-class",
                                        Filter::iokit_registry_entry_class},
    std::pair<std::string_view, Filter>{"iokit-user-client-class-prefix",
                                        Filter::iokit_registry_entry_class_prefix},
    std::pair<std::string_view, Filter>{"iokit-user-client-class-regex",
                                        Filter::iokit_registry_entry_class_regex},
};

constexpr std::array<std::string_view, 8> kVnodeTypes{
    "REGULAR-FILE", "DIRECTORY", "BLOCK-DEVICE", "CHARACTER-DEVICE",
    "SYMLINK",      "SOCKET",    "FIFO",         "TTY"};
constexpr std::array<std::string_view, 6> kTargets{"self",     "pgrp",         "others",
                                                   "children", "same-sandbox", "initproc"};
constexpr std::array<std::string_view, 3> kSemaphoreOwners{"self", "pgrp", "same-sandbox"};

bool is_xattr(Filter filter) {
  return filter == Filter::xattr || filter == Filter::xattr_prefix || filter == Filter::xattr_regex;
}

}  // namespace

const FilterInfo& info(Filter filter) { return row(filter).info; }

std::optional<Filter> find_filter(std::string_view name) {
  if (name.find(' ') != std::string_view::npos) return std::nullopt;
  for (std::size_t i = 0; i < kFilterCount; ++i) {
    if (kFilters[i].info.name == name) return static_cast<Filter>(i);
  }
  const auto* const alias = std::find_if(kAliases.begin(), kAliases.end(),
                                         [&](const auto& entry) { return entry.first == name; });
  if (alias != kAliases.end()) return alias->second;
  return std::nullopt;
}

bool accepts(Op op, Filter filter) {
  if ((row(filter).accepts & only(info(op).subject)) == 0)
    return filter == Filter::reboot_flags && op == Op::system_reboot;
  if (is_xattr(filter)) return op == Op::file_read_xattr || op == Op::file_write_xattr;
  if (filter == Filter::fsctl_command) return op == Op::system_fsctl;
  if (filter == Filter::ioctl_command) return op == Op::file_ioctl;
  return true;
}

std::optional<Variant> variant_of(Filter filter, Subject subject) {
  switch (row(filter).about) {
    case About::any: return std::nullopt;
    case About::path_like: return subject == Subject::path ? Variant::path : Variant::unix_socket;
    case About::path: return Variant::path;
    case About::ip: return Variant::ip;
    case About::unix_socket: return Variant::unix_socket;
    case About::control: return Variant::control;
    case About::global_name: return Variant::global_name;
    case About::local_name: return Variant::local_name;
    case About::xpc_name: return Variant::xpc_name;
    case About::other: return Variant::other;
  }
  return std::nullopt;
}

bool knows_symbol(Filter filter, std::string_view symbol) {
  const auto among = [&](std::span<const std::string_view> set) {
    return std::find(set.begin(), set.end(), symbol) != set.end();
  };
  switch (filter) {
    case Filter::vnode_type: return among(kVnodeTypes);
    case Filter::target: return among(kTargets);
    case Filter::semaphore_owner: return among(kSemaphoreOwners);
    default: return !symbol.empty();
  }
}

}  // namespace nd7::seatbelt
