#include "compiler/seatbelt/tables/operation.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace nd7::seatbelt {
namespace {

constexpr ReleaseSet all = ReleaseSet::all();
constexpr ReleaseSet since14{0x0e};
constexpr ReleaseSet until13{0x01};

constexpr std::array<OperationInfo, kOpCount> kOperations{{
#define ND7_OPERATION(id, name, parent, builtin, subject, releases) \
  {name, Op::parent, Builtin::builtin, Subject::subject, releases},
#include "compiler/seatbelt/tables/operations.def"
}};

constexpr std::array kAliases{
    std::pair<std::string_view, Op>{"process-exec", Op::process_exec_all},
    std::pair<std::string_view, Op>{"ipc-posix-sem", Op::ipc_posix_sem_all},
    std::pair<std::string_view, Op>{"ipc-posix-shm", Op::ipc_posix_shm_all},
    std::pair<std::string_view, Op>{"ipc-posix-shm-read*", Op::ipc_posix_shm_read_data},
    std::pair<std::string_view, Op>{"file-fsctl", Op::system_fsctl},
    std::pair<std::string_view, Op>{"system-misc", Op::system_all},
    std::pair<std::string_view, Op>{"time-set", Op::system_set_time},
    std::pair<std::string_view, Op>{"file-unlink", Op::file_write_unlink},
    std::pair<std::string_view, Op>{"file-write-mount", Op::file_mount},
    std::pair<std::string_view, Op>{"file-write-unmount", Op::file_unmount},
    std::pair<std::string_view, Op>{"file-write-umount", Op::file_unmount},
    std::pair<std::string_view, Op>{"file-issue-extension*", Op::file_issue_extension},
    std::pair<std::string_view, Op>{"file-issue-extension-read", Op::file_issue_extension},
    std::pair<std::string_view, Op>{"file-issue-extension-write", Op::file_issue_extension},
    std::pair<std::string_view, Op>{"managed-preference*", Op::managed_preference_read},
};

constexpr std::array<std::string_view, 4> kNoops{"mach-per-user-lookup", "system-chud",
                                                 "qtn-download", "ipc-posix-shm-read-metadata"};

// For each operation, itself and everything below it. Built once: the table is fixed.
struct Families {
  std::array<std::vector<Op>, kOpCount> of;
  Families() {
    for (std::size_t i = 0; i < kOpCount; ++i) {
      for (Op op = static_cast<Op>(i);; op = info(op).parent) {
        of[static_cast<std::size_t>(op)].push_back(static_cast<Op>(i));
        if (!parent(op)) break;
      }
    }
  }
};

const Families& families() {
  static const Families instance;
  return instance;
}

}  // namespace

std::string_view to_string(Release release) {
  switch (release) {
    case Release::macos13: return "macos-13";
    case Release::macos14: return "macos-14";
    case Release::macos15: return "macos-15";
    case Release::macos26: return "macos-26";
  }
  return {};
}

std::optional<Release> parse_release(std::string_view name) {
  for (const Release release : kReleases) {
    if (to_string(release) == name) return release;
  }
  return std::nullopt;
}

const OperationInfo& info(Op op) { return kOperations[static_cast<std::size_t>(op)]; }

std::span<const Variant> variants(Subject subject) {
  static constexpr std::array kPath{Variant::path};
  static constexpr std::array kOutbound{Variant::ip, Variant::unix_socket, Variant::control};
  static constexpr std::array kInbound{Variant::ip, Variant::unix_socket};
  static constexpr std::array kMach{Variant::global_name, Variant::local_name, Variant::xpc_name};
  static constexpr std::array kOther{Variant::other};
  switch (subject) {
    case Subject::path: return kPath;
    case Subject::network:
    case Subject::outbound: return kOutbound;
    case Subject::inbound: return kInbound;
    case Subject::mach: return kMach;
    default: return kOther;
  }
}

std::optional<Op> find_operation(std::string_view name, std::optional<Release> release) {
  // macOS 14 split iokit-open into a class; its old name is still taken there.
  if (name == "iokit-open" && release && *release != Release::macos13) return Op::iokit_open_all;
  for (std::size_t i = 0; i < kOpCount; ++i) {
    if (kOperations[i].name == name) return static_cast<Op>(i);
  }
  const auto* const alias = std::find_if(kAliases.begin(), kAliases.end(),
                                         [&](const auto& entry) { return entry.first == name; });
  if (alias != kAliases.end()) return alias->second;
  return std::nullopt;
}

bool is_noop_operation(std::string_view name) {
  return std::find(kNoops.begin(), kNoops.end(), name) != kNoops.end();
}

std::optional<Op> parent(Op op) {
  if (op == Op::default_) return std::nullopt;
  const OperationInfo& entry = info(op);
  if (entry.parent == Op::default_ && entry.builtin != Builtin::inherit) return std::nullopt;
  return entry.parent;
}

bool is_within(Op op, Op ancestor) {
  for (std::optional<Op> at = op; at; at = parent(*at)) {
    if (*at == ancestor) return true;
  }
  return false;
}

std::span<const Op> family(Op op) { return families().of[static_cast<std::size_t>(op)]; }

bool is_concrete(Op op) {
  return family(op).size() == 1 || op == Op::process_exec_all || op == Op::network_inbound ||
         op == Op::user_preference_read || op == Op::file_mount;
}

Builtin builtin_answer(Op op) {
  Op at = op;
  while (const std::optional<Op> up = parent(at)) at = *up;
  return info(at).builtin;
}

}  // namespace nd7::seatbelt
