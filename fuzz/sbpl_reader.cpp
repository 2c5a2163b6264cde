// Any bytes as a profile: read, decided under every model, searched for traps.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "compiler/seatbelt/read/precedence.hpp"
#include "compiler/seatbelt/read/profile.hpp"
#include "compiler/seatbelt/read/traps.hpp"

namespace {

using namespace nd7;
using namespace nd7::seatbelt;
using namespace nd7::seatbelt::read;

void check(bool holds) {
  if (!holds) std::abort();
}

void ask(const RuleBase& base, const Request& request) {
  for (const Model model : kModels) {
    const std::vector<Step> list = steps(base, request.op, model);
    check(!list.empty() && list.back().kind != Step::Kind::import && !list.back().filtered);
    const Decision decision = decide(base, request, list);
    check(decision.unconfined == Truth::no || decision.verdict != Verdict::deny);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  SourceMap sources;
  const FileId file =
      sources.add("fuzz.sb", "", std::string(reinterpret_cast<const char*>(data), size));
  ReadOptions options;
  options.fragment = size % 2 == 0;
  if (size % 3 == 0) options.release = Release::macos13;
  options.parameters = {{"HOME", Parameter::Kind::opaque, ""},
                        {"PROJ", Parameter::Kind::bound, "/Users/dev/p"}};
  options.limits.steps = 20'000;
  options.limits.cells = 50'000;
  options.limits.text_bytes = 100'000;
  options.limits.depth = 500;
  Diagnostics diagnostics;
  const std::optional<RuleBase> base =
      read_profile(sources, std::span{&file, 1}, options, diagnostics);
  check(base.has_value() != diagnostics.has_errors());
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    const bool inside =
        !diagnostic.primary ||
        (diagnostic.primary->begin <= diagnostic.primary->end && diagnostic.primary->end <= size);
    check(inside);
  }
  if (!base) return 0;
  find_traps(*base, diagnostics);
  ask(*base, {Op::file_read_data, PathSubject{"/Users/dev/p/.git/config"}, {}, {}, {}});
  ask(*base,
      {Op::network_outbound, IpSubject{Address::Protocol::tcp, {}, 443, Side::remote}, {}, {}, {}});
  ask(*base, {Op::network_bind, UnixSubject{"/private/tmp/a.sock", Side::local}, {}, {}, {}});
  ask(*base, {Op::mach_lookup, MachSubject{Variant::global_name, "com.example"}, {}, {}, {}});
  ask(*base, {Op::process_exec_all, PathSubject{"/bin/sh"}, {}, {}, {}});
  ask(*base, {Op::sysctl_read, {}, {}, {}, {}});
  return 0;
}
