// Preloaded into whatever the client starts: ends nd7's hook before its first instruction.
#include <errno.h>
#include <signal.h>

#include <cstring>

namespace {

[[gnu::constructor]] void end_the_hook() {
  if (std::strcmp(program_invocation_short_name, "nd7") == 0) ::raise(SIGKILL);
}

}  // namespace
