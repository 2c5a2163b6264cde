#include "runtime/hook/answer.hpp"

#include "runtime/hook/command_line.hpp"
#include "runtime/hook/json.hpp"

namespace nd7::runtime::hook {
namespace {

constexpr const char* kEvent = "PreToolUse";
constexpr const char* kReason = "nd7: the command runs under this session's sandbox policy";

const std::string* text_of(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at == object.end() ? nullptr : at->get_ptr<const std::string*>();
}

}  // namespace

Answer blocked(std::string_view why) {
  std::string text{"nd7 hook-prefix: "};
  text += why;
  text += "; the command does not run\n";
  return {kBlocked, std::move(text)};
}

Answer answer(std::string_view input, std::string_view nd7_exec, std::string_view prefix) {
  std::string why;
  const auto call = read_json(input, why);
  if (!call) return blocked("the call could not be read: " + why);
  if (!call->is_object()) return blocked("the call is no object");
  const std::string* const event = text_of(*call, "hook_event_name");
  if (event == nullptr || *event != kEvent) return blocked("this is no PreToolUse hook's input");
  const std::string* const tool = text_of(*call, "tool_name");
  if (tool == nullptr || (*tool != "Bash" && *tool != "Monitor")) {
    return blocked("the tool is neither Bash nor Monitor");
  }
  const auto given = call->find("tool_input");
  if (given == call->end() || !given->is_object()) return blocked("the call has no tool_input");
  const std::string* const command = text_of(*given, "command");
  if (command == nullptr) return blocked("the call has no command");
  // No program can be given one, and shells cut a command there.
  if (command->find('\0') != std::string::npos) return blocked("the command holds a NUL");

  Json output;
  output["hookEventName"] = kEvent;
  output["permissionDecision"] = "allow";
  output["permissionDecisionReason"] = kReason;
  if (prefix != shell_prefix(nd7_exec)) {
    // The client replaces the input by this, so every field goes along.
    Json updated = *given;
    updated["command"] = through(nd7_exec, *command);
    output["updatedInput"] = std::move(updated);
  }
  Json reply;
  reply["hookSpecificOutput"] = std::move(output);
  return {kAnswered, write_json(reply) + "\n"};
}

}  // namespace nd7::runtime::hook
