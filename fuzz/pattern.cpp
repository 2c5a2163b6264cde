// Patterns: any bytes are read or refused in each notation; what a glob or a name becomes is in the
// strict dialect, and a sample of it is taken by the obvious matcher of globs.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "compiler/pattern/glob.hpp"
#include "compiler/pattern/regex.hpp"
#include "tests/unit/pattern/glob_matcher.hpp"
#include "tests/unit/pattern/regex_matcher.hpp"

namespace {

using namespace nd7::pattern;

void require(bool condition) {
  if (!condition) std::abort();
}

/// The obvious matchers take their time.
bool is_small(const Regex& regex, std::string_view subject) {
  return regex.nodes.size() <= 60 && subject.size() <= 20;
}

void check_tree(const Regex& regex) {
  require(regex.nodes.size() <= kMaxRegexNodes && regex.root < regex.nodes.size());
  for (std::uint32_t id = 0; id < regex.nodes.size(); ++id) {
    const RegexNode& node = regex.nodes[id];
    for (const std::uint32_t kid : node.kids) require(kid < id);
    require(node.kind != RegexNode::Kind::bytes || (node.set.any() && !node.set.test(0)));
    require(node.kind != RegexNode::Kind::hole || node.hole < kMaxHoles);
  }
}

void check_place(std::size_t offset, std::size_t length, std::size_t size) {
  require(offset <= size && length <= size - offset);
}

void check_result(const RegexResult& result, std::size_t size) {
  require(result.regex.has_value() != result.error.has_value());
  if (result.error) check_place(result.error->offset, result.error->length, size);
  require(result.warnings.size() <= kMaxRegexWarnings);
  for (const RegexError& warning : result.warnings) {
    check_place(warning.offset, warning.length, size);
  }
  if (!result.regex) return;
  check_tree(*result.regex);
  const auto shortest = sample(*result.regex);
  const auto prefix = anchored_prefix(*result.regex);
  if (!shortest) return;
  require(!prefix || shortest->compare(0, prefix->size(), *prefix) == 0);
  if (is_small(*result.regex, *shortest)) require(oracle::matches(*result.regex, *shortest));
}

void check_strict(std::string_view text, const Regex& regex) {
  const RegexResult tolerant = parse_regex(text, RegexMode::tolerant);
  require(tolerant.regex && tolerant.warnings.empty());
  require(tolerant.regex->nodes.size() == regex.nodes.size());
  const std::string folded_text = fold_ascii_case(text);
  require(fold_ascii_case(folded_text) == folded_text);
  const RegexResult folded = parse_regex(folded_text, RegexMode::strict);
  require(folded.regex && folded.regex->nodes.size() == regex.nodes.size());
  for (std::size_t id = 0; id < regex.nodes.size(); ++id) {
    const ByteSet& set = regex.nodes[id].set;
    const ByteSet& wider = folded.regex->nodes[id].set;
    require((set & ~wider).none());
    for (std::size_t upper = 'A'; upper <= 'Z'; ++upper) {
      require(wider[upper] == wider[upper | 0x20U]);
      require(wider[upper] == (set[upper] || set[upper | 0x20U]));
    }
  }
}

void check_regex(std::string_view text) {
  check_result(parse_regex(text, RegexMode::tolerant), text.size());
  const RegexResult strict = parse_regex(text, RegexMode::strict);
  check_result(strict, text.size());
  if (strict.regex) check_strict(text, *strict.regex);
  (void)fold_ascii_case(text);
}

/// A translated glob or name: its expression, and one path that it matches.
std::string check_translation(const std::string& text) {
  const RegexResult regex = parse_regex(text, RegexMode::strict);
  require(regex.regex.has_value());
  check_strict(text, *regex.regex);
  const auto path = sample(*regex.regex);
  require(path && !path->empty());
  if (is_small(*regex.regex, *path)) require(oracle::matches(*regex.regex, *path));
  return *path;
}

void check_glob_result(const GlobResult& result, std::size_t size) {
  require(result.glob.has_value() != result.error.has_value());
  if (result.error) check_place(result.error->offset, result.error->length, size);
}

void check_globs(std::string_view text) {
  const bool plain = text.find('\0') == std::string_view::npos && text.size() <= 20;
  const GlobResult glob = parse_glob(text);
  check_glob_result(glob, text.size());
  if (glob.glob) {
    const std::string path = check_translation(to_regex(*glob.glob));
    if (plain) require(oracle::glob_matches(std::string{text}, path));
  }
  const GlobResult name = parse_name(text);
  check_glob_result(name, text.size());
  if (name.glob) {
    const std::string path = check_translation(name_to_regex(*name.glob));
    if (plain) require(oracle::name_matches(text, path));
  }
}

void check_quoting(std::string_view text) {
  if (text.find('\0') != std::string_view::npos || text.size() > 1000) return;
  const RegexResult regex = parse_regex("^" + quote_regex(text) + "$", RegexMode::strict);
  require(regex.regex && sample(*regex.regex) == text && anchored_prefix(*regex.regex) == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  check_regex(text);
  check_globs(text);
  check_quoting(text);
  return 0;
}
