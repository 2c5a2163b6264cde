#include "runtime/hook/client_settings.hpp"

#include "runtime/hook/command_line.hpp"
#include "runtime/hook/json.hpp"

namespace nd7::runtime::hook {
namespace {

// Seconds. Both answer within milliseconds; a machine may be busy.
constexpr int kTimeout = 10;

Json command_hook(const std::string& program, std::initializer_list<std::string> arguments) {
  // With `args`, the client starts the program itself: no shell, so that a space in its path
  // changes nothing.
  Json hook;
  hook["type"] = "command";
  hook["command"] = program;
  hook["args"] = Json::array();
  for (const std::string& argument : arguments) hook["args"].push_back(argument);
  hook["timeout"] = kTimeout;
  return hook;
}

Json before_tools(const Installation& installation) {
  Json hook = command_hook(installation.nd7, {"hook-prefix"});
  // A hook that cannot answer stops the call. Clients before 2.1.295 do not know the key.
  hook["onFailure"] = "block";
  Json entry;
  entry["matcher"] = "Bash|Monitor";
  entry["hooks"] = Json::array({std::move(hook)});
  return entry;
}

Json at_start(const Installation& installation) {
  Json entry;
  entry["hooks"] = Json::array({command_hook(installation.nd7_exec, {"-c", installation.canary})});
  return entry;
}

/// The object at `key`, made if it is missing; null if something else is there.
Json* object_at(Json& json, const char* key) {
  const auto at = json.find(key);
  if (at == json.end()) return &(json[key] = Json::object());
  return at->is_object() ? &*at : nullptr;
}

bool add(Json& hooks, const char* event, Json entry) {
  const auto at = hooks.find(event);
  if (at == hooks.end()) {
    hooks[event] = Json::array({std::move(entry)});
    return true;
  }
  if (!at->is_array()) return false;
  at->push_back(std::move(entry));
  return true;
}

/// Empty, or why not.
std::string add_all(Json& settings, const Installation& installation,
                    std::vector<std::string>& notes) {
  if (const auto at = settings.find("disableAllHooks"); at != settings.end() && *at != false) {
    return "they turn all hooks off, nd7's as well (`disableAllHooks`)";
  }
  settings["disableAllHooks"] = false;
  Json* const sandbox = object_at(settings, "sandbox");
  if (sandbox == nullptr) return "`sandbox` is no object";
  if (const auto at = sandbox->find("enabled"); at != sandbox->end() && *at == true) {
    notes.emplace_back("`sandbox.enabled` of your --settings does not count: nd7 is the sandbox");
  }
  (*sandbox)["enabled"] = false;
  Json* const environment = object_at(settings, "env");
  if (environment == nullptr) return "`env` is no object";
  const std::string prefix = shell_prefix(installation.nd7_exec);
  if (const auto at = environment->find(kShellPrefixVariable);
      at != environment->end() && *at != prefix) {
    return std::string{"they set "} + kShellPrefixVariable + ", which nd7 needs for itself";
  }
  (*environment)[kShellPrefixVariable] = prefix;
  Json* const hooks = object_at(settings, "hooks");
  if (hooks == nullptr) return "`hooks` is no object";
  if (!add(*hooks, "PreToolUse", before_tools(installation))) return "`PreToolUse` is no list";
  if (!installation.canary.empty() && !add(*hooks, "SessionStart", at_start(installation))) {
    return "`SessionStart` is no list";
  }
  return {};
}

}  // namespace

MergedSettings merge_settings(const Installation& installation,
                              std::optional<std::string_view> own) {
  MergedSettings result;
  Json settings = Json::object();
  if (own) {
    auto read = read_json(*own, result.refusal);
    if (!read) return result;
    settings = std::move(*read);
    if (!settings.is_object()) {
      result.refusal = "they are no object";
      return result;
    }
  }
  result.refusal = add_all(settings, installation, result.notes);
  if (result.refusal.empty()) result.json = write_json(settings);
  return result;
}

bool is_inline_settings(std::string_view value) {
  std::string why;
  return read_json(value, why).has_value();
}

}  // namespace nd7::runtime::hook
