// Builds an Expr while the grammar runs, and reports what is not in the language.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/syntax/expression.hpp"

namespace nd7 {

/// Reports of one expression; then the parse ends.
inline constexpr std::size_t kMaxExpressionErrors = 20;

/// Thrown to end a parse after its last report; caught in parse_expression only.
struct ExpressionStop {};

/// Offsets are bytes of the expression's text.
class ExpressionBuilder {
 public:
  ExpressionBuilder(std::string_view text, FileId file, std::uint32_t begin,
                    Diagnostics& diagnostics);

  // Operators and groups.
  void begin_operands();
  void end_operands(ExprNode::Kind kind);
  void begin_not(std::size_t at);
  void end_not();
  void open_group(std::size_t at);
  void close_group(std::size_t end);
  /// For an operand that could not be read, so that the parse can go on.
  void add_placeholder(std::size_t at);
  void add_truth(std::size_t at, std::size_t end);
  /// Counts nesting; reports and ends the parse beyond the limit.
  void deepen(std::size_t at, std::size_t length);
  void rise() { --depth_; }

  // Conditions.
  void begin_condition(std::string_view word, std::size_t at);
  void add_value(ExprValue value);
  void end_condition(ExprNode::Kind kind);
  void set_end(std::size_t end) { end_ = end; }
  void open_brackets(std::size_t at) { brackets_ = at; }
  [[nodiscard]] std::size_t brackets() const { return brackets_; }
  [[nodiscard]] const std::string& word() const { return word_; }
  [[nodiscard]] std::size_t word_begin() const { return word_begin_; }

  // Strings.
  void begin_string(std::size_t at);
  void add_text(std::string_view text) { string_ += text; }
  void add_code_point(std::uint32_t code_point);
  void end_string(std::size_t end);
  [[nodiscard]] std::size_t string_begin() const { return string_begin_; }

  // Reports.
  /// Adds an error at [at, at + length), and gives it for more to be said; throws after too many.
  Diagnostic& report(Code code, std::size_t at, std::size_t length, std::string message);
  /// `expected X, found Y` with the token at `at`, unless nothing was read since the last report.
  Diagnostic* expected(std::size_t at, std::string_view what);
  /// Nothing at or behind `at` is worth a report before something more was read.
  void calm(std::size_t at) { calm_ = at; }
  /// A bracket was reported missing: one that is too many later is no news.
  void forgive_close() { ++forgiven_; }
  [[nodiscard]] bool take_forgiven();

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] Span span(std::size_t from, std::size_t to) const;
  /// The whole expression, if nothing was reported; call once, after the parse.
  [[nodiscard]] std::optional<Expr> take();
  [[nodiscard]] std::size_t group_begin() const { return groups_.back(); }

 private:
  struct Operand {
    std::uint32_t node = 0;
    Span span;  ///< parentheses included
  };

  void push(ExprNode node);

  std::string_view text_;
  FileId file_;
  std::uint32_t begin_;
  Diagnostics& diagnostics_;
  Expr expr_;
  std::vector<std::vector<Operand>> frames_;
  std::vector<std::size_t> groups_;  ///< where the open ones began
  std::vector<std::size_t> nots_;
  std::size_t depth_ = 0;

  std::string word_;
  std::size_t word_begin_ = 0;
  std::size_t end_ = 0;  ///< of the condition being read
  std::size_t brackets_ = 0;
  std::vector<ExprValue> values_;
  std::string string_;
  std::size_t string_begin_ = 0;

  std::size_t errors_ = 0;
  std::optional<std::size_t> calm_;
  std::size_t forgiven_ = 0;
};

/// The bytes of the token at `at`: a word or number, or one character; 0 at the end.
[[nodiscard]] std::size_t token_size(std::string_view text, std::size_t at);
/// That token as a message names it.
[[nodiscard]] std::string token_name(std::string_view text, std::size_t at);

}  // namespace nd7
