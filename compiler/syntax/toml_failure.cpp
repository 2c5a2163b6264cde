#include "compiler/syntax/toml_failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "compiler/source/utf8.hpp"
#include "compiler/syntax/toml_outline.hpp"

namespace nd7 {
namespace {

using Kind = TomlToken::Kind;
using Key = std::vector<TomlToken>;

constexpr std::size_t kShownBytes = 60;  ///< of a quoted piece of source in a message
constexpr std::string_view kRunEnd = " \t\r\n,[]{}=#\"'";

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_bare(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

/// Source for a message: in backticks, cut between characters if it is long.
std::string shown(std::string_view source) {
  std::size_t size = 0;
  while (size < source.size()) {
    const std::size_t next = size + decode_utf8(source, size).length;
    if (next > kShownBytes) return fmt::format("`{}…`", source.substr(0, size));
    size = next;
  }
  return fmt::format("`{}`", source);
}

std::string decoded(std::string_view text, const TomlToken& segment) {
  const std::string_view written = text.substr(segment.begin, segment.end - segment.begin);
  if (segment.kind == Kind::word) return std::string{written};
  TomlFailure unused;
  const auto document = parse_toml(fmt::format("k={}", written), FileId{}, unused);
  return document ? document->entries.front().value.text : std::string{written};
}

/// toml++ writes 'x'; so that an apostrophe may be quoted, quotes count at the edges of words only.
std::string with_backticks(std::string_view message) {
  std::string result;
  bool inside = false;
  for (std::size_t i = 0; i < message.size(); ++i) {
    const bool at_begin = i == 0 || message[i - 1] == ' ';
    const bool at_end = i + 1 == message.size() || message[i + 1] == ' ' || message[i + 1] == ',';
    const bool quote = message[i] == '\'' && (inside ? at_end : at_begin);
    if (quote) inside = !inside;
    result += quote ? '`' : message[i];
  }
  return result;
}

void replace(std::string& text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at != std::string::npos) text.replace(at, from.size(), to);
}

class Explanation {
 public:
  Explanation(std::string_view text, FileId file, const TomlFailure& failure, Diagnostics& out)
      : text_(text),
        file_(file),
        message_(failure.message),
        at_(std::min(failure.at, static_cast<std::uint32_t>(text.size()))),
        outline_(text),
        context_(outline_.context_at(at_)),
        out_(out) {}

  void add() {
    if (unclosed_string() || redefinition() || escape() || missing_value() || word_in_value() ||
        word_in_key() || unclosed_header() || unclosed_bracket()) {
      return;
    }
    other();
  }

 private:
  Span span(std::uint32_t begin, std::uint32_t end) const { return {file_, begin, end}; }
  Span span(const TomlToken& token) const { return {file_, token.begin, token.end}; }
  std::string_view text(const Span& s) const { return text_.substr(s.begin, s.size()); }

  Diagnostic& report(Span primary, std::string message) {
    return out_.add(Code::ND1007, primary, std::move(message));
  }

  bool unclosed_string() {
    for (std::size_t i = 0; i < outline_.size() && outline_[i].begin <= at_; ++i) {
      const TomlToken& token = outline_[i];
      if (token.closed) continue;
      const std::string quotes(token.multiline ? 3 : 1, token.first);
      const auto size = static_cast<std::uint32_t>(quotes.size());
      Diagnostic& d = report(span(token.begin, token.begin + size),
                             token.multiline ? "a multi-line string that is never closed"
                                             : "a string that is not closed on its line");
      d.primary_label = "it begins here";
      d.helps.push_back(fmt::format("close it with `{}`", quotes));
      if (!token.multiline) {
        d.helps.push_back(fmt::format("text of several lines goes between `{0}{0}{0}`", quotes));
      }
      return true;
    }
    return false;
  }

  // Redefinitions. toml++ stops at the first, so the text before the statement is whole: reading it
  // again gives the first definition.

  bool redefinition() {
    if (!has(message_, "cannot redefine") && !has(message_, "cannot insert")) return false;
    if (message_.starts_with("table header")) return header_redefinition();
    const std::size_t open = innermost_inline_table();
    return open < outline_.size() ? inline_redefinition(open) : statement_redefinition();
  }

  std::size_t innermost_inline_table() const {
    for (std::size_t i = context_.open.size(); i-- > 0;) {
      if (outline_[context_.open[i]].first == '{') return context_.open[i];
    }
    return outline_.size();
  }

  std::optional<TomlValue> read_before(std::size_t statement) const {
    TomlFailure unused;
    return parse_toml(text_.substr(0, outline_[statement].begin), file_, unused);
  }

  bool header_redefinition() {
    // toml++ may have gone on to the next line, and a header may begin there.
    const std::size_t here = outline_.token_at(at_);
    std::optional<std::size_t> header = context_.header;
    std::optional<TomlValue> before;
    if (outline_[here].begin == at_ && outline_[here].first == '[') {
      before = read_before(here);
      if (before) header = here;
    }
    if (!header) return false;
    if (!before) before = read_before(*header);
    if (!before) return false;
    return report_conflict(*before, outline_.header_key(*header), std::nullopt);
  }

  bool statement_redefinition() {
    const auto before = read_before(context_.statement);
    if (!before) return false;
    const TomlValue* table = &*before;
    if (context_.header) {
      for (const TomlToken& segment : outline_.header_key(*context_.header)) {
        const TomlEntry* entry = table->find(decoded(text_, segment));
        if (entry == nullptr) return false;
        table = &entry->value;
        if (!table->items.empty()) table = &table->items.back();
      }
    }
    const Key key = outline_.key_at(context_.statement);
    std::optional<std::size_t> culprit;
    for (std::size_t i = 0; i < key.size(); ++i) {
      if (key[i].begin == at_) culprit = i;
    }
    return report_conflict(*table, key, culprit);
  }

  /// Walks down `key` to the segment that is taken: `culprit`, or the first that cannot be entered.
  bool report_conflict(const TomlValue& root, const Key& key, std::optional<std::size_t> culprit) {
    const TomlValue* table = &root;
    for (std::size_t i = 0; i < key.size(); ++i) {
      const TomlEntry* entry = table->find(decoded(text_, key[i]));
      if (entry == nullptr) return false;
      const TomlValue& value = entry->value;
      const bool tables = !value.items.empty() && value.items.back().header;
      const bool closed = !tables && (value.kind != TomlValue::Kind::table ||
                                      text_.substr(value.span.begin, 1) == "{");
      if (closed || i + 1 == key.size() || culprit == i) {
        report_twice(key, i, entry->key_span);
        return true;
      }
      table = tables ? &value.items.back() : &value;
    }
    return false;
  }

  bool inline_redefinition(std::size_t open) {
    std::vector<Key> keys = outline_.inline_keys(open);
    while (!keys.empty() && keys.back().front().begin > at_) keys.pop_back();
    if (keys.empty()) return false;
    const auto names = [&](const Key& key) {
      std::vector<std::string> result;
      for (const TomlToken& segment : key) result.push_back(decoded(text_, segment));
      return result;
    };
    const Key second = std::move(keys.back());
    keys.pop_back();
    const auto taken = names(second);
    for (const Key& first : keys) {
      const auto other = names(first);
      const std::size_t common = std::min(other.size(), taken.size());
      if (!std::equal(other.begin(), other.begin() + static_cast<std::ptrdiff_t>(common),
                      taken.begin())) {
        continue;
      }
      report_twice(second, common - 1, span(first[common - 1]));
      return true;
    }
    return false;
  }

  void report_twice(const Key& key, std::size_t i, Span first) {
    const Span whole = span(key.front().begin, key[i].end);
    const bool last = i + 1 == key.size();
    Diagnostic& d = report(
        span(key[i]), shown(text(whole)) + (last ? " is defined twice"
                                                 : " is defined already and cannot be extended"));
    d.primary_label = last ? "defined again here" : "extended here";
    d.labels.push_back({first, "first defined here"});
  }

  bool escape() {
    const TomlToken& token = outline_[outline_.token_at(at_)];
    if (token.kind != Kind::string || token.first != '"' || at_ <= token.begin) return false;
    const std::size_t found = text_.rfind('\\', at_ - 1);
    if (found == std::string_view::npos || found < token.begin) return false;
    const auto begin = static_cast<std::uint32_t>(found);
    const std::uint32_t after = at_ + decode_utf8(text_, at_).length;
    if (has(message_, "escape sequence")) {
      const Span s = span(begin, after);
      report(s, fmt::format("{} is not an escape", shown(text(s))))
          .helps.emplace_back("write `\\\\` for a backslash, or the string between `'`");
    } else if (has(message_, "hex digit")) {
      const Span s = span(begin, after);
      report(s, fmt::format("{} is not an escape", shown(text(s))))
          .helps.emplace_back("`\\u` takes four hexadecimal digits, `\\U` takes eight");
    } else if (message_.starts_with("unicode scalar")) {
      const Span s = span(begin, at_);
      report(s, fmt::format("{} stands for no character", shown(text(s))))
          .notes.emplace_back("characters are U+0000 to U+D7FF and U+E000 to U+10FFFF");
    } else if (has(message_, "line-ending backslash")) {
      report(span(begin, after), "text after a backslash that joins lines")
          .helps.emplace_back("write `\\\\` for a backslash");
    } else {
      return false;
    }
    return true;
  }

  bool missing_value() {
    std::size_t i = outline_.token_at(at_);
    if (i == 0 || outline_[i - 1].kind != Kind::equals) return false;
    const Kind kind = outline_[i].kind;
    if (kind == Kind::word || kind == Kind::string || kind == Kind::open || kind == Kind::dot) {
      return false;
    }
    report(span(outline_[i - 1]), "no value after `=`")
        .helps.emplace_back("write a value, or remove the key");
    return true;
  }

  /// The unbroken text around the place, or just before it: what somebody meant as one value.
  Span run() const {
    std::size_t begin = at_;
    while (begin > 0 && !has(kRunEnd, text_.substr(begin - 1, 1))) --begin;
    const std::size_t end = std::min(text_.find_first_of(kRunEnd, begin), text_.size());
    return span(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end));
  }

  bool word_in_value() {
    // What encloses a value complains about what follows it, not about the value.
    for (const std::string_view scope : {"array:", "inline table:", "key", "table header:"}) {
      if (message_.starts_with(scope)) return false;
    }
    const Span s = run();
    if (s.empty() || !outline_.begins_value(outline_.token_at(s.begin))) return false;
    const std::string_view word = text(s);
    if (has(message_, "not representable")) {
      report(s, fmt::format("{} does not fit in 64 bits", shown(word)));
      return true;
    }
    const bool number = has("+-.0123456789", word.substr(0, 1));
    Diagnostic& d = report(s, number ? fmt::format("{} is not a number, date or time", shown(word))
                                     : fmt::format("{} is not a value", shown(word)));
    d.helps.emplace_back("text stands in quotes");
    if (!has(word, "\\")) d.fixits.push_back({s, fmt::format("\"{}\"", word), "quote it"});
    return true;
  }

  bool word_in_key() {
    const std::size_t i = outline_.token_at(at_);
    const TomlToken& token = outline_[i];
    if (token.kind != Kind::word || !outline_.begins_key_segment(i)) return false;
    const Span s = span(token);
    if (is_bare(text(s))) return false;
    Diagnostic& d = report(s, fmt::format("{} is a key that needs quotes", shown(text(s))));
    d.notes.emplace_back("without quotes a key is made of `A`–`Z`, `a`–`z`, `0`–`9`, `_` and `-`");
    if (!has(text(s), "\\")) d.fixits.push_back({s, fmt::format("\"{}\"", text(s)), "quote it"});
    return true;
  }

  bool at_line_end() const {
    return at_ < text_.size() && (text_[at_] == '\n' || text_[at_] == '\r');
  }

  bool unclosed_header() {
    const TomlToken& first = outline_[context_.statement];
    const bool expected = has(message_, "expected ']'") || has(message_, "end-of-file");
    if (first.first != '[' || !expected || !(at_ == text_.size() || at_line_end())) return false;
    report(span(first.begin, at_), "a header that is never closed")
        .helps.emplace_back("close it with as many `]` as it has `[`");
    return true;
  }

  bool unclosed_bracket() {
    if (at_ != text_.size() || context_.open.empty()) return false;
    const TomlToken& open = outline_[context_.open.back()];
    report(span(open), fmt::format("`{}` is never closed", open.first))
        .helps.push_back(fmt::format("close it with `{}`", open.first == '[' ? ']' : '}'));
    return true;
  }

  void other() {
    const bool at_end = at_ == text_.size();
    const std::uint32_t size = at_end || at_line_end() ? 0 : decode_utf8(text_, at_).length;
    const std::string_view unit = text_.substr(at_, size);
    const std::size_t scope = message_.find(": ");
    std::string message =
        with_backticks(scope == std::string::npos ? message_ : message_.substr(scope + 2));
    if (has(message, "redefine") || has(message, "cannot insert")) {
      message = "a key or table that is defined already";
    }
    replace(message, "encountered end-of-file", "the file ends too early");
    replace(message, "a comment or whitespace", "the end of the line");
    replace(message, "keys, tables, whitespace or comments", "a key or a `[header]`");
    replace(message, "saw ``", "saw the end of the file");
    if (at_line_end()) {
      replace(message, "saw `\\n`", "saw the end of the line");
      replace(message, "saw `\\r`", "saw the end of the line");
    }
    // toml++ saw the first byte of an encoded character.
    replace(message, "saw `%`", fmt::format("saw `{}`", unit));
    Diagnostic& d = report(span(at_, at_ + size), std::move(message));
    if (context_.open.empty()) return;
    const TomlToken& open = outline_[context_.open.back()];
    d.labels.push_back({span(open), open.first == '[' ? "in this array" : "in this inline table"});
    if (open.first == '{' && at_line_end()) {
      d.helps.emplace_back("an inline table stands on one line; a longer one is a `[table]`");
    }
  }

  std::string_view text_;
  FileId file_;
  std::string message_;
  std::uint32_t at_;
  TomlOutline outline_;
  TomlOutline::Context context_;
  Diagnostics& out_;
};

}  // namespace

void explain_toml_failure(std::string_view text, FileId file, const TomlFailure& failure,
                          Diagnostics& diagnostics) {
  Explanation(text, file, failure, diagnostics).add();
}

}  // namespace nd7
