// TOML cut into tokens, without its grammar: where strings, comments, brackets and keys lie. Enough
// for the limits, the encoding and the error messages; what the tokens mean is the parser's affair.
#pragma once

#include <cstdint>
#include <string_view>

namespace nd7 {

struct TomlToken {
  enum class Kind : std::uint8_t {
    newline,
    comment,  ///< `#` to the end of the line
    string,   ///< any of the four forms, quotes included
    open,     ///< one `[` or `{`
    close,    ///< one `]` or `}`
    equals,
    comma,
    dot,
    word,  ///< a run of anything else; numbers are cut at their dots
    end,   ///< the end of the text
  };
  Kind kind = Kind::end;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  char first = '\0';       ///< the token's first byte; '\0' at the end
  bool multiline = false;  ///< string: begins with three quotes
  bool closed = true;      ///< string: its closing quotes were found
};

/// Walks a text once, in linear time; never fails, whatever the bytes are. A string that is not
/// closed ends with its line, or with the text if it is a multi-line one. White space and a byte
/// order mark at the start are no tokens. Holds a view of the text.
class TomlTokens {
 public:
  explicit TomlTokens(std::string_view text);
  [[nodiscard]] TomlToken next();

 private:
  [[nodiscard]] TomlToken token(TomlToken::Kind kind, std::size_t end);
  [[nodiscard]] TomlToken string();

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Where the content of a string token begins: after the quote, or after three quotes and a line
/// end that follows them at once.
[[nodiscard]] std::uint32_t string_content_begin(std::string_view text, const TomlToken& string);

}  // namespace nd7
