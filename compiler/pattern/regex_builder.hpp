// Builds a Regex while the grammar runs, and says what a dialect refuses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/pattern/regex.hpp"

namespace nd7::pattern {

/// Thrown to end a parse; caught in parse_regex only.
struct RegexRefusal {
  RegexError error;
};

/// Offsets are bytes of the pattern. Every member may throw RegexRefusal.
class RegexBuilder {
 public:
  RegexBuilder(std::string_view text, RegexMode mode) : text_(text), mode_(mode) {
    frames_.emplace_back();
  }

  void open_group(std::size_t at);
  void close_group();
  void next_alternative();
  void add_byte(char byte);
  void add_any_byte();
  void add_hole(std::uint32_t index);
  void add_anchor(RegexNode::Kind kind);
  void quantify(char quantifier);

  void open_set(std::size_t at);
  void negate_set() { set_negated_ = true; }
  void add_to_set(std::size_t at, char first, char last);
  void close_set(std::size_t end);

  /// Strict: ends the parse. Tolerant: a warning, and the parse goes on.
  void unsupported(std::size_t at, std::size_t length, std::string message, std::string help);
  [[noreturn]] static void refuse(std::size_t at, std::size_t length, std::string message,
                                  std::string help = {});

  [[nodiscard]] std::string_view text() const { return text_; }
  /// Where the innermost open group or the open set began.
  [[nodiscard]] std::size_t group_begin() const { return frames_.back().begin; }
  [[nodiscard]] std::size_t set_begin() const { return set_begin_; }
  [[nodiscard]] bool set_is_empty() const { return set_.none(); }

  /// The whole expression; call once, after the parse.
  [[nodiscard]] Regex take();
  [[nodiscard]] std::vector<RegexError> take_warnings() { return std::move(warnings_); }

 private:
  /// An open group: finished alternatives, and the pieces of the one being read.
  struct Frame {
    std::size_t begin = 0;
    std::vector<std::uint32_t> alternatives;
    std::vector<std::uint32_t> pieces;
  };

  std::uint32_t add(RegexNode node);
  void add_piece(RegexNode node) { frames_.back().pieces.push_back(add(std::move(node))); }
  std::uint32_t finish_frame();

  std::string_view text_;
  RegexMode mode_;
  Regex regex_;
  std::vector<Frame> frames_;
  std::vector<RegexError> warnings_;
  ByteSet set_;
  bool set_negated_ = false;
  std::size_t set_begin_ = 0;
};

}  // namespace nd7::pattern
