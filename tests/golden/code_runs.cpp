#include "tests/golden/code_runs.hpp"

#include <algorithm>
#include <sstream>

#include "compiler/diagnostics/render.hpp"
#include "compiler/seatbelt/read/traps.hpp"
#include "tests/support/spawn.hpp"
#include "tests/unit/seatbelt_read/support.hpp"

namespace nd7::test {
namespace {

constexpr std::size_t kSooner = 50;
constexpr const char* kOlder = "an older profile\n";

seatbelt::read::ReadOptions reader_options(const std::vector<std::string>& args) {
  using seatbelt::read::Parameter;
  seatbelt::read::ReadOptions options;
  // Smaller limits in the same proportion: refusals come as they would, but sooner.
  options.limits.bytes = kReaderBytes;
  options.limits.steps /= kSooner;
  options.limits.cells /= kSooner;
  for (std::size_t i = 0; i + 1 < args.size(); i += 2) {
    const std::string& value = args[i + 1];
    const std::size_t equals = value.find('=');
    if (args[i] == "--os") {
      options.release = seatbelt::parse_release(value);
    } else if (equals == std::string::npos) {
      options.parameters.push_back({value, Parameter::Kind::opaque, {}});
    } else {
      options.parameters.push_back(
          {value.substr(0, equals), Parameter::Kind::bound, value.substr(equals + 1)});
    }
  }
  return options;
}

/// Expectations and lints are no business of a build.
bool only_check_says(const std::string& code) {
  return code == "ND4004" || (code >= "ND3010" && code <= "ND3019");
}

}  // namespace

bool Outcome::has(const std::string& code_name) const {
  return std::any_of(said.begin(), said.end(), [&](const Said& s) { return s.code == code_name; });
}

const Said* Outcome::first(const std::string& code_name) const {
  const auto known = find_code(code_name);
  const bool error = known && info(*known).severity == Severity::error;
  const auto at = std::find_if(said.begin(), said.end(), [&](const Said& s) {
    return error ? s.severity == "error" : s.code == code_name;
  });
  return at == said.end() ? nullptr : &*at;
}

std::vector<Said> parse_compact(const std::string& text, const std::string& file) {
  std::vector<Said> result;
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t open = line.find("[ND");
    if (open == std::string::npos || line.compare(open + 7, 3, "]: ") != 0) continue;
    Said said;
    said.code = line.substr(open + 1, 6);
    said.message = line.substr(open + 10);
    const std::string head = line.substr(0, open);
    const std::size_t space = head.rfind(' ');
    said.severity = space == std::string::npos ? head : head.substr(space + 1);
    said.place = space == std::string::npos ? "-" : head.substr(0, space - 1);
    if (said.place.starts_with(file + ":")) said.place.erase(0, file.size() + 1);
    result.push_back(std::move(said));
  }
  return result;
}

Outcome run_rules(const std::string& code, const std::string& folder, const std::string& file,
                  const std::vector<std::string>& args) {
  const Scratch scratch;
  scratch.put("out.sb", kOlder);
  const auto with = [&](std::vector<std::string> words) {
    Spawn spawn;
    spawn.folder = folder;
    spawn.words = std::move(words);
    spawn.words.insert(spawn.words.end(), {file, "--format", "compact"});
    spawn.words.insert(spawn.words.end(), args.begin(), args.end());
    return run(spawn);
  };
  Ended ended = with({ND7C, "build", "-o", scratch.at("out.sb")});
  if (ended.code == 0 && only_check_says(code)) {
    ended = with({ND7C, "check"});
    if (ended.code != 0) scratch.put("out.sb", kOlder);
  }
  Outcome result;
  result.code = ended.code;
  result.log = ended.err;
  result.said = parse_compact(ended.err, file);
  result.output_untouched =
      scratch.text("out.sb") == kOlder && scratch.names() == std::vector<std::string>{"out.sb"};
  return result;
}

Outcome run_reader(const std::string& text, const std::vector<std::string>& args) {
  using namespace seatbelt::read;
  seatbelt::read::test::Reading reading =
      seatbelt::read::test::read_text(text, reader_options(args));
  Diagnostics all;
  all.append(std::move(reading.diagnostics));
  if (reading.rules) find_traps(*reading.rules, all);
  RenderOptions options;
  options.format = Format::compact;
  Outcome result;
  result.code = reading.rules ? 0 : 1;
  result.log = render(all, reading.sources, options);
  result.said = parse_compact(result.log, reading.sources.file(FileId{0}).name());
  result.output_untouched = !reading.rules;
  return result;
}

}  // namespace nd7::test
