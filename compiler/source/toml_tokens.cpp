#include "compiler/source/toml_tokens.hpp"

#include <algorithm>
#include <cstddef>

namespace nd7 {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kWordEnd = " \t\r\n[]{}=,.\"'#";

}  // namespace

TomlTokens::TomlTokens(std::string_view text) : text_(text) {
  if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
}

TomlToken TomlTokens::token(TomlToken::Kind kind, std::size_t end) {
  const TomlToken result{
      kind, static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(end), text_[at_], false,
      true};
  at_ = end;
  return result;
}

TomlToken TomlTokens::string() {
  const char quote = text_[at_];
  const bool basic = quote == '"';
  const bool multiline =
      text_.substr(at_, 3) == (basic ? std::string_view{"\"\"\""} : std::string_view{"'''"});
  std::size_t i = at_ + (multiline ? 3 : 1);
  bool closed = false;
  while (i < text_.size() && !closed) {
    const char c = text_[i];
    if (c == '\n' && !multiline) break;
    if (c == '\\' && basic) {
      // The escaped byte is no quote; a line end still ends a one-line string.
      ++i;
      if (i < text_.size() && text_[i] != '\n') ++i;
    } else if (c == quote && multiline) {
      std::size_t run = 1;
      while (run < 5 && i + run < text_.size() && text_[i + run] == quote) ++run;
      closed = run >= 3;  // up to two quotes may stand before the closing three
      i += run;
    } else {
      closed = c == quote;
      ++i;
    }
  }
  if (!closed && !multiline && i > at_ + 1 && text_[i - 1] == '\r') --i;
  TomlToken result = token(TomlToken::Kind::string, i);
  result.multiline = multiline;
  result.closed = closed;
  return result;
}

TomlToken TomlTokens::next() {
  using Kind = TomlToken::Kind;
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) {
    ++at_;
  }
  if (at_ == text_.size()) {
    const auto end = static_cast<std::uint32_t>(at_);
    return {Kind::end, end, end, '\0', false, true};
  }
  switch (text_[at_]) {
    case '\n': return token(Kind::newline, at_ + 1);
    case '#': {
      std::size_t end = std::min(text_.find('\n', at_), text_.size());
      if (text_[end - 1] == '\r') --end;
      return token(Kind::comment, end);
    }
    case '"':
    case '\'': return string();
    case '[':
    case '{': return token(Kind::open, at_ + 1);
    case ']':
    case '}': return token(Kind::close, at_ + 1);
    case '=': return token(Kind::equals, at_ + 1);
    case ',': return token(Kind::comma, at_ + 1);
    case '.': return token(Kind::dot, at_ + 1);
    default: return token(Kind::word, std::min(text_.find_first_of(kWordEnd, at_), text_.size()));
  }
}

std::uint32_t string_content_begin(std::string_view text, const TomlToken& string) {
  std::uint32_t at = string.begin + (string.multiline ? 3U : 1U);
  if (string.multiline) {
    if (text.substr(at, 2) == "\r\n") return at + 2;
    if (text.substr(at, 1) == "\n") return at + 1;
  }
  return at;
}

}  // namespace nd7
