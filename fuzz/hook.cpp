// The hook's input, and settings to be joined: an answer or a refusal, and what is understood is
// kept.
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <string>
#include <string_view>

#include "runtime/hook/answer.hpp"
#include "runtime/hook/client_settings.hpp"

namespace {

using Json = nlohmann::ordered_json;

void check(bool holds) {
  if (!holds) std::abort();
}

void try_answer(std::string_view input) {
  using namespace nd7::runtime::hook;
  const Answer answered = answer(input, "/opt/nd7/nd7-exec", "");
  check(answered.code == kAnswered || answered.code == kBlocked);
  if (answered.code == kBlocked) return;
  const Json call = Json::parse(input);
  const Json updated = Json::parse(answered.text)["hookSpecificOutput"]["updatedInput"];
  Json given = call["tool_input"];
  check(updated["command"].get<std::string>().starts_with("/opt/nd7/nd7-exec -c '"));
  given["command"] = updated["command"];
  check(given == updated);
}

void try_settings(std::string_view input) {
  using namespace nd7::runtime::hook;
  const MergedSettings merged = merge_settings({"/opt/nd7", "/opt/nd7-exec", ": sign"}, input);
  check(merged.json.empty() != merged.refusal.empty());
  if (merged.json.empty()) return;
  const Json json = Json::parse(merged.json);
  check(json["disableAllHooks"] == false && json["sandbox"]["enabled"] == false);
  check(json["hooks"]["PreToolUse"].back()["matcher"] == "Bash|Monitor");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view input{reinterpret_cast<const char*>(data), size};
  try_answer(input);
  try_settings(input);
  return 0;
}
