#include "tests/golden/command_cases.hpp"

#include "tests/support/spawn.hpp"

namespace nd7::test {
namespace {

const std::string kRules = "nd7 = 1\nname = \"a\"\nextends = \"floor\"\n";

std::vector<std::string> words(std::vector<std::string> rest) {
  rest.insert(rest.begin(), ND7C);
  rest.insert(rest.end(), {"--format", "compact"});
  return rest;
}

Outcome after(const Scratch& scratch, std::vector<std::string> rest,
              const std::string& input = {}) {
  Spawn spawn;
  spawn.folder = scratch.path();
  spawn.words = words(std::move(rest));
  spawn.input = input;
  const Ended ended = run(spawn);
  Outcome result;
  result.code = ended.code;
  result.log = ended.err;
  result.said = parse_compact(ended.err, "a.toml");
  result.output_untouched = ended.code == 0 || ended.out.empty();
  return result;
}

Outcome with_rules(std::vector<std::string> rest) {
  const Scratch scratch;
  scratch.put("a.toml", kRules);
  return after(scratch, std::move(rest));
}

Outcome of_size(std::size_t bytes) {
  const Scratch scratch;
  std::string text = kRules;
  const std::string line = "# " + std::string(61, 'x') + "\n";
  while (text.size() + line.size() <= bytes) text += line;
  text.append(bytes - text.size(), '\n');
  scratch.put("a.toml", text);
  return after(scratch, {"a.toml"});
}

Outcome profile_of_size(std::size_t bytes) {
  std::string text = "(version 1)\n(deny default)\n";
  text.append(bytes - text.size(), '\n');
  return run_reader(text, {});
}

constexpr std::size_t kMebibyte = std::size_t{1} << 20U;

}  // namespace

const std::vector<CommandCase>& command_cases() {
  static const std::vector<CommandCase> cases{
      {"ND1004", "TwoMebibytes", true, 1, [] { return of_size(2 * kMebibyte); }},
      {"ND1004", "OneByteMore", true, 1, [] { return of_size(kMebibyte + 1); }},
      {"ND1004", "OneMebibyte", false, 0, [] { return of_size(kMebibyte); }},
      {"ND6004", "OneByteMore", true, 1, [] { return profile_of_size(kReaderBytes + 1); }},
      {"ND6004", "All", false, 0, [] { return profile_of_size(kReaderBytes); }},
      {"ND9001", "NoSuchFile", true, 3, [] { return with_rules({"b.toml"}); }},
      {"ND9001", "Folder", true, 3, [] { return with_rules({"."}); }},
      {"ND9001", "File", false, 0, [] { return with_rules({"a.toml"}); }},
      {"ND9002", "FullDisk", true, 1,
       [] {
         return with_rules({"a.toml", "-o", "/dev/full"});
       }},
      {"ND9002", "Folder", true, 1,
       [] {
         return with_rules({"a.toml", "-o", "."});
       }},
      {"ND9002", "File", false, 0,
       [] {
         return with_rules({"a.toml", "-o", "a.sb"});
       }},
      {"ND9003", "Itself", true, 1,
       [] {
         return with_rules({"a.toml", "-o", "./a.toml"});
       }},
      {"ND9003", "Another", false, 0,
       [] {
         return with_rules({"a.toml", "-o", "b.toml"});
       }},
  };
  return cases;
}

}  // namespace nd7::test
