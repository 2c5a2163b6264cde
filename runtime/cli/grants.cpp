// nd7 allow PATH, nd7 deny PATH
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>

#include "compiler/diagnostics/render.hpp"
#include "compiler/linux/print.hpp"
#include "compiler/linux/read.hpp"
#include "runtime/cli/choose.hpp"
#include "runtime/cli/commands.hpp"
#include "runtime/cli/parse.hpp"
#include "runtime/cli/say.hpp"
#include "runtime/platform/linux/layout.hpp"
#include "runtime/session/render.hpp"

namespace nd7::runtime::cli {
namespace {

struct Asked {
  std::string path;
  std::optional<pid_t> session;
};

std::optional<int> read_words(const Words& words, const char* about, const std::string& name,
                              Asked& asked) {
  CLI::App app{about, name};
  pid_t session = 0;
  app.add_option("PATH", asked.path, "a directory or file, as it is seen from here")->required();
  auto* const option =
      app.add_option("--session", session, "which session, by the number that nd7 run printed")
          ->type_name("PID");
  if (const auto code = parse(app, words)) return code;
  if (option->count() > 0) asked.session = session;
  return std::nullopt;
}

std::optional<std::string> real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real{::realpath(path.c_str(), nullptr),
                                                         &std::free};
  if (!real) return std::nullopt;
  return std::string{real.get()};
}

std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

/// A session whose record is held while it is changed.
struct Held {
  Descriptor lock;
  Record record;
};

std::optional<Held> hold(const Store& store, pid_t process, std::string_view command) {
  Held held;
  if (const auto failure = store.lock(process, held.lock)) {
    say(command, failure->text());
    return std::nullopt;
  }
  auto record = store.read_record(process);
  if (const auto* const failure = std::get_if<Failure>(&record)) {
    say(command, failure->text());
    return std::nullopt;
  }
  held.record = std::move(std::get<Record>(record));
  return held;
}

/// Record and policy, or neither. False, after a message.
bool commit(const Store& store, Record& record, std::string_view command,
            linux_plan::Plan* plan = nullptr) {
  RenderResult result = render(record, laws::Profile::command, nullptr);
  if (!result.rendered) {
    report(result.report);
    say(command, "nothing was changed");
    return false;
  }
  if (const auto failure = store.write(record, linux_plan::print(result.rendered->plan))) {
    say(command, failure->text());
    return false;
  }
  if (plan != nullptr) *plan = std::move(result.rendered->plan);
  return true;
}

/// What the session's next command would run under. nullopt, after a message.
std::optional<linux_plan::Plan> current_plan(const Store& store, pid_t process) {
  auto file = store.read_policy(process);
  if (const auto* const failure = std::get_if<Failure>(&file)) {
    say("allow", failure->text());
    return std::nullopt;
  }
  auto read = linux_plan::read(std::get<PolicyFile>(file).plan);
  if (!read.plan) say("allow", "read policy.plan: " + read.reason);
  return std::move(read.plan);
}

/// Why a path cannot be granted; nothing if it can.
std::optional<std::string> refusal(const linux_plan::Plan& plan, const std::string& path) {
  for (const linux_plan::Carve& carve : plan.closed) {
    const std::string& closed = carve.tree.path;
    if (is_at_or_below(path, closed)) {
      return fmt::format("{} is closed by `{}`: no grant can open it", path, carve.tree.rule);
    }
  }
  for (const linux_plan::Carve& carve : plan.readonly) {
    if (is_at_or_below(path, carve.tree.path)) {
      return fmt::format("{} cannot be written, by `{}`: no grant can open it", path,
                         carve.tree.rule);
    }
  }
  return std::nullopt;
}

/// What a wide grant leaves closed, for the person to know.
std::string still_closed(const linux_plan::Plan& plan, const std::string& path) {
  std::string text;
  for (const auto* carves : {&plan.closed, &plan.readonly}) {
    for (const linux_plan::Carve& carve : *carves) {
      if (!is_at_or_below(carve.tree.path, path)) continue;
      if (text.find(carve.tree.path) != std::string::npos) continue;
      text += (text.empty() ? "" : ", ") + carve.tree.path;
    }
  }
  return text;
}

}  // namespace

int run_allow(const Words& words) {
  Asked asked;
  if (const auto code =
          read_words(words, "Let a session's commands write at PATH, from the next one.",
                     "nd7 allow", asked)) {
    return *code;
  }
  const auto store = open_store("allow");
  if (!store) return kFindings;
  const auto process = choose_session(*store, asked.session, "allow");
  if (!process) return kFindings;
  // What the name means now: a link that is changed later takes no grant along.
  const auto path = real_path(asked.path);
  if (!path) {
    const Failure failure = failed(asked.path);
    say("allow", failure.text() + "; a grant is for something that is there");
    return kFindings;
  }
  auto held = hold(*store, *process, "allow");
  if (!held) return kFindings;
  Record& record = held->record;
  const auto before = current_plan(*store, *process);
  if (!before) return kFindings;
  if (const auto why = refusal(*before, *path)) {
    say("allow", *why);
    return kFindings;
  }
  if (std::find(record.grants.begin(), record.grants.end(), *path) == record.grants.end()) {
    record.grants.push_back(*path);
  }
  linux_plan::Plan plan;
  if (!commit(*store, record, "allow", &plan)) return kFindings;
  std::string text = fmt::format("session {}: writes under {} allowed from the next command\n",
                                 *process, printable(*path));
  if (const std::string closed = still_closed(plan, *path); !closed.empty()) {
    text += fmt::format("  still closed: {}\n", printable(closed));
  }
  return print(text) ? kDone : kFindings;
}

int run_deny(const Words& words) {
  Asked asked;
  if (const auto code = read_words(words, "Take back what `nd7 allow` gave.", "nd7 deny", asked)) {
    return *code;
  }
  const auto store = open_store("deny");
  if (!store) return kFindings;
  const auto process = choose_session(*store, asked.session, "deny");
  if (!process) return kFindings;
  auto held = hold(*store, *process, "deny");
  if (!held) return kFindings;
  Record& record = held->record;
  // By what it means now, or by what it was granted as: the directory may be gone.
  const std::string path = real_path(asked.path).value_or(without_slashes(asked.path));
  const auto at = std::find(record.grants.begin(), record.grants.end(), path);
  if (at == record.grants.end()) {
    say("deny", fmt::format("{} was not granted to session {}", path, *process));
    for (const std::string& grant : record.grants) {
      if (is_at_or_below(path, grant)) {
        report(fmt::format("it is below {}, which was; `nd7 deny {}` takes that back\n",
                           printable(grant), printable(grant)));
      }
    }
    report(
        "what the rules open is not taken back by nd7 deny: a command never has less than the "
        "floor; change the rules and start again\n");
    return kFindings;
  }
  record.grants.erase(at);
  if (!commit(*store, record, "deny")) return kFindings;
  return print(fmt::format("session {}: writes under {} no longer allowed from the next command\n",
                           *process, printable(path)))
             ? kDone
             : kFindings;
}

}  // namespace nd7::runtime::cli
