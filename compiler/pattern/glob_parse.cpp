// parse_glob and parse_name: a text cut into components, each judged.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "compiler/pattern/glob.hpp"
#include "compiler/pattern/glob_set.hpp"

namespace nd7::pattern {
namespace {

/// The next `/` that is not the second byte of a hole, or the end.
std::size_t find_slash(std::string_view text, std::size_t from) {
  std::size_t at = from;
  while (at < text.size() && text[at] != '/') at += text[at] == '\0' ? 2 : 1;
  return std::min(at, text.size());
}

std::optional<GlobError> too_long(std::string_view text) {
  if (text.size() <= kMaxGlobBytes) return std::nullopt;
  return GlobError{0, text.size(), fmt::format("a pattern of more than {} bytes", kMaxGlobBytes),
                   "no path is that long"};
}

GlobResult failed(GlobError error) { return {std::nullopt, std::move(error)}; }

/// One component without `**`: literal or wildcard, or what is wrong with it (offsets count from
/// its start).
std::variant<GlobComponent, GlobError> read_component(std::string_view text) {
  GlobComponent result;
  result.text = text;
  for (std::size_t at = 0; at < text.size(); ++at) {
    switch (text[at]) {
      case '\0':
        ++at;  // a hole: its second byte is no character
        if (at == text.size() || text[at] == '\0') return GlobError{at - 1, 1, "a NUL byte", {}};
        break;
      case '*':
        if (text.substr(at + 1, 1) == "*") {
          return GlobError{at, 2, "a `**` beside other characters",
                           "`**` is a component of its own: `/**/` or `/**` at the end"};
        }
        result.kind = GlobComponent::Kind::wildcard;
        break;
      case '?': result.kind = GlobComponent::Kind::wildcard; break;
      case '[': {
        auto set = read_glob_set(text.substr(at));
        if (auto* error = std::get_if<GlobError>(&set)) {
          error->offset += at;
          return std::move(*error);
        }
        result.kind = GlobComponent::Kind::wildcard;
        at += std::get<GlobSet>(set).length - 1;
        break;
      }
      case '{':
      case '}':
        return GlobError{at, 1, fmt::format("a brace `{}`", text[at]),
                         fmt::format("write one pattern per alternative, or `[{}]` for the "
                                     "character",
                                     text[at])};
      case '\\':
        return GlobError{at, 1, "a backslash",
                         "`[*]`, `[?]`, `[[]` and `[\\]` stand for the characters themselves"};
      default: break;
    }
  }
  if (text == "." || text == "..") {
    return GlobError{0, text.size(), fmt::format("a component `{}`", text),
                     "the paths that are matched have none"};
  }
  return result;
}

/// Appends the components of `text`, which begins at `offset` of the whole.
std::optional<GlobError> read_components(std::string_view text, std::size_t offset, Glob& glob) {
  using Kind = GlobComponent::Kind;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = find_slash(text, begin);
    const std::string_view part = text.substr(begin, end - begin);
    if (part.empty()) {
      const bool last = end == text.size();
      return GlobError{
          offset + begin - 1, 1, last ? "a `/` at the end" : "an empty component",
          last ? "leave it out, or write `/**` for everything below" : "write one `/`"};
    }
    if (part == "**") {
      if (glob.components.empty() || glob.components.back().kind != Kind::any_depth) {
        glob.components.push_back({Kind::any_depth, {}});
      }
    } else {
      auto component = read_component(part);
      if (auto* error = std::get_if<GlobError>(&component)) {
        error->offset += offset + begin;
        return std::move(*error);
      }
      glob.components.push_back(std::get<GlobComponent>(std::move(component)));
    }
    begin = end + 1;
  }
  return std::nullopt;
}

}  // namespace

GlobResult parse_glob(std::string_view text) {
  constexpr std::string_view kAnywhere = "**/";
  Glob glob;
  std::size_t offset = 1;
  if (auto error = too_long(text)) return failed(*std::move(error));
  if (text == "/") return {std::move(glob), std::nullopt};
  if (text.substr(0, kAnywhere.size()) == kAnywhere) {
    glob.anywhere = true;
    offset = kAnywhere.size();
  } else if (text.size() >= 2 && text[0] == '\0') {
    glob.from_hole = true;
    offset = 0;
  } else if (text.empty() || text[0] != '/') {
    return failed({0, text.size(), "a glob that begins neither with `/` nor with `**/`",
                   "write `**/` in front for a match anywhere"});
  }
  if (auto error = read_components(text.substr(offset), offset, glob)) {
    return failed(*std::move(error));
  }
  return {std::move(glob), std::nullopt};
}

GlobResult parse_name(std::string_view text) {
  if (text.empty()) return failed({0, 0, "an empty name", {}});
  if (auto error = too_long(text)) return failed(*std::move(error));
  if (const std::size_t slash = find_slash(text, 0); slash != text.size()) {
    return failed({slash, 1, "a `/` in a name", "a name is one component; `glob:` takes paths"});
  }
  auto component = read_component(text);
  if (auto* error = std::get_if<GlobError>(&component)) return failed(std::move(*error));
  Glob glob;
  glob.anywhere = true;
  glob.components.push_back(std::get<GlobComponent>(std::move(component)));
  return {std::move(glob), std::nullopt};
}

}  // namespace nd7::pattern
