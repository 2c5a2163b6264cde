#include "runtime/hook/client_options.hpp"

#include <algorithm>
#include <array>

namespace nd7::runtime::hook {
namespace {

// Of `claude --help` and of the options that it does not list.
constexpr std::array kOne{
    std::string_view{"--advisor"},
    std::string_view{"--agent"},
    std::string_view{"--agents"},
    std::string_view{"--append-subagent-system-prompt"},
    std::string_view{"--append-subagent-system-prompt-file"},
    std::string_view{"--append-system-prompt"},
    std::string_view{"--append-system-prompt-file"},
    std::string_view{"--autocompact"},
    std::string_view{"--debug-file"},
    std::string_view{"--effort"},
    std::string_view{"--environment"},
    std::string_view{"--fallback-model"},
    std::string_view{"--input-format"},
    std::string_view{"--json-schema"},
    std::string_view{"--managed-settings"},
    std::string_view{"--max-budget-usd"},
    std::string_view{"--max-thinking-tokens"},
    std::string_view{"--max-turns"},
    std::string_view{"--model"},
    std::string_view{"--name"},
    std::string_view{"-n"},
    std::string_view{"--output-format"},
    std::string_view{"--permission-mode"},
    std::string_view{"--permission-prompt-tool"},
    std::string_view{"--permission-prompts"},
    std::string_view{"--plan-mode-instructions"},
    std::string_view{"--plugin-dir"},
    std::string_view{"--plugin-url"},
    std::string_view{"--remote-control-session-name-prefix"},
    std::string_view{"--resume-session-at"},
    std::string_view{"--session-id"},
    std::string_view{"--setting-sources"},
    std::string_view{"--settings"},
    std::string_view{"--system-prompt"},
    std::string_view{"--system-prompt-file"},
    std::string_view{"--system-prompt-snapshot"},
    std::string_view{"--task-budget"},
    std::string_view{"--thinking"},
};
constexpr std::array kSeveral{
    std::string_view{"--add-dir"},          std::string_view{"--allowedTools"},
    std::string_view{"--allowed-tools"},    std::string_view{"--betas"},
    std::string_view{"--channels"},         std::string_view{"--disallowedTools"},
    std::string_view{"--disallowed-tools"}, std::string_view{"--file"},
    std::string_view{"--mcp-config"},       std::string_view{"--tools"},
};
constexpr std::array kMaybe{
    std::string_view{"--cloud"},
    std::string_view{"--debug"},
    std::string_view{"-d"},
    std::string_view{"--from-pr"},
    std::string_view{"--prompt-suggestions"},
    std::string_view{"--remote"},
    std::string_view{"--remote-control"},
    std::string_view{"--rc"},
    std::string_view{"--resume"},
    std::string_view{"-r"},
    std::string_view{"--teleport"},
    std::string_view{"--worktree"},
    std::string_view{"-w"},
};
constexpr std::array kManagement{
    std::string_view{"auth"},    std::string_view{"auto-mode"},   std::string_view{"config"},
    std::string_view{"doctor"},  std::string_view{"gateway"},     std::string_view{"import"},
    std::string_view{"install"}, std::string_view{"mcp"},         std::string_view{"plugin"},
    std::string_view{"plugins"}, std::string_view{"project"},     std::string_view{"purge"},
    std::string_view{"sandbox"}, std::string_view{"setup-token"}, std::string_view{"ultrareview"},
    std::string_view{"update"},  std::string_view{"upgrade"},
};
constexpr std::array kBackground{
    std::string_view{"agents"},  std::string_view{"attach"}, std::string_view{"daemon"},
    std::string_view{"kill"},    std::string_view{"logs"},   std::string_view{"remote-control"},
    std::string_view{"respawn"}, std::string_view{"rm"},     std::string_view{"stop"},
};

template <class Words>
bool holds(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

Takes what_follows(std::string_view word) {
  if (holds(kOne, word)) return Takes::one;
  if (holds(kSeveral, word)) return Takes::several;
  if (holds(kMaybe, word)) return Takes::maybe;
  return Takes::nothing;
}

bool is_management(std::string_view word) { return holds(kManagement, word); }
bool is_background(std::string_view word) { return holds(kBackground, word); }

}  // namespace nd7::runtime::hook
