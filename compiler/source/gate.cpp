#include "compiler/source/gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/source/bidi.hpp"
#include "compiler/source/toml_tokens.hpp"
#include "compiler/source/utf8.hpp"

namespace nd7 {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

Span span_of(FileId file, std::size_t begin, std::size_t end) {
  return {file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

std::uint32_t byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
}

bool is_continuation(std::uint32_t byte) { return (byte & 0xC0U) == 0x80U; }

/// What is wrong with the bytes at `at`, where no character begins, and how many are to blame.
struct BadBytes {
  std::size_t size;
  std::string message;
};
BadBytes describe_bad_bytes(std::string_view text, std::size_t at) {
  const std::uint32_t first = byte_at(text, at);
  std::size_t wanted = 1;
  if (first >= 0xC0U && first <= 0xDFU) wanted = 2;
  if (first >= 0xE0U && first <= 0xEFU) wanted = 3;
  if (first >= 0xF0U && first <= 0xF7U) wanted = 4;
  std::size_t size = 1;
  while (size < wanted && is_continuation(byte_at(text, at + size))) ++size;

  if (wanted == 1) {
    return {1, is_continuation(first)
                   ? fmt::format("byte 0x{:02x} continues a character that was not begun", first)
                   : fmt::format("byte 0x{:02x} is not UTF-8", first)};
  }
  if (size < wanted) {
    return {size, fmt::format("byte 0x{:02x} begins a character of {} bytes that is cut off", first,
                              wanted)};
  }
  std::uint32_t value = first & (0xFFU >> (wanted + 1));
  std::string bytes = fmt::format("0x{:02x}", first);
  for (std::size_t i = 1; i < wanted; ++i) {
    value = (value << 6U) | (byte_at(text, at + i) & 0x3FU);
    bytes += fmt::format(" 0x{:02x}", byte_at(text, at + i));
  }
  if (value > 0x10FFFFU) return {size, fmt::format("bytes {} go beyond U+10FFFF", bytes)};
  if (value >= 0xD800U && value <= 0xDFFFU) {
    return {size, fmt::format("bytes {} are the surrogate U+{:04X}, which is no character", bytes,
                              value)};
  }
  return {size, fmt::format("bytes {} are an overlong form of U+{:04X}", bytes, value)};
}

std::string control_name(char32_t c) {
  constexpr std::array<std::string_view, 32> kNames{
      "NUL",
      "start of heading",
      "start of text",
      "end of text",
      "end of transmission",
      "enquiry",
      "acknowledge",
      "bell",
      "backspace",
      "tab",
      "line feed",
      "vertical tab",
      "form feed",
      "carriage return",
      "shift out",
      "shift in",
      "data link escape",
      "device control one",
      "device control two",
      "device control three",
      "device control four",
      "negative acknowledge",
      "synchronous idle",
      "end of transmission block",
      "cancel",
      "end of medium",
      "substitute",
      "escape",
      "file separator",
      "group separator",
      "record separator",
      "unit separator",
  };
  const auto value = static_cast<std::uint32_t>(c);
  if (value < kNames.size()) return fmt::format("U+{:04X} {}", value, kNames[value]);
  if (value == 0x7FU) return "U+007F delete";
  return fmt::format("U+{:04X} C1 control", value);
}

bool is_control(char32_t c) {
  return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7F && c <= 0x9F);
}

/// Reports what is wrong at `at`, if anything is; the number of bytes to go on by.
std::size_t check_unit(std::string_view text, std::size_t at, FileId file, Diagnostics& out) {
  const Utf8Unit unit = decode_utf8(text, at);
  if (!unit.valid) {
    BadBytes bad = describe_bad_bytes(text, at);
    out.add(Code::ND1001, span_of(file, at, at + bad.size), std::move(bad.message))
        .helps.emplace_back("save the file as UTF-8");
    return bad.size;
  }
  const char32_t c = unit.code_point;
  const Span span = span_of(file, at, at + unit.length);
  if (c == '\r' && byte_at(text, at + 1) != '\n') {
    Diagnostic& d = out.add(Code::ND1002, span, "a carriage return without a line feed");
    d.helps.emplace_back("end lines with LF or with CR LF");
    d.fixits.push_back({span, "\n", "write a line feed"});
  } else if (is_control(c)) {
    out.add(Code::ND1002, span, fmt::format("control character {}", control_name(c)))
        .helps.emplace_back("remove it; where a string needs it, write it as an escape");
  } else if (const auto name = bidi_name(c)) {
    Diagnostic& d = out.add(
        Code::ND1003, span,
        fmt::format("bidirectional control U+{:04X} {}", static_cast<std::uint32_t>(c), *name));
    d.notes.emplace_back("it makes text show in another order than it is read");
    d.helps.emplace_back("remove it; where a string needs it, write it as an escape");
  }
  return unit.length;
}

/// A text that begins like UTF-16 would be wrong at every second byte: one error says it better.
bool refuse_utf16(std::string_view text, FileId file, Diagnostics& out) {
  if (!text.starts_with("\xFF\xFE") && !text.starts_with("\xFE\xFF")) return false;
  out.add(Code::ND1001, span_of(file, 0, 2), "the file begins with a UTF-16 byte order mark")
      .helps.emplace_back("save the file as UTF-8");
  return true;
}

/// Counts while tokens pass: brackets that are open, and the segments of the key at hand.
class TomlLimits {
 public:
  TomlLimits(FileId file, Diagnostics& out) : file_(file), out_(out) {}

  /// False when there is no point in going on.
  bool see(const TomlToken& token) {
    using Kind = TomlToken::Kind;
    if (token.kind == Kind::dot) {
      ++dots_;
      after_dot_ = true;
      key_end_ = token.end;
      return true;
    }
    const bool segment = token.kind == Kind::word || token.kind == Kind::string;
    if (!(segment && after_dot_)) {
      if (!end_key()) return false;
      key_begin_ = token.begin;
    }
    after_dot_ = false;
    key_end_ = token.end;
    return see_bracket(token);
  }

 private:
  bool see_bracket(const TomlToken& token) {
    using Kind = TomlToken::Kind;
    if (token.kind == Kind::open) {
      // A header's brackets end with its line, closed or not.
      if (line_begin_ && open_.empty() && token.first == '[') header_ = true;
      // The tables that a dotted key makes enclose its value too.
      open_.push_back(after_equals_ ? segments_ : 1);
      depth_ += open_.back();
      if (depth_ > kMaxNesting) {
        out_.add(Code::ND1005, Span{file_, token.begin, token.end},
                 fmt::format("nesting {} deep; the limit is {}", depth_, kMaxNesting))
            .helps.emplace_back("give inner values names of their own in `[let]` or in tables");
        return false;
      }
    } else if (token.kind == Kind::close && !open_.empty()) {
      depth_ -= open_.back();
      open_.pop_back();
    } else if (token.kind == Kind::newline && header_) {
      open_.clear();
      depth_ = 0;
      header_ = false;
    }
    line_begin_ = token.kind == Kind::newline;
    after_equals_ = token.kind == Kind::equals;
    return true;
  }

  bool end_key() {
    if (after_equals_) return true;  // the key ended with the `=`
    segments_ = dots_ + 1;
    dots_ = 0;
    if (segments_ <= kMaxKeySegments) return true;
    out_.add(Code::ND1006, Span{file_, key_begin_, key_end_},
             fmt::format("a key of {} segments; the limit is {}", segments_, kMaxKeySegments))
        .helps.emplace_back("quote the key if its dots are part of a name");
    return ++long_keys_ < kMaxGateErrors;
  }

  FileId file_;
  Diagnostics& out_;
  std::vector<std::size_t> open_;  // the depth that each open bracket adds
  std::size_t depth_ = 0;          // their sum
  bool header_ = false;
  bool line_begin_ = true;
  bool after_equals_ = false;
  std::size_t segments_ = 1;  // of the last key
  std::size_t dots_ = 0;
  bool after_dot_ = false;
  std::uint32_t key_begin_ = 0;
  std::uint32_t key_end_ = 0;
  std::size_t long_keys_ = 0;
};

}  // namespace

bool gate_text(const SourceMap& sources, FileId file, Diagnostics& diagnostics,
               std::size_t max_bytes) {
  const std::string_view text = sources.file(file).text();
  if (text.size() > max_bytes) {
    diagnostics
        .add(Code::ND1004, span_of(file, 0, 0),
             fmt::format("the file has {} bytes; the limit is {}", text.size(), max_bytes))
        .helps.emplace_back("split it into several files");
    return false;
  }
  if (refuse_utf16(text, file, diagnostics)) return false;

  const std::size_t errors_before = diagnostics.error_count();
  const auto errors = [&] { return diagnostics.error_count() - errors_before; };
  std::size_t at = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  while (at < text.size() && errors() < kMaxGateErrors) {
    at += check_unit(text, at, file, diagnostics);
  }
  return errors() == 0;
}

bool gate_toml(const SourceMap& sources, FileId file, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.error_count();
  TomlTokens tokens(sources.file(file).text());
  TomlLimits limits(file, diagnostics);
  TomlToken token;
  do {
    token = tokens.next();
  } while (limits.see(token) && token.kind != TomlToken::Kind::end);
  return diagnostics.error_count() == errors_before;
}

}  // namespace nd7
