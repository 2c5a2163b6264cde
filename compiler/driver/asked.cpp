#include "compiler/driver/asked.hpp"

#include <variant>

#include "compiler/answer/question.hpp"
#include "compiler/driver/options.hpp"

namespace nd7::driver {

void add_asked_options(CLI::App& app, Asked& asked) {
  app.add_option("--op", asked.operations, "the operation: file-read-data, network-outbound, ...")
      ->type_name("OP")
      ->take_all();
  app.add_option("--path", asked.path, "a file; `~` is the home")->type_name("PATH");
  app.add_option("--unix", asked.unix_path, "a socket's path")->type_name("PATH");
  app.add_option("--connect", asked.connect, "a peer: 192.0.2.1:443, localhost:3000, udp/*:53")
      ->type_name("HOST:PORT");
  app.add_option("--bind", asked.bind, "an own address: localhost:3000")->type_name("HOST:PORT");
  app.add_option("--mach", asked.mach, "a service; local: and xpc: in front for the other kinds")
      ->type_name("NAME");
  app.add_option("--name", asked.name, "the name or target of another operation")
      ->type_name("NAME");
  app.add_option("--number", asked.number, "its number")->type_name("N");
  app.add_option("--vnode", asked.vnode, "the file's type: REGULAR-FILE, DIRECTORY, ...")
      ->type_name("TYPE");
  app.add_option("--extension", asked.extensions, "a sandbox extension that is held")
      ->type_name("CLASS")
      ->take_all();
  app.add_flag("--all-ops", asked.all_ops, "a table of every operation that fits the subject");
  app.add_option("--batch", asked.batch,
                 "answer a file of OPERATION<tab>ARGUMENT rows, one JSON object a line")
      ->type_name("FILE");
}

std::optional<std::string> argument_of(const Asked& asked,
                                       const std::function<std::string(std::string)>& physical) {
  std::vector<std::string> given;
  if (!asked.path.empty()) given.push_back("path " + physical(asked.path));
  if (!asked.unix_path.empty()) given.push_back("unix " + physical(asked.unix_path));
  const auto endpoint = [](const std::string& text) {
    const std::size_t slash = text.find('/');
    return slash == std::string::npos ? "tcp " + text
                                      : text.substr(0, slash) + " " + text.substr(slash + 1);
  };
  if (!asked.connect.empty()) given.push_back(endpoint(asked.connect));
  if (!asked.bind.empty()) given.push_back("local " + endpoint(asked.bind));
  if (!asked.mach.empty()) {
    const bool kind = asked.mach.rfind("local:", 0) == 0 || asked.mach.rfind("xpc:", 0) == 0;
    std::string text = asked.mach;
    if (kind) text[text.find(':')] = ' ';
    given.push_back(kind ? text : "global " + text);
  }
  if (!asked.name.empty()) given.push_back("name " + asked.name);
  if (!asked.number.empty()) given.push_back("number " + asked.number);
  if (given.size() > 1) {
    usage_error(
        "one subject at a time: --path, --unix, --connect, --bind, --mach, --name or --number");
    return std::nullopt;
  }
  std::string argument = given.empty() ? "-" : given.front();
  if (!asked.vnode.empty()) argument += " ; vnode " + asked.vnode;
  if (!asked.extensions.empty()) {
    argument += " ; extension";
    for (const std::string& extension : asked.extensions) argument += " " + extension;
  }
  return argument;
}

std::optional<std::vector<std::string>> operations_of(const Asked& asked,
                                                      const std::string& argument) {
  std::vector<std::string> operations = asked.operations;
  if (asked.all_ops) {
    operations.clear();
    for (std::size_t i = 1; i < seatbelt::kOpCount; ++i) {
      const auto op = static_cast<seatbelt::Op>(i);
      if (!seatbelt::is_concrete(op) || argument == "-") continue;
      const auto question = answer::parse_question(seatbelt::name(op), argument);
      if (std::holds_alternative<seatbelt::read::Request>(question)) {
        operations.emplace_back(seatbelt::name(op));
      }
    }
  }
  if (operations.empty()) {
    usage_error(asked.all_ops ? "--all-ops wants a subject, such as --path"
                              : "name the operation, --op file-read-data, or --all-ops");
    return std::nullopt;
  }
  return operations;
}

}  // namespace nd7::driver
