// Text of an expression, and below it subjects, one a line: what parses is matched the same by the
// automaton and by simulation, and neither takes long.
#include "compiler/pattern/regex.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/decide/regex_automaton.hpp"

namespace {

using nd7::decide::Budget;

void check(std::string_view text, nd7::pattern::RegexMode mode,
           const std::vector<std::string_view>& subjects) {
  const auto parsed = nd7::pattern::parse_regex(text, mode);
  if (!parsed.regex) return;
  static const std::vector<std::string> holes(nd7::pattern::kMaxHoles, "/a.b");
  const auto automaton = nd7::decide::regex_automaton(*parsed.regex, holes, Budget{500, 30'000});
  auto matcher = nd7::decide::RegexMatcher::make(*parsed.regex, holes);
  if (!matcher) std::abort();
  for (const std::string_view subject : subjects) {
    const bool found = matcher->matches(subject);
    if (automaton && automaton->accepts(subject) != found) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 1024) return 0;
  const std::string input(data, data + size);
  std::string_view rest = input;
  std::vector<std::string_view> lines;
  while (lines.size() < 16) {
    const std::size_t end = rest.find('\n');
    lines.push_back(rest.substr(0, end));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  const std::string_view pattern = lines.front();
  // The expression is a subject, too: it is full of what it speaks of.
  check(pattern, nd7::pattern::RegexMode::strict, lines);
  check(pattern, nd7::pattern::RegexMode::tolerant, lines);
  return 0;
}
