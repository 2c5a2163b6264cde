// A TOML text written in ASCII only, with a way back. The TOML parser in use has undefined
// behaviour on some non-ASCII text (its version 3.3, in the look for white space), so it never sees
// any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nd7 {

/// Every byte of 0x80 and over, and `%`, becomes `%XX`. In basic strings so does every escape
/// `\uXXXX` or `\UXXXXXXXX` that stands for `%` or for a character that is not ASCII. Hence a `%`
/// that a parser finds in a string is always one of these, two spellings of one key are equal, and
/// decode_ascii() of what the parser found is the meaning of the string. A byte order mark at the
/// start is left out. Lines stay lines.
class AsciiText {
 public:
  /// `original` may hold any bytes; at most 1 GiB.
  explicit AsciiText(std::string_view original);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// The original byte of an encoded one (that begins the same unit); past the end: the end.
  [[nodiscard]] std::uint32_t original(std::uint32_t encoded) const;
  /// The same for a 1-based line and column of the encoded text.
  [[nodiscard]] std::uint32_t original(std::uint32_t line, std::uint32_t column) const;

 private:
  /// Something that was not copied as it was.
  struct Unit {
    std::uint32_t encoded;
    std::uint32_t encoded_size;
    std::uint32_t original;
    std::uint32_t original_size;
    bool escape;  ///< one escape; otherwise a run of bytes, three for one
  };

  void copy(std::string_view source, std::size_t begin, std::size_t end);
  void copy_basic_string(std::string_view source, std::size_t begin, std::size_t end);

  std::string text_;
  std::vector<Unit> units_;
  std::vector<std::uint32_t> line_starts_;
  std::uint32_t begin_ = 0;  ///< original byte of encoded byte 0
};

/// Undoes the encoding in a string that a parser read: each `%XX` is one byte; a `%` that no two
/// hexadecimal digits follow stays.
[[nodiscard]] std::string decode_ascii(std::string_view encoded);

}  // namespace nd7
