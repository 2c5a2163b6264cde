// nd7 sessions
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "compiler/diagnostics/render.hpp"
#include "runtime/cli/choose.hpp"
#include "runtime/cli/commands.hpp"
#include "runtime/cli/parse.hpp"
#include "runtime/cli/say.hpp"

namespace nd7::runtime::cli {

int run_sessions(const Words& words) {
  CLI::App app{"List the running sessions and what was granted to them.", "nd7 sessions"};
  bool json = false;
  app.add_flag("--json", json, "one JSON object for each session, a line each");
  if (const auto code = parse(app, words)) return *code;
  const auto store = open_store("sessions");
  if (!store) return kFindings;
  std::string text;
  for (const pid_t process : store->running()) {
    const auto record = store->read_record(process);
    const auto* const known = std::get_if<Record>(&record);
    if (known == nullptr) continue;
    if (json) {
      text += fmt::format("{{\"session\":{},\"project\":{},\"rules\":{},\"grants\":[", process,
                          json_string(known->project), json_string(known->root));
      for (std::size_t i = 0; i < known->grants.size(); ++i) {
        text += (i == 0 ? "" : ",") + json_string(known->grants[i]);
      }
      text += "]}\n";
      continue;
    }
    text += fmt::format("session {}: {}\n", process, printable(known->project));
    for (const std::string& grant : known->grants) {
      text += fmt::format("  writes under {} allowed\n", printable(grant));
    }
  }
  if (text.empty() && !json) report("no nd7 session is running\n");
  return print(text) ? kDone : kFindings;
}

}  // namespace nd7::runtime::cli
