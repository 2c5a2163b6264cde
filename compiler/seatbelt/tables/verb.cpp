#include "compiler/seatbelt/tables/verb.hpp"

namespace nd7::seatbelt {
namespace {

constexpr std::array kReadOpens{Op::file_read_all};
constexpr std::array kReadCloses{Op::file_read_all, Op::file_write_all};
constexpr std::array kReadLifts{Op::file_read_all, Op::file_clone, Op::file_map_executable,
                                Op::file_test_existence};
// Linking a file is a way to write it under another name, so it goes where writing goes.
constexpr std::array kWriteOpens{Op::file_read_all, Op::file_write_all, Op::file_link};
constexpr std::array kWriteCloses{Op::file_write_all};  // also what the word means
constexpr std::array kWriteLifts{Op::file_read_all,       Op::file_write_all,
                                 Op::file_clone,          Op::file_link,
                                 Op::file_map_executable, Op::file_test_existence};
constexpr std::array kExec{Op::process_exec_all};
constexpr std::array kConnect{Op::network_outbound};
constexpr std::array kBind{Op::network_inbound, Op::network_bind};
constexpr std::array kMach{Op::mach_lookup};
constexpr std::array kSignal{Op::signal};
constexpr std::array kSysctl{Op::sysctl_read};

constexpr std::array<VerbInfo, kVerbs.size()> kTable{{
    {"read", VerbValue::path, kReadOpens, kReadOpens, kReadCloses, kReadLifts},
    {"write", VerbValue::path, kWriteCloses, kWriteOpens, kWriteCloses, kWriteLifts},
    {"exec", VerbValue::path, kExec, kExec, kExec, kExec},
    {"connect", VerbValue::address, kConnect, kConnect, kConnect, kConnect},
    {"bind", VerbValue::address, kBind, kBind, kBind, kBind},
    {"mach", VerbValue::service, kMach, kMach, kMach, kMach},
    {"signal", VerbValue::target, kSignal, kSignal, kSignal, kSignal},
    {"sysctl", VerbValue::name, kSysctl, kSysctl, kSysctl, kSysctl},
}};

}  // namespace

const VerbInfo& info(Verb verb) { return kTable[static_cast<std::size_t>(verb)]; }

std::optional<Verb> find_verb(std::string_view name) {
  for (const Verb verb : kVerbs) {
    if (info(verb).name == name) return verb;
  }
  return std::nullopt;
}

}  // namespace nd7::seatbelt
