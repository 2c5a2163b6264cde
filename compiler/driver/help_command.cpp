// nd7c help [COMMAND | CODE]
#include <fmt/format.h>
#include <unistd.h>

#include "compiler/diagnostics/help.hpp"
#include "compiler/diagnostics/suggest.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/driver/console.hpp"
#include "compiler/driver/exit_code.hpp"
#include "compiler/driver/options.hpp"

namespace nd7::driver {
namespace {

std::string overview() {
  std::string text =
      "nd7c compiles rules files to sandbox profiles.\n\n"
      "Usage: nd7c FILE -o OUT [OPTION...]\n"
      "       nd7c COMMAND [ARGUMENT...]\n\nCommands:\n";
  for (const Command& command : commands()) {
    text += fmt::format("  {:<8} {}\n", command.name, command.summary);
  }
  text +=
      "\n`nd7c COMMAND --help` lists the options of a command, `nd7c help ND2003` explains a\n"
      "diagnostic, `nd7c help codes` lists them all, and `nd7c --version` says which nd7c this "
      "is.\n";
  return text;
}

std::string code_list() {
  std::string text;
  for (std::size_t i = 0; i < code_count(); ++i) {
    const CodeInfo& code = info(code_at(i));
    text += fmt::format("{}  {}\n", code.name, code.title);
  }
  return text;
}

std::string upper(std::string_view word) {
  std::string result{word};
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

int print(std::string_view text) { return write_all(STDOUT_FILENO, text) ? kClean : kFindings; }

}  // namespace

int run_help(const Words& words) {
  if (words.empty() || words.front() == "--help" || words.front() == "-h") return print(overview());
  if (words.size() > 1) return usage_error("help takes one command or code");
  const std::string& word = words.front();
  if (word == "codes") return print(code_list());
  if (const Command* const command = find_command(word)) {
    return word == "help" ? print(overview()) : command->run({"--help"});
  }
  if (const auto code = find_code(upper(word))) {
    if (const auto page = help_page(*code)) return print(*page);
  }
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < code_count(); ++i) names.push_back(info(code_at(i)).name);
  for (const Command& command : commands()) names.push_back(command.name);
  std::string message = fmt::format("there is no help on `{}`", printable(word));
  if (const auto near = nearest(word, names)) message += fmt::format("; did you mean `{}`?", *near);
  return usage_error(message);
}

}  // namespace nd7::driver
