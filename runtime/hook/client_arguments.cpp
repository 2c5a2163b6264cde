#include "runtime/hook/client_arguments.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "runtime/hook/client_options.hpp"

namespace nd7::runtime::hook {
namespace {

/// Linux takes at most 128 KiB for one argument, its end included.
constexpr std::size_t kMaxArgument = (std::size_t{1} << 17U) - 1;

/// The first client known to have --system-prompt-snapshot.
constexpr Version kHasSnapshot{2, 1, 332};

constexpr std::string_view kSettings = "--settings";
constexpr std::string_view kAppend = "--append-system-prompt";
constexpr std::string_view kSnapshot = "--system-prompt-snapshot";

bool is_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

/// What the user's words say; nd7's own options are taken out of them.
class Reader {
 public:
  explicit Reader(const std::vector<std::string>& arguments) : words_(arguments) {}

  void run() {
    rest.push_back(words_.front());
    std::size_t at = 1;
    while (at < words_.size() && words_[at] != "--" && command.empty()) {
      if (is_option(words_[at])) {
        at = read_option(at);
      } else {
        if (!positional_) command_or_prompt(words_[at]);
        positional_ = true;
        rest.push_back(words_[at++]);
      }
    }
    rest.insert(rest.end(), words_.begin() + static_cast<std::ptrdiff_t>(at), words_.end());
  }

  std::vector<std::string> rest;  ///< the program first
  std::optional<std::string> settings;
  std::optional<std::string> append;
  std::string command;  ///< of the client; empty for a conversation
  bool continues = false;
  bool snapshot = false;
  bool asks_about_itself = false;  ///< --help, --version

 private:
  void command_or_prompt(const std::string& word) {
    if (is_management(word) || is_background(word)) command = word;
  }

  std::size_t read_option(std::size_t at) {
    const std::string& word = words_[at];
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    const std::string name = word.substr(0, equals);
    note(name);
    if (name == kSettings || name == kAppend) {
      std::optional<std::string>& value = name == kSettings ? settings : append;
      if (equals != std::string::npos) {
        value = word.substr(equals + 1);  // of several, the client takes the last
        return at + 1;
      }
      if (at + 1 < words_.size()) {
        value = words_[at + 1];
        return at + 2;
      }
      // The client says itself that the value is missing.
    }
    rest.push_back(word);
    ++at;
    if (equals != std::string::npos) return at;
    const Takes takes = what_follows(name);
    const auto is_value = [&] { return at < words_.size() && !is_option(words_[at]); };
    if (takes == Takes::one || takes == Takes::several) {
      if (at < words_.size()) rest.push_back(words_[at++]);
    } else if (takes == Takes::maybe && is_value()) {
      rest.push_back(words_[at++]);
    }
    while (takes == Takes::several && is_value()) rest.push_back(words_[at++]);
    return at;
  }

  void note(std::string_view name) {
    if (name == kSnapshot) snapshot = true;
    if (name == "--continue" || name == "--resume" || name == "--from-pr") continues = true;
    if (name == "--help" || name == "--version") asks_about_itself = true;
    if (name.starts_with("--")) return;
    // Several in one word: -pc is -p -c. What follows r is its value.
    for (const char letter : name.substr(1)) {
      if (letter == 'c' || letter == 'r') continues = true;
      if (letter == 'h' || letter == 'v') asks_about_itself = true;
      if (letter == 'r' || letter == 'n' || letter == 'd' || letter == 'w') break;
    }
  }

  const std::vector<std::string>& words_;
  bool positional_ = false;
};

/// Whether the client, which looks for some options in every word before `--`, would find this one.
bool has(const std::vector<std::string>& words, std::string_view option) {
  const auto end = std::find(words.begin(), words.end(), "--");
  return std::find(words.begin(), end, option) != end;
}

std::string without_hook(std::string_view option) {
  std::string text{option};
  text +=
      " turns hooks off: commands may run under the rules of the session's start, which "
      "`nd7 allow` does not reach, and the client asks about each";
  return text;
}

}  // namespace

std::optional<Version> version_of(std::string_view text) {
  Version version;
  const std::array<int*, 3> parts{&version.major, &version.minor, &version.patch};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) {
      if (at == end || *at != '.') return std::nullopt;
      ++at;
    }
    if (at == end || *at < '0' || *at > '9') return std::nullopt;
    const auto [next, problem] = std::from_chars(at, end, *parts[i]);
    if (problem != std::errc{}) return std::nullopt;
    at = next;
  }
  if (at != end) return std::nullopt;
  return version;
}

std::string_view paragraph_for_model() {
  return "This session runs under nd7's kernel sandbox. Bash commands are routed through nd7-exec "
         "by a hook and run under the session's policy: the project directory is writable, most of "
         "the rest of the filesystem is not, and only HTTPS egress is open. An 'operation not "
         "permitted' error (EPERM), on Linux also 'Read-only file system' (EROFS) and 'Permission "
         "denied' (EACCES), is that policy, not Claude Code's permission rules. Do not try to "
         "route around it; tell the user what was denied. `nd7 allow <path>` widens the policy for "
         "Bash commands from the next call on; the Write, Edit and Read tools see only the fixed "
         "policy, so for those the user must restart under a wider one.";
}

std::variant<ClientArguments, std::string> client_arguments(const ClientRequest& request) {
  const std::vector<std::string>& given = request.arguments;
  if (given.empty()) return "there is no program";
  for (const char* option : {"--bg", "--background"}) {
    if (has(given, option)) {
      return std::string{option} +
             " hands the work to a daemon outside of the session; start without it";
    }
  }
  Reader user{given};
  user.run();
  if (is_background(user.command)) {
    return "`claude " + user.command +
           "` is about conversations outside of the session; run it without nd7";
  }
  ClientArguments result;
  result.conversation = user.command.empty() && !user.asks_about_itself;
  for (const char* option : {"--bare", "--safe-mode"}) {
    if (has(given, option)) result.notes.push_back(without_hook(option));
  }
  if (has(given, "--restricted")) {
    result.notes.emplace_back("--restricted removes the Bash tool, for which nd7's hook is there");
  }

  std::optional<std::string> own = user.settings;
  if (own && !is_inline_settings(*own)) {
    own = request.read_file(*user.settings);
    if (!own) return "your --settings cannot be read: " + *user.settings;
  }
  MergedSettings settings = merge_settings(request.installation, own);
  if (settings.json.empty()) {
    return "your --settings cannot be joined with nd7's: " + settings.refusal;
  }
  result.notes.insert(result.notes.end(), settings.notes.begin(), settings.notes.end());
  std::string append{paragraph_for_model()};
  if (user.append && !user.append->empty()) append = *user.append + "\n\n" + append;
  if (settings.json.size() > kMaxArgument) return "your --settings are too long for one argument";
  if (append.size() > kMaxArgument) {
    return "your --append-system-prompt is too long for one argument";
  }

  // In front: there, no option that takes several values can swallow them.
  result.arguments = {user.rest.front(), std::string{kSettings}, std::move(settings.json),
                      std::string{kAppend}, std::move(append)};
  if (user.continues && !user.snapshot && request.version >= kHasSnapshot) {
    // A conversation is continued with the prompt that it began with, which may lack the paragraph.
    result.arguments.insert(result.arguments.end(), {std::string{kSnapshot}, "off"});
  }
  result.arguments.insert(result.arguments.end(), user.rest.begin() + 1, user.rest.end());
  return result;
}

}  // namespace nd7::runtime::hook
