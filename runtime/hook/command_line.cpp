#include "runtime/hook/command_line.hpp"

#include <algorithm>

namespace nd7::runtime::hook {
namespace {

/// Bytes that mean nothing to a shell.
bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
         c == '-' || c == '_' || c == '.' || c == '+' || c == ',' || c == '@' || c == '%';
}

/// Whether `text` is one word as shell_word() writes it.
bool is_quoted(std::string_view text) {
  constexpr std::string_view kQuote = R"('\'')";
  if (text.size() < 2 || text.front() != '\'') return false;
  text.remove_prefix(1);
  for (;;) {
    const std::size_t end = text.find('\'');
    if (end == std::string_view::npos) return false;
    if (end + 1 == text.size()) return true;
    text.remove_prefix(end);
    if (!text.starts_with(kQuote)) return false;
    text.remove_prefix(kQuote.size());
  }
}

}  // namespace

std::string shell_word(std::string_view text) {
  std::string word{"'"};
  for (const char c : text) {
    if (c == '\'') {
      word += R"('\'')";
    } else {
      word += c;
    }
  }
  word += '\'';
  return word;
}

std::string shell_prefix(std::string_view nd7_exec) { return std::string{nd7_exec} + " -c"; }

std::string through(std::string_view nd7_exec, std::string_view command) {
  const bool plain = std::all_of(nd7_exec.begin(), nd7_exec.end(), is_plain);
  const std::string prefix = (plain ? std::string{nd7_exec} : shell_word(nd7_exec)) + " -c ";
  if (command.starts_with(prefix) && is_quoted(command.substr(prefix.size()))) {
    return std::string{command};
  }
  return prefix + shell_word(command);
}

}  // namespace nd7::runtime::hook
