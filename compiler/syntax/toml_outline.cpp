#include "compiler/syntax/toml_outline.hpp"

#include <algorithm>

namespace nd7 {
namespace {

using Kind = TomlToken::Kind;

bool is_segment(const TomlToken& token) {
  return token.kind == Kind::word || token.kind == Kind::string;
}

bool is_gap(const TomlToken& token) {
  return token.kind == Kind::newline || token.kind == Kind::comment;
}

}  // namespace

TomlOutline::TomlOutline(std::string_view text) {
  TomlTokens tokens(text);
  do {
    tokens_.push_back(tokens.next());
  } while (tokens_.back().kind != Kind::end);
}

TomlOutline::Context TomlOutline::context_at(std::uint32_t byte) const {
  Context result;
  bool in_header = false;
  bool fresh = true;  // the next token that is no gap begins a statement
  for (std::size_t i = 0; i < tokens_.size() && tokens_[i].begin < byte; ++i) {
    const TomlToken& token = tokens_[i];
    if (token.kind == Kind::newline && result.open.empty()) {
      in_header = false;
      fresh = true;
    }
    if (is_gap(token)) continue;
    if (fresh) {
      result.statement = i;
      fresh = false;
      in_header = token.first == '[';
      if (in_header) result.header = i;
    }
    if (in_header) continue;
    if (token.kind == Kind::open) result.open.push_back(i);
    if (token.kind == Kind::close && !result.open.empty()) result.open.pop_back();
  }
  return result;
}

std::size_t TomlOutline::token_at(std::uint32_t byte) const {
  const auto found =
      std::upper_bound(tokens_.begin(), tokens_.end(), byte,
                       [](std::uint32_t b, const TomlToken& token) { return b < token.end; });
  if (found == tokens_.end()) return tokens_.size() - 1;
  return static_cast<std::size_t>(found - tokens_.begin());
}

std::vector<TomlToken> TomlOutline::key_at(std::size_t index) const {
  std::vector<TomlToken> result;
  while (index < tokens_.size() && is_segment(tokens_[index])) {
    result.push_back(tokens_[index]);
    if (index + 1 >= tokens_.size() || tokens_[index + 1].kind != Kind::dot) break;
    index += 2;
  }
  return result;
}

std::vector<TomlToken> TomlOutline::header_key(std::size_t index) const {
  while (index < tokens_.size() && tokens_[index].first == '[') ++index;
  return key_at(index);
}

std::vector<std::vector<TomlToken>> TomlOutline::inline_keys(std::size_t open) const {
  std::vector<std::vector<TomlToken>> result;
  std::size_t depth = 0;
  for (std::size_t i = open + 1; i < tokens_.size(); ++i) {
    const TomlToken& before = tokens_[i - 1];
    if (depth == 0 && is_segment(tokens_[i]) && (i == open + 1 || before.kind == Kind::comma)) {
      result.push_back(key_at(i));
    }
    if (tokens_[i].kind == Kind::open) ++depth;
    if (tokens_[i].kind == Kind::close) {
      if (depth == 0) break;
      --depth;
    }
  }
  return result;
}

bool TomlOutline::begins_value(std::size_t index) const {
  if (index > 0 && tokens_[index - 1].kind == Kind::equals) return true;
  const Context context = context_at(tokens_[index].begin);
  if (context.open.empty() || tokens_[context.open.back()].first != '[') return false;
  while (index > 0 && is_gap(tokens_[index - 1])) --index;
  return index > 0 &&
         (tokens_[index - 1].kind == Kind::open || tokens_[index - 1].kind == Kind::comma);
}

bool TomlOutline::begins_key_segment(std::size_t index) const {
  if (begins_value(index)) return false;
  if (index == 0) return true;
  switch (tokens_[index - 1].kind) {
    case Kind::newline:
    case Kind::open:
    case Kind::comma:
    case Kind::dot: return true;
    default: return false;
  }
}

}  // namespace nd7
