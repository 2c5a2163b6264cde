#include "tests/e2e/talk.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "tests/kernel/programs.hpp"

namespace nd7::test {
namespace {

constexpr const char* kFolder = ND7_SOURCE_DIR "/tests/e2e/";

constexpr const char* kStart = R"sh(
umask 022
rm -rf ~/e2e ~/granted ~/.claude ~/.claude.json
mkdir -p ~/e2e ~/granted ~/.ssh && echo secret > ~/.ssh/id
export TERM=xterm SHELL=/bin/bash ANTHROPIC_API_KEY=none DISABLE_AUTOUPDATER=1
export CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 GIT_CONFIG_NOSYSTEM=1
node "$MODEL" ~/e2e/model.json ~/e2e/port ~/e2e/report & model=$!
while [ ! -s ~/e2e/port ]; do sleep 0.02; done
export ANTHROPIC_BASE_URL=http://127.0.0.1:$(cat ~/e2e/port)
cat > ~/e2e/rules.toml <<END
nd7     = 1
name    = "test"
extends = "floor"
[allow.model]
connect = "localhost:$(cat ~/e2e/port)"
END
claude() { $ND7 run --rules ~/e2e/rules.toml "$CLAUDE" "$@"; }
bare() { "$CLAUDE" "$@"; }
)sh";

}  // namespace

std::string client_program(const User& user, std::string& reason) {
  const std::string folder = ::geteuid() == 0 ? user.home + "/client" : ND7_E2E_CLIENT;
  const std::string command = std::string{kFolder} + "install-client.sh " + folder;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) {
    reason = "no shell";
    return {};
  }
  std::string text;
  std::array<char, 256> block{};
  while (std::fgets(block.data(), block.size(), pipe) != nullptr) text += block.data();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  if (::pclose(pipe) == 0) return text;
  reason = text;
  return {};
}

bool may_change_home(const User& user) {
  return ::geteuid() == 0 || user.home.ends_with(std::string{"/"} + kUser);
}

Output hold(const User& user, const std::string& program, const Talk& talk) {
  std::string script = "MODEL=" + program_for(user, std::string{kFolder} + "model.mjs") +
                       " CLAUDE=" + program + " KILLER=" + program_for(user, ND7_KILLER) + "\n";
  script += "rm -rf ~/e2e; mkdir ~/e2e; cat > model.json <<'END_OF_MODEL'\n" + talk.model +
            "\nEND_OF_MODEL\n";
  std::string start{kStart};
  start.insert(start.find("node "), "mv model.json ~/e2e/model.json\n");
  script += start + talk.before + "\n" + talk.body + "\necho \"exit code $?\"\n";
  script += "kill $model; cat ~/e2e/report\n";
  return run_script(user, script);
}

}  // namespace nd7::test
