// nd7 run [OPTIONS] PROGRAM [ARGUMENTS]
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <memory>

#include "compiler/linux/print.hpp"
#include "compiler/linux/read.hpp"
#include "compiler/shipped/shipped.hpp"
#include "runtime/cli/client.hpp"
#include "runtime/cli/commands.hpp"
#include "runtime/cli/parse.hpp"
#include "runtime/cli/say.hpp"
#include "runtime/hook/command_line.hpp"
#include "runtime/platform/linux/supervisor.hpp"
#include "runtime/session/home.hpp"
#include "runtime/session/installed.hpp"
#include "runtime/session/parameters.hpp"
#include "runtime/session/places.hpp"
#include "runtime/session/render.hpp"
#include "runtime/session/store.hpp"

namespace nd7::runtime::cli {
namespace {

struct Asked {
  std::string rules = "floor";
  std::vector<std::string> bindings;
  bool strict = false;
  Words program;
};

/// Where PROGRAM stands: nothing after it is nd7's.
std::size_t program_at(const Words& words) {
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (words[at] == "--") return at;
    if (words[at].empty() || words[at].front() != '-' || words[at] == "-") return at;
    const bool takes_value = words[at] == "--rules" || words[at] == "-D";
    if (takes_value) ++at;
  }
  return words.size();
}

std::optional<std::string> real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real{::realpath(path.c_str(), nullptr),
                                                         &std::free};
  if (!real) return std::nullopt;
  return std::string{real.get()};
}

[[nodiscard]] int refuse(const Failure& failure) {
  say("run", "refusing to start: " + failure.text());
  return kRefused;
}
[[nodiscard]] int refuse(std::string text) { return refuse(Failure{std::move(text), 0}); }

std::vector<std::string> environment_of(const Record& record, const std::string& shell_prefix) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text{*entry};
    const bool replaced = text.starts_with("TMPDIR=") || text.starts_with("TMPPREFIX=");
    const bool prefix = text.starts_with(std::string{hook::kShellPrefixVariable} + "=");
    if (!replaced && !(prefix && !shell_prefix.empty())) result.emplace_back(text);
  }
  if (!shell_prefix.empty()) {
    result.push_back(std::string{hook::kShellPrefixVariable} + "=" + shell_prefix);
  }
  result.push_back("TMPDIR=" + record.temporary);
  // zsh writes here-documents there.
  result.push_back("TMPPREFIX=" + record.temporary + "/zsh");
  return result;
}

/// A session on its way: whatever was made is removed when it is given up.
class Session {
 public:
  Session(const Store& store, Asked asked) : store_(store), asked_(std::move(asked)) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    // Children of this process have their own copy of it and end without leaving this function.
    if (created_) store_.remove(record_.process);
  }

  int run(const std::string& home) {
    if (auto failure = describe(home)) return refuse(*failure);
    if (auto failure = store_.create(record_.process)) return refuse(*failure);
    created_ = true;
    if (auto failure = make_own_places(record_, places_)) return refuse(*failure);
    const DiskFiles disk;
    auto floor = compile(laws::Profile::floor, &disk);
    if (!floor) return kRefused;
    if (auto failure = make_places(floor->plan, record_)) return refuse(*failure);
    // Again, with what is there now: links could be followed only as far as there was something.
    floor = compile(laws::Profile::floor, &disk);
    auto command = floor ? compile(laws::Profile::command, &disk) : std::nullopt;
    if (!floor || !command) return kRefused;
    report(floor_report_);
    record_.protect = floor->protect;
    if (auto failure = store_.write(record_, linux_plan::print(command->plan))) {
      return refuse(*failure);
    }
    if (asked_.strict && !floor->losses.empty()) {
      return refuse("--strict, and " + floor->losses.front());
    }
    return start(std::move(floor->plan));
  }

 private:
  Outcome describe(const std::string& home) {
    record_.process = ::getpid();
    const auto started = Store::start_of(record_.process);
    if (!started) return Failure{"/proc does not say when this process started", 0};
    record_.started = *started;
    record_.home = home;
    const auto project = real_path(".");
    if (!project) return failed("find the directory that this is started in");
    record_.project = *project;
    record_.temporary = "/tmp";
    Installed installed;
    if (auto failure = find_installed(installed)) return failure;
    record_.exit = installed.nd7_exec;
    record_.protect = {installed.nd7};
    record_.shell = choose_shell(std::getenv("SHELL"));
    if (is_client(asked_.program.front())) {
      if (auto failure = describe_client(installed)) return failure;
    }
    if (asked_.rules.find('/') == std::string::npos &&
        asked_.rules.find('.') == std::string::npos) {
      record_.root = asked_.rules;
    } else if (const auto rules = real_path(asked_.rules)) {
      record_.root = *rules;
    } else {
      return failed("read the rules " + asked_.rules);
    }
    for (const std::string& binding : asked_.bindings) {
      const std::size_t equals = binding.find('=');
      if (equals == std::string::npos || equals == 0) {
        return Failure{"-D wants KEY=VALUE, not " + binding, 0};
      }
      record_.bindings[binding.substr(0, equals)] = binding.substr(equals + 1);
    }
    return std::nullopt;
  }

  Outcome describe_client(const Installed& installed) {
    auto client = prepare_client(asked_.program, installed);
    if (auto* const why = std::get_if<std::string>(&client)) return Failure{std::move(*why), 0};
    client_ = std::move(std::get<Client>(client));
    for (const std::string& note : client_.notes) say("run", note);
    asked_.program = client_.arguments;
    record_.sets = {"claude"};
    return std::nullopt;
  }

  /// nullopt, after the diagnostics.
  std::optional<Rendered> compile(laws::Profile profile, const Files* files) {
    RenderResult result = render(record_, profile, files);
    if (result.rendered) {
      const std::size_t before = record_.bindings.size();
      for (const std::string& doubt : bind_from_machine(result.rendered->params, record_)) {
        say("run", doubt);
      }
      if (record_.bindings.size() != before) result = render(record_, profile, files);
    }
    if (profile == laws::Profile::floor) floor_report_ = result.report;
    if (!result.rendered) {
      report(result.report);
      say("run", "refusing to start: these rules cannot be kept as they are");
    }
    if (result.rendered && !result.rendered->plan.params.empty()) {
      for (const linux_plan::Param& param : result.rendered->plan.params) {
        if (param.optional) continue;
        say("run", fmt::format("refusing to start: {} has no value; give it one with -D {}=VALUE",
                               param.key, param.key));
      }
      return std::nullopt;
    }
    return std::move(result.rendered);
  }

  int start(linux_plan::Plan plan) {
    SupervisorOptions options;
    plan_ = plan;
    options.floor.plan = std::move(plan);
    options.floor.own = places_.directories;
    options.floor.arguments = asked_.program;
    options.floor.environment = environment_of(record_, client_.shell_prefix);
    options.floor.directory = record_.project;
    options.broker_directory = places_.broker;
    options.read_policy = [this] { return read_policy(); };
    options.say = [](std::string_view text) { say("run", text); };
    options.absent = [this](const std::string& path) { say_absent(path); };
    options.started = [this] {
      say("run", fmt::format("session {} under nd7's policy; a sandbox the program applies itself "
                             "is refused",
                             record_.process));
    };
    options.greeting = client_.greeting;
    options.not_greeted = [](bool at_end) {
      say("run", at_end
                     ? "Claude Code never ran nd7's hooks in this session; what it ran, ran under "
                       "the rules of the start, which `nd7 allow` does not reach"
                     : "Claude Code has not run nd7's hooks yet; until it does, its commands run "
                       "under the rules of the start, which `nd7 allow` does not reach");
    };
    const Ended ended = supervise(options);
    if (ended.failure) say("run", ended.failure->text());
    return ended.code;
  }

  /// What the shipped sets open for those who have it is not missed by others.
  void say_absent(const std::string& path) const {
    const auto shipped = shipped_set_names();
    for (const auto* trees : {&plan_.read, &plan_.write, &plan_.exec}) {
      for (const linux_plan::Tree& tree : *trees) {
        const std::string set = tree.rule.substr(0, tree.rule.find('/'));
        if (tree.path != path || std::find(shipped.begin(), shipped.end(), set) != shipped.end()) {
          continue;
        }
        say("run", fmt::format("{} is not there, and so `{}` does not open it", path, tree.rule));
        return;
      }
    }
  }

  [[nodiscard]] std::variant<CommandPolicy, std::string> read_policy() const {
    auto file = store_.read_policy(record_.process);
    if (const auto* const failure = std::get_if<Failure>(&file)) {
      if (failure->error == ENOENT) {
        return fmt::format("session {} has no policy.plan", record_.process);
      }
      return failure->text();
    }
    auto& policy = std::get<PolicyFile>(file);
    auto read = linux_plan::read(policy.plan);
    if (!read.plan) return "read policy.plan: " + read.reason;
    return CommandPolicy{std::move(*read.plan), std::move(policy.shell)};
  }

  const Store& store_;
  Asked asked_;
  Record record_;
  OwnPlaces places_;
  Client client_;  ///< empty for other programs
  linux_plan::Plan plan_;
  std::string floor_report_;
  bool created_ = false;
};

}  // namespace

int run_run(const Words& words) {
  const std::size_t at = program_at(words);
  CLI::App app{
      "Run PROGRAM, and all that it starts, under rules. What follows PROGRAM is its own.\n"
      "Usage: nd7 run [OPTIONS] PROGRAM [ARGUMENTS]",
      "nd7 run"};
  Asked asked;
  app.add_option("--rules", asked.rules, "a rules file, or the name of a shipped set (floor)")
      ->type_name("FILE");
  app.add_option("-D", asked.bindings, "give a parameter of the rules its value")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  app.add_flag("--strict", asked.strict, "refuse to start if Linux cannot keep all of the rules");
  if (const auto code = parse(app, {words.begin(), words.begin() + static_cast<long>(at)})) {
    return *code;
  }
  asked.program.assign(words.begin() + static_cast<long>(at), words.end());
  if (!asked.program.empty() && asked.program.front() == "--") {
    asked.program.erase(asked.program.begin());
  }
  if (asked.program.empty() || asked.program.front().empty()) {
    say("run", "which PROGRAM? For example: nd7 run claude");
    return kUsage;
  }
  if (::geteuid() == 0) {
    say("run", "running as root: files owned by root stay readable to the session");
  }
  for (int descriptor = 0; descriptor < 3; ++descriptor) {
    struct stat status {};
    // From it, files could be reached around every mount.
    if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
      return refuse(fmt::format("descriptor {} is a directory", descriptor));
    }
  }
  std::string home;
  if (auto failure = home_directory(home)) return refuse(*failure);
  const Store store{home};
  if (auto failure = store.prepare()) return refuse(*failure);
  store.sweep();
  return Session{store, std::move(asked)}.run(home);
}

}  // namespace nd7::runtime::cli
