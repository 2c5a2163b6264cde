// Globs as regular expressions.
//
// Only sets without `/` are used, never `.`: whether a matcher's `.` takes a line end is one more
// thing that a file name could exploit.
#include <string>
#include <variant>

#include "compiler/pattern/glob.hpp"
#include "compiler/pattern/glob_set.hpp"
#include "compiler/pattern/set_text.hpp"

namespace nd7::pattern {
namespace {

using Kind = GlobComponent::Kind;

constexpr std::string_view kByte = "[^/]";
constexpr std::string_view kDirectories = "([^/]+/)*";

std::string wildcard_regex(std::string_view text) {
  if (text == "*") return "[^/]+";  // a component is never empty
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    switch (text[at]) {
      case '*': result.append(kByte).append("*"); break;
      case '?': result.append(kByte); break;
      case '[': {
        const auto read = read_glob_set(text.substr(at));
        const GlobSet& set = std::get<GlobSet>(read);
        ByteSet listed = set.listed;
        if (set.negated) listed.set('/');
        result += set_text(listed, set.negated);
        at += set.length - 1;
        break;
      }
      default: {
        const std::size_t size = text[at] == '\0' ? 2 : 1;  // a hole is two bytes
        result += quote_regex(text.substr(at, size));
        at += size - 1;
        break;
      }
    }
  }
  return result;
}

std::string component_regex(const GlobComponent& component) {
  return component.kind == Kind::literal ? quote_regex(component.text)
                                         : wildcard_regex(component.text);
}

}  // namespace

std::string to_regex(const Glob& glob) {
  std::string result = glob.from_hole ? "^" : "^/";
  if (glob.anywhere) result += kDirectories;
  for (std::size_t i = 0; i < glob.components.size(); ++i) {
    const GlobComponent& component = glob.components[i];
    const bool last = i + 1 == glob.components.size();
    if (component.kind == Kind::any_depth) {
      // At the end: one byte after the `/` is enough, whatever follows is below.
      if (last) return result.append(kByte);
      if (i != 0 || !glob.anywhere) result += kDirectories;
      continue;
    }
    result += component_regex(component);
    if (!last) result += '/';
  }
  return result += '$';
}

std::string name_to_regex(const Glob& name) {
  return '/' + component_regex(name.components.front()) + "(/|$)";
}

}  // namespace nd7::pattern
