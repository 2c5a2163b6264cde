#include "compiler/check/paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "compiler/pattern/glob.hpp"
#include "compiler/pattern/regex.hpp"

namespace nd7 {
namespace {

using seatbelt::Filter;

constexpr std::array kForms{
    std::pair<std::string_view, PathForm>{"subpath:", PathForm::subpath},
    std::pair<std::string_view, PathForm>{"literal:", PathForm::literal},
    std::pair<std::string_view, PathForm>{"prefix:", PathForm::prefix},
    std::pair<std::string_view, PathForm>{"glob:", PathForm::glob},
    std::pair<std::string_view, PathForm>{"regex:", PathForm::regex},
    std::pair<std::string_view, PathForm>{"name:", PathForm::name},
};

constexpr std::array<std::string_view, 3> kPrivate{"/tmp", "/var", "/etc"};
constexpr std::string_view kDataVolume = "/System/Volumes/Data";

/// `path` is `root` or lies below it.
bool is_below(std::string_view path, std::string_view root) {
  return path.substr(0, root.size()) == root &&
         (path.size() == root.size() || path[root.size()] == '/');
}

class PathParser {
 public:
  PathParser(const Expanded& value, ir::Target target, Diagnostics& diagnostics)
      : value_(value), target_(target), diagnostics_(diagnostics) {}

  std::optional<PathAtom> value() {
    for (const auto& [prefix, form] : kForms) {
      if (value_.text.rfind(prefix, 0) != 0) continue;
      if (value_.is_literal(0) || value_.is_literal(prefix.size() - 1)) continue;
      drop_front(prefix.size());
      return parse(form, false);
    }
    return parse(PathForm::subpath, true);
  }

  std::optional<PathAtom> parse(PathForm form, bool plain) {
    if (has_control_character(value_.text)) {
      diagnostics_.add(Code::ND2022, value_.span, "a path with a control character")
          .helps.emplace_back("no file that a rule should name has one; look for a stray escape");
      return std::nullopt;
    }
    if (form == PathForm::regex) return regex();
    if (form == PathForm::name) return name();
    return rooted(form, plain);
  }

 private:
  void drop_front(std::size_t count) {
    value_.text.erase(0, count);
    for (auto& [begin, end] : value_.literal) {
      begin = begin > count ? begin - count : 0;
      end = end > count ? end - count : 0;
    }
  }

  std::optional<PathAtom> regex() {
    if (!value_.literal.empty() || ir::has_holes(value_.text)) {
      diagnostics_.add(Code::ND2025, value_.span, "a name inside a regular expression")
          .helps.emplace_back(
              "its value would be read as a pattern; use `glob:`, where it is literal, "
              "or `subpath(…) and regex(…)` in `where`");
      return std::nullopt;
    }
    const auto parsed = pattern::parse_regex(value_.text, pattern::RegexMode::strict);
    if (!parsed.regex) {
      const pattern::RegexError& error = *parsed.error;
      auto& d = diagnostics_.add(
          error.unsupported ? Code::ND1021 : Code::ND1020, value_.span,
          fmt::format("{} at byte {} of the expression", error.message, error.offset + 1));
      if (!error.help.empty()) d.helps.push_back(error.help);
      return std::nullopt;
    }
    if (!check_alias(*parsed.regex)) return std::nullopt;
    return PathAtom{{Filter::regex, value_.text, 0, {}}, false, {}};
  }

  /// The kernel shows paths in their physical spelling: an alias spelling never matches.
  bool check_alias(const pattern::Regex& regex) {
    if (target_ != ir::Target::seatbelt) return true;
    const auto prefix = pattern::anchored_prefix(regex);
    if (!prefix) return true;
    for (const std::string_view alias : kPrivate) {
      if (prefix->rfind(std::string{alias} + "/", 0) != 0 && *prefix != alias) continue;
      auto& d =
          diagnostics_.add(Code::ND2024, value_.span,
                           fmt::format("the kernel sees `{}` as `/private{}`, so this matches "
                                       "nothing",
                                       alias, alias));
      d.helps.push_back(fmt::format("write `^/private{}`", alias));
      return false;
    }
    if (is_below(*prefix, kDataVolume)) {
      diagnostics_
          .add(Code::ND2024, value_.span,
               fmt::format("the kernel never shows `{}`, so this matches nothing", kDataVolume))
          .helps.push_back(fmt::format("leave `{}` out", kDataVolume));
      return false;
    }
    return true;
  }

  std::optional<PathAtom> name() {
    auto escaped = escape_literal_parts();
    if (!escaped) return std::nullopt;
    std::string& text = *escaped;
    const auto parsed = pattern::parse_name(text);
    if (!parsed.glob) return glob_error(*parsed.error, "name");
    return PathAtom{
        {Filter::regex, pattern::name_to_regex(*parsed.glob), 0, {}}, false, std::move(text)};
  }

  std::optional<PathAtom> glob_error(const pattern::GlobError& error, std::string_view what) {
    auto& d = diagnostics_.add(Code::ND1022, value_.span,
                               fmt::format("{} (in this {})", error.message, what));
    if (!error.help.empty()) d.helps.push_back(error.help);
    return std::nullopt;
  }

  /// Pattern characters that came out of a name stand for themselves.
  /// nullopt, after an error, for a name inside `[...]`.
  std::optional<std::string> escape_literal_parts() {
    std::string result;
    bool in_set = false;
    for (std::size_t at = 0; at < value_.text.size(); ++at) {
      const char c = value_.text[at];
      if (c == '\0' && at + 1 < value_.text.size()) {
        result += value_.text.substr(at, 2);
        ++at;
        continue;
      }
      const bool literal = value_.is_literal(at);
      if (literal && in_set) {
        diagnostics_.add(Code::ND1022, value_.span, "a name inside `[...]` of a pattern")
            .helps.emplace_back("a set holds single characters; write them out");
        return std::nullopt;
      }
      if (!literal && c == '[') in_set = true;
      if (!literal && c == ']') in_set = false;
      const bool special = std::string_view{"*?[{}\\"}.find(c) != std::string_view::npos;
      if (special && literal) {
        result += std::string{"["} + c + "]";
      } else {
        result.push_back(c);
      }
    }
    return result;
  }

  bool expand_tilde() {
    if (value_.text.front() != '~') return true;
    if (value_.text.size() > 1 && value_.text[1] != '/') {
      diagnostics_.add(Code::ND2020, value_.span, "another user's home has no short form")
          .helps.emplace_back(
              "`~` is the home of the user who runs the program; write the path out");
      return false;
    }
    value_.text.replace(0, 1, ir::hole(ir::kHome));
    for (auto& [begin, end] : value_.literal) {
      begin += begin == 0 ? 0 : 1;
      end += 1;
    }
    return true;
  }

  std::optional<PathAtom> rooted(PathForm form, bool plain) {
    if (value_.text.empty() || !expand_tilde()) {
      if (value_.text.empty()) diagnostics_.add(Code::ND2020, value_.span, "an empty path");
      return std::nullopt;
    }
    const bool anywhere = form == PathForm::glob && value_.text.rfind("**/", 0) == 0;
    if (value_.text.front() != '/' && value_.text.front() != '\0' && !anywhere) {
      relative(form);
      return std::nullopt;
    }
    if (value_.text.front() == '\0' && value_.text.size() > 2 && value_.text[2] != '/') {
      diagnostics_.add(Code::ND2020, value_.span, "text grows onto a variable without `/` between")
          .helps.emplace_back("write `${project}/x`; for a name beside it, use its parent's path");
      return std::nullopt;
    }
    for (std::size_t at = 1; at < value_.text.size(); ++at) {
      if (value_.text[at] != '\0') continue;
      if (at > 1) {
        diagnostics_
            .add(Code::ND2035, value_.span,
                 "a parameter in the middle of a path needs its value when compiling")
            .helps.emplace_back(
                "give it a `default`, set it where the set is used, or bind it with -D");
        return std::nullopt;
      }
      ++at;
    }
    return form == PathForm::glob ? glob() : plain_path(form, plain);
  }

  void relative(PathForm form) {
    auto& d =
        diagnostics_.add(Code::ND2020, value_.span, "a path begins with `/`, `~` or `${name}`");
    std::string fixed = value_.text;
    if (fixed.rfind("./", 0) == 0) fixed.erase(0, 2);
    if (fixed == ".") {
      d.helps.emplace_back("the directory that the program starts in is `${project}`");
    } else if (form == PathForm::subpath && fixed.find(':') != std::string::npos) {
      d.helps.emplace_back("pattern names are `literal: prefix: glob: regex: name:`");
    } else {
      d.helps.push_back(fmt::format("inside the project, write `${{project}}/{}`", fixed));
    }
  }

  std::optional<PathAtom> glob() {
    auto escaped = escape_literal_parts();
    if (!escaped) return std::nullopt;
    std::string& text = *escaped;
    for (const std::string_view part : {"/../", "/./"}) {
      if ((text + "/").find(part) == std::string::npos) continue;
      diagnostics_.add(Code::ND1022, value_.span, "`.` and `..` have no place in a glob");
      return std::nullopt;
    }
    // An alias is literal text at the front, so it can be exchanged before the pattern is read.
    text = physical_alias(text, target_);
    const auto parsed = pattern::parse_glob(text);
    if (!parsed.glob) return glob_error(*parsed.error, "glob");
    const pattern::Glob& glob = *parsed.glob;
    const bool fixed =
        !glob.anywhere &&
        std::all_of(glob.components.begin(), glob.components.end(),
                    [](const auto& c) { return c.kind == pattern::GlobComponent::Kind::literal; });
    if (fixed && value_.literal.empty()) {
      return PathAtom{{Filter::literal, text, 0, {}}, false, {}};
    }
    return PathAtom{{Filter::regex, pattern::to_regex(glob), 0, {}}, false, {}};
  }

  std::optional<PathAtom> plain_path(PathForm form, bool plain) {
    if (plain) warn_of_pattern_characters();
    const bool directory = plain && value_.text.size() > 1 && value_.text.back() == '/';
    auto normal = normalise(form == PathForm::prefix);
    if (!normal) return std::nullopt;
    if (form == PathForm::prefix && !check_prefix_alias(*normal)) return std::nullopt;
    std::string text = physical_alias(*normal, target_);
    Filter filter = Filter::subpath;
    if (form == PathForm::literal) filter = Filter::literal;
    if (form == PathForm::prefix) filter = Filter::prefix;
    if (form == PathForm::ancestors) filter = Filter::path_ancestors;
    return PathAtom{{filter, std::move(text), 0, {}}, directory, {}};
  }

  /// A prefix that ends inside an alias would have to become two: the kernel shows what lies below
  /// the alias elsewhere, and its neighbours where they are.
  bool check_prefix_alias(std::string_view prefix) {
    if (target_ != ir::Target::seatbelt || prefix == "/") return true;
    for (const std::string_view alias : kPrivate) {
      if (alias.substr(0, prefix.size()) != prefix) continue;
      auto& d =
          diagnostics_.add(Code::ND2024, value_.span,
                           fmt::format("this prefix ends inside `{}`, which the kernel sees as "
                                       "`/private{}`",
                                       alias, alias));
      d.helps.push_back(fmt::format("write `prefix:{}/` for what is below it", alias));
      return false;
    }
    return true;
  }

  void warn_of_pattern_characters() {
    for (std::size_t at = 0; at < value_.text.size(); ++at) {
      if (value_.text[at] == '\0') {
        ++at;
        continue;
      }
      if (std::string_view{"*?["}.find(value_.text[at]) == std::string_view::npos) continue;
      if (value_.is_literal(at)) continue;
      auto& d =
          diagnostics_.add(Code::ND2023, value_.span,
                           fmt::format("`{}` stands for itself in a plain path", value_.text[at]));
      d.helps.emplace_back(
          "for a pattern, put `glob:` in front; to say that it is meant, `subpath:`");
      return;
    }
  }

  /// Components without `.`, `..` and empty ones; a prefix keeps what follows its last slash.
  std::optional<std::string> normalise(bool prefix) {
    std::string_view text = value_.text;
    std::string front;
    if (text.front() == '\0') {
      front = text.substr(0, 2);
      text.remove_prefix(2);
    }
    std::vector<std::string_view> components;
    std::size_t at = 0;
    bool trailing_slash = !text.empty() && text.back() == '/';
    while (at < text.size()) {
      std::size_t end = text.find('/', at);
      if (end == std::string_view::npos) end = text.size();
      const std::string_view component = text.substr(at, end - at);
      at = end + 1;
      if (component.empty() || component == ".") continue;
      if (component != "..") {
        components.push_back(component);
        continue;
      }
      const auto from_name = [&](std::string_view part) {
        return value_.is_literal(static_cast<std::size_t>(part.data() - value_.text.data()));
      };
      if (from_name(component) || (!components.empty() && from_name(components.back()))) {
        diagnostics_.add(Code::ND2021, value_.span, "`..` in or above what a name stands for")
            .helps.emplace_back("what it climbs out of depends on the name; write the path itself");
        return std::nullopt;
      }
      if (components.empty() && !front.empty()) {
        diagnostics_.add(Code::ND2021, value_.span, "`..` climbs above a variable")
            .helps.emplace_back("what lies above it is not known; write that path itself");
        return std::nullopt;
      }
      if (!components.empty()) components.pop_back();
    }
    std::string result = front;
    for (const std::string_view component : components) {
      result.push_back('/');
      result += component;
    }
    if (result.empty() || (prefix && trailing_slash && !components.empty())) result.push_back('/');
    return result;
  }

  Expanded value_;
  ir::Target target_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::optional<PathAtom> parse_path_value(const Expanded& value, ir::Target target,
                                         Diagnostics& diagnostics) {
  return PathParser{value, target, diagnostics}.value();
}

std::optional<PathAtom> parse_path(const Expanded& value, PathForm form, ir::Target target,
                                   Diagnostics& diagnostics) {
  return PathParser{value, target, diagnostics}.parse(form, false);
}

std::string physical_alias(std::string_view path, ir::Target target) {
  if (target != ir::Target::seatbelt) return std::string{path};
  if (is_below(path, kDataVolume)) {
    path.remove_prefix(kDataVolume.size());
    if (path.empty()) return "/";
  }
  for (const std::string_view alias : kPrivate) {
    if (is_below(path, alias)) return "/private" + std::string{path};
  }
  return std::string{path};
}

bool is_at_or_below(std::string_view path, std::string_view root, ir::Target target) {
  const auto same = [&](char a, char b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return target == ir::Target::seatbelt ? lower(a) == lower(b) : a == b;
  };
  return path.size() >= root.size() && std::equal(root.begin(), root.end(), path.begin(), same) &&
         (path.size() == root.size() || path[root.size()] == '/');
}

bool has_control_character(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte == 0 && at + 1 < text.size()) {
      ++at;  // a hole
    } else if (byte < 0x20 || byte == 0x7f) {
      return true;
    }
  }
  return false;
}

}  // namespace nd7
