// fold_ascii_case. Works on the text, so that whatever has no letters stays as it was written.
#include <string>
#include <string_view>

#include "compiler/pattern/glob.hpp"
#include "compiler/pattern/regex.hpp"
#include "compiler/pattern/set_text.hpp"

namespace nd7::pattern {
namespace {

constexpr std::size_t kCaseBit = 0x20;

bool is_letter(char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); }

std::string fold_letter(char letter) {
  const auto upper = static_cast<unsigned char>(static_cast<unsigned char>(letter) & ~kCaseBit);
  const auto lower = static_cast<unsigned char>(upper | kCaseBit);
  return {'[', static_cast<char>(lower), static_cast<char>(upper), ']'};
}

/// `text` is one set with its brackets.
std::string fold_set(std::string_view text) {
  const RegexResult parsed = parse_regex(text, RegexMode::strict);
  if (!parsed.regex) return std::string{text};
  const ByteSet& set = parsed.regex->nodes[parsed.regex->root].set;
  ByteSet folded = set;
  for (std::size_t upper = 'A'; upper <= 'Z'; ++upper) {
    const std::size_t lower = upper | kCaseBit;
    folded[upper] = folded[lower] = set.test(upper) || set.test(lower);
  }
  if (folded == set) return std::string{text};
  const bool negated = text[1] == '^';
  return set_text(negated ? ~folded : folded, negated);
}

}  // namespace

std::string fold_ascii_case(std::string_view regex) {
  std::string result;
  result.reserve(regex.size());
  for (std::size_t at = 0; at < regex.size(); ++at) {
    std::size_t size = 1;
    switch (regex[at]) {
      case '\0':
      case '\\':
        size = 2;  // a hole, or an escape, which in this dialect is never of a letter
        break;
      case '[': {
        // A `]` is never a member in this dialect, so the first one ends the set.
        const std::size_t close = regex.find(']', at);
        size = close == std::string_view::npos ? regex.size() - at : close - at + 1;
        result += fold_set(regex.substr(at, size));
        at += size - 1;
        continue;
      }
      default: break;
    }
    if (size == 1 && is_letter(regex[at])) {
      result += fold_letter(regex[at]);
    } else {
      result += regex.substr(at, size);
      at += size - 1;
    }
  }
  return result;
}

}  // namespace nd7::pattern
