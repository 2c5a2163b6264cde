#include "compiler/seatbelt/lower/tautology.hpp"

namespace nd7::seatbelt {

std::optional<ir::CondId> tautology_of(Subject subject, ir::Conditions& conditions) {
  const auto atom = [&](Filter filter, const char* text) {
    return conditions.atom({filter, text, 0, {}});
  };
  switch (subject) {
    case Subject::path: return atom(Filter::subpath, "/");
    case Subject::sysctl: return atom(Filter::sysctl_name_prefix, "");
    case Subject::ipc: return atom(Filter::ipc_posix_name_prefix, "");
    case Subject::preference: return atom(Filter::preference_domain_prefix, "");
    case Subject::mach:
      return conditions.any({atom(Filter::global_name_prefix, ""),
                             atom(Filter::local_name_prefix, ""),
                             atom(Filter::xpc_service_name_prefix, "")});
    default: return std::nullopt;
  }
}

}  // namespace nd7::seatbelt
