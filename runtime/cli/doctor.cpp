// nd7 doctor
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "compiler/diagnostics/render.hpp"
#include "runtime/cli/commands.hpp"
#include "runtime/cli/parse.hpp"
#include "runtime/cli/say.hpp"
#include "runtime/platform/linux/probe.hpp"
#include "runtime/session/home.hpp"
#include "runtime/session/installed.hpp"
#include "runtime/session/store.hpp"

namespace nd7::runtime::cli {
namespace {

Check of(std::string name, const Outcome& failure, std::string found, std::string remedy) {
  if (!failure) return {std::move(name), true, std::move(found), {}};
  return {std::move(name), false, failure->text(), std::move(remedy)};
}

std::vector<Check> all_checks() {
  std::string home;
  const auto homeless = home_directory(home);
  std::vector<Check> checks = probe(homeless ? "/" : home);
  Installed installed;
  const auto missing = find_installed(installed);
  checks.push_back(
      of("nd7-exec", missing, installed.nd7_exec,
         "install nd7 and nd7-exec into one directory that only you or root can write"));
  checks.push_back(
      of("home directory", homeless, home, "give this user one in the password database"));
  if (!homeless) {
    checks.push_back(of("records", Store{home}.prepare(), home + "/.nd7",
                        "make ~/.nd7 a directory of this user's alone"));
  }
  if (::geteuid() == 0) {
    checks.push_back({"user", true, "root: files owned by root stay readable to a session", {}});
  }
  return checks;
}

std::string as_json(const std::vector<Check>& checks) {
  std::string text = "{\"nd7_doctor\":1,\"checks\":[";
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const Check& check = checks[i];
    text +=
        fmt::format("{}{{\"name\":{},\"good\":{},\"found\":{},\"remedy\":{}}}", i == 0 ? "" : ",",
                    json_string(check.name), check.good, json_string(check.found),
                    check.remedy.empty() ? "null" : json_string(check.remedy));
  }
  return text + "]}\n";
}

std::string as_text(const std::vector<Check>& checks) {
  std::string text;
  for (const Check& check : checks) {
    text += fmt::format("{:<8} {}: {}\n", check.good ? "good" : "MISSING", check.name,
                        printable(check.found));
    if (!check.remedy.empty()) text += fmt::format("         {}\n", check.remedy);
  }
  return text;
}

}  // namespace

int run_doctor(const Words& words) {
  CLI::App app{"Find out whether this machine can keep a session, and what it lacks.",
               "nd7 doctor"};
  bool json = false;
  app.add_flag("--json", json, "one JSON object");
  if (const auto code = parse(app, words)) return *code;
  const auto checks = all_checks();
  const bool good =
      std::all_of(checks.begin(), checks.end(), [](const Check& check) { return check.good; });
  if (!print(json ? as_json(checks) : as_text(checks))) return kFindings;
  return good ? kDone : kFindings;
}

}  // namespace nd7::runtime::cli
