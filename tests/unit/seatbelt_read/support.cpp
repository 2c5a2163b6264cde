#include "tests/unit/seatbelt_read/support.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

namespace nd7::seatbelt::read::test {
namespace {

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + separator.size());
  }
}

std::optional<IpSubject> parse_endpoint(std::string_view protocol, std::string_view text) {
  IpSubject subject;
  subject.protocol = protocol == "tcp" ? Address::Protocol::tcp : Address::Protocol::udp;
  const std::size_t colon = text.rfind(':');
  std::string_view host = text.substr(0, colon);
  if (host.front() == '[') host = host.substr(1, host.size() - 2);
  const std::optional<IpAddress> address = parse_ip(host);
  if (!address) return std::nullopt;
  subject.address = *address;
  subject.port = static_cast<std::uint16_t>(std::stoi(std::string{text.substr(colon + 1)}));
  return subject;
}

bool parse_subject(std::string_view text, Request& request) {
  if (text == "-") return true;
  const std::size_t space = text.find(' ');
  const std::string_view kind = text.substr(0, space);
  const std::string value{text.substr(space + 1)};
  if (kind == "path") {
    request.subject = PathSubject{value};
  } else if (kind == "unix") {
    request.subject = UnixSubject{value, Side::remote};
  } else if (kind == "tcp" || kind == "udp") {
    const auto subject = parse_endpoint(kind, value);
    if (!subject) return false;
    request.subject = *subject;
  } else if (kind == "local" && info(request.op).subject == Subject::inbound) {
    const std::size_t next = value.find(' ');
    auto subject = parse_endpoint(value.substr(0, next), value.substr(next + 1));
    if (!subject) return false;
    subject->side = Side::local;
    request.subject = *subject;
  } else if (kind == "control") {
    request.subject = ControlSubject{value};
  } else if (kind == "global") {
    request.subject = MachSubject{Variant::global_name, value};
  } else if (kind == "local") {
    request.subject = MachSubject{Variant::local_name, value};
  } else if (kind == "xpc") {
    request.subject = MachSubject{Variant::xpc_name, value};
  } else if (kind == "name") {
    request.subject = NameSubject{value};
  } else if (kind == "number") {
    request.subject = NumberSubject{std::stoll(value)};
  } else {
    return false;
  }
  return true;
}

}  // namespace

const Diagnostic* Reading::error() const {
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.severity == Severity::error) return &diagnostic;
  }
  return nullptr;
}

std::string Reading::blamed() const {
  const Diagnostic* const first = error();
  return first != nullptr && first->primary ? std::string{sources.text(*first->primary)} : "";
}

std::string Reading::log() const {
  std::string result;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    result += fmt::format("{}: {}\n", info(diagnostic.code).name, diagnostic.message);
  }
  return result;
}

Reading read_texts(const std::vector<std::string>& texts, const ReadOptions& options) {
  Reading reading;
  std::vector<FileId> files;
  for (const std::string& text : texts) files.push_back(reading.sources.add("test.sb", "", text));
  reading.rules = read_profile(reading.sources, files, options, reading.diagnostics);
  return reading;
}

Reading read_text(std::string_view text, const ReadOptions& options) {
  return read_texts({std::string{text}}, options);
}

Reading read_fragment(std::string_view text, ReadOptions options) {
  options.fragment = true;
  return read_text(text, options);
}

std::optional<Question> parse_question(std::string_view operation, std::string_view argument) {
  Question question;
  if (operation != "-") {
    const std::optional<Op> op = find_operation(operation);
    if (!op) return std::nullopt;
    question.request.op = *op;
  }
  std::vector<std::string> parts = split(argument, " ; ");
  if (argument.substr(0, 2) == "; ") parts = {"-", std::string{argument.substr(2)}};
  if (!parse_subject(parts.front(), question.request)) return std::nullopt;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    std::vector<std::string> words = split(parts[i], " ");
    if (words[0] == "extension") {
      question.request.extensions.assign(words.begin() + 1, words.end());
    } else if (words[0] == "vnode") {
      question.request.facts.push_back({Filter::vnode_type, words.at(1)});
    } else if (const std::size_t equals = parts[i].find('='); equals != std::string::npos) {
      question.parameters.push_back(
          {parts[i].substr(0, equals), Parameter::Kind::bound, parts[i].substr(equals + 1)});
    } else {
      return std::nullopt;
    }
  }
  return question;
}

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::deny: return "deny";
    case Verdict::allow: return "allow";
    case Verdict::unknown: return "unknown";
  }
  return {};
}

std::string verdict(std::string_view profile, std::string_view operation, std::string_view argument,
                    Model model) {
  const std::optional<Question> question = parse_question(operation, argument);
  if (!question) return "bad question";
  ReadOptions options;
  options.parameters = question->parameters;
  const Reading reading = read_text(profile, options);
  if (!reading.rules) return "load-error";
  return std::string{to_string(decide(*reading.rules, question->request, model).verdict)};
}

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(in), {}};
}

std::optional<Table> read_table(const std::string& path) {
  const std::optional<std::string> text = read_file(path);
  if (!text) return std::nullopt;
  Table table;
  std::istringstream lines(*text);
  std::string line;
  for (bool header = true; std::getline(lines, line); header = false) {
    if (!header && !line.empty()) table.rows.push_back(split(line, "\t"));
  }
  return table;
}

}  // namespace nd7::seatbelt::read::test
