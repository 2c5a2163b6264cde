#include "compiler/pattern/glob_set.hpp"

#include <fmt/format.h>

#include <optional>

namespace nd7::pattern {
namespace {

bool is_ascii(char byte) { return static_cast<unsigned char>(byte) < 0x80U; }

/// What is wrong with the character at `at` of a set, if anything.
std::optional<GlobError> judge(std::string_view text, std::size_t at) {
  switch (text[at]) {
    case '\0': return GlobError{at, 1, "a parameter in a set", "a set holds single characters"};
    case '\\':
      // Alone, no tool could mean an escape by it: `[\]` is the character.
      if (text.substr(at - 1, 3) == "[\\]") break;
      return GlobError{at, 1, "a backslash in a set",
                       "characters need no escape in a set, and tools disagree about this one"};
    case '[':
      if (at + 1 < text.size() && std::string_view{":.="}.find(text[at + 1]) != text.npos) {
        return GlobError{at, 2, fmt::format("a named class `[{}`", text[at + 1]),
                         "write the characters, as in `[A-Za-z]`"};
      }
      break;
    default: break;
  }
  if (!is_ascii(text[at])) {
    return GlobError{at, 1, "a character outside ASCII in a set",
                     "a set stands for one byte; such a character is several"};
  }
  return std::nullopt;
}

}  // namespace

std::variant<GlobSet, GlobError> read_glob_set(std::string_view text) {
  GlobSet set;
  std::size_t at = 1;
  if (at < text.size() && text[at] == '!') {
    set.negated = true;
    ++at;
  }
  if (at < text.size() && text[at] == '^') {
    return GlobError{at, 1, "a `^` at the start of a set",
                     set.negated || text.substr(at + 1, 1) == "]"
                         ? "put it after another character"
                         : "write `[!` for a character outside of the set"};
  }
  const std::size_t first = at;
  for (; at < text.size() && text[at] != ']'; ++at) {
    if (auto error = judge(text, at)) return *std::move(error);
    char last = text[at];
    const bool range = at + 2 < text.size() && text[at + 1] == '-' && text[at + 2] != ']';
    if (range) {
      if (auto error = judge(text, at + 2)) return *std::move(error);
      last = text[at + 2];
      if (last < text[at]) {
        return GlobError{at, 3, "a range whose ends are in the wrong order",
                         "write the smaller character first"};
      }
    } else if (text[at] == '-' && at != first && text.substr(at + 1, 1) != "]") {
      return GlobError{at, 1, "a `-` in the middle of a set",
                       "put it first or last, where it is the character"};
    }
    for (char byte = text[at]; byte != last; ++byte) set.listed.set(static_cast<std::size_t>(byte));
    set.listed.set(static_cast<std::size_t>(last));
    if (range) at += 2;
  }
  if (at >= text.size()) {
    return GlobError{0, 1, "a `[` without its `]`",
                     "write `[[]` for the character; a set holds no `/`"};
  }
  set.length = at + 1;
  set.listed.reset('/');
  if (at == first || (set.listed.none() && !set.negated)) {
    return GlobError{0, set.length, "a set that no byte is in",
                     "a `]` cannot be in a set; it stands for itself outside"};
  }
  return set;
}

}  // namespace nd7::pattern
