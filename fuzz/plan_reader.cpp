// Any bytes as a plan: what is read prints as something that is read as the same, and is decided
// without harm.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "compiler/linux/model.hpp"
#include "compiler/linux/print.hpp"
#include "compiler/linux/read.hpp"
#include "compiler/linux/values.hpp"

namespace {

using namespace nd7::linux_plan;

void check(bool holds) {
  if (!holds) std::abort();
}

void ask(const Plan& plan, std::string_view path) {
  const Decision reading = decide_path(plan, Access::read, path);
  const Decision writing = decide_path(plan, Access::write, path);
  const Decision running = decide_path(plan, Access::exec, path);
  check(!writing.allowed || reading.allowed);
  check(reading.own == is_private(plan, path) && writing.own == reading.own &&
        running.own == reading.own);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ReadResult first = read({reinterpret_cast<const char*>(data), size});
  check(first.plan.has_value() == first.reason.empty());
  if (!first.plan) return 0;
  const std::string text = print(*first.plan);
  const ReadResult second = read(text);
  check(second.plan && *second.plan == *first.plan);
  check(print(*second.plan) == text);
  const Plan bound = with_values(
      *first.plan, {{"HOME", "/home/me"}, {"PROJ", "/home/me/project"}, {"TMP", "/tmp"}});
  for (const Param& param : bound.params) check(!param.optional);
  if (!bound.params.empty()) return 0;
  ask(bound, "/");
  ask(bound, "/home/me/.ssh/id");
  ask(bound, "/tmp/x");
  ask(bound, "/dev/shm");
  for (const Tree& tree : bound.write) ask(bound, tree.path);
  for (const Carve& carve : bound.closed) ask(bound, carve.tree.path + "/x");
  (void)decide_socket(bound, "/run/docker.sock");
  (void)decide_connect(bound, Protocol::tcp, false, 443);
  (void)decide_bind(bound, Protocol::udp, true, 53);
  return 0;
}
