#include "compiler/syntax/expression_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/source/utf8.hpp"

namespace nd7 {
namespace {

constexpr std::string_view kSpace = " \t\n\r";

bool in_word(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || byte == '-' || byte == '_' || byte == '*' ||
         static_cast<unsigned char>(byte) >= 0x80U;
}

}  // namespace

std::size_t token_size(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  std::size_t end = at;
  while (end < text.size() && in_word(text[end])) ++end;
  return end > at ? end - at : 1;
}

std::string token_name(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 40;
  if (at >= text.size()) return "the end of the expression";
  if (text[at] == '"') return "a string";
  const std::string_view token = text.substr(at, token_size(text, at));
  std::size_t shown = 0;
  while (shown < token.size() && shown < kLongest) shown += decode_utf8(token, shown).length;
  return fmt::format("`{}{}`", token.substr(0, shown), shown < token.size() ? "..." : "");
}

ExpressionBuilder::ExpressionBuilder(std::string_view text, FileId file, std::uint32_t begin,
                                     Diagnostics& diagnostics)
    : text_(text), file_(file), begin_(begin), diagnostics_(diagnostics) {
  frames_.emplace_back();
}

Span ExpressionBuilder::span(std::size_t from, std::size_t to) const {
  return {file_, begin_ + static_cast<std::uint32_t>(from),
          begin_ + static_cast<std::uint32_t>(to)};
}

void ExpressionBuilder::push(ExprNode node) {
  const Span where = node.span;
  expr_.nodes.push_back(std::move(node));
  frames_.back().push_back({static_cast<std::uint32_t>(expr_.nodes.size() - 1), where});
}

void ExpressionBuilder::begin_operands() { frames_.emplace_back(); }

void ExpressionBuilder::end_operands(ExprNode::Kind kind) {
  const std::vector<Operand> operands = std::move(frames_.back());
  frames_.pop_back();
  if (operands.size() == 1) {
    frames_.back().push_back(operands.front());
    return;
  }
  ExprNode node;
  node.kind = kind;
  node.span = {file_, operands.front().span.begin, operands.back().span.end};
  for (const Operand& operand : operands) node.kids.push_back(operand.node);
  push(std::move(node));
}

void ExpressionBuilder::begin_not(std::size_t at) { nots_.push_back(at); }

void ExpressionBuilder::end_not() {
  const Operand operand = frames_.back().back();
  frames_.back().pop_back();
  ExprNode node;
  node.kind = ExprNode::Kind::negation;
  node.span = {file_, span(nots_.back(), 0).begin, operand.span.end};
  node.kids = {operand.node};
  nots_.pop_back();
  rise();
  push(std::move(node));
}

void ExpressionBuilder::open_group(std::size_t at) {
  deepen(at, 1);
  groups_.push_back(at);
}

void ExpressionBuilder::close_group(std::size_t end) {
  frames_.back().back().span = span(groups_.back(), end);
  groups_.pop_back();
  rise();
}

void ExpressionBuilder::deepen(std::size_t at, std::size_t length) {
  if (++depth_ <= kMaxExpressionDepth) return;
  report(Code::ND1012, at, length,
         fmt::format("more than {} groups and negations inside each other", kMaxExpressionDepth))
      .helps.emplace_back("split the condition into several rules");
  throw ExpressionStop{};
}

void ExpressionBuilder::add_placeholder(std::size_t at) { add_truth(at, at); }

void ExpressionBuilder::add_truth(std::size_t at, std::size_t end) {
  ExprNode node;
  node.span = span(at, end);
  push(std::move(node));
}

void ExpressionBuilder::begin_condition(std::string_view word, std::size_t at) {
  word_ = word;
  word_begin_ = at;
  end_ = at + word.size();
  values_.clear();
}

void ExpressionBuilder::add_value(ExprValue value) {
  end_ = value.span.end - begin_;
  values_.push_back(std::move(value));
}

void ExpressionBuilder::end_condition(ExprNode::Kind kind) {
  ExprNode node;
  node.kind = kind;
  node.span = span(word_begin_, end_);
  node.word_span = span(word_begin_, word_begin_ + word_.size());
  node.word = std::exchange(word_, {});
  node.values = std::exchange(values_, {});
  push(std::move(node));
}

void ExpressionBuilder::begin_string(std::size_t at) {
  string_begin_ = at;
  string_.clear();
}

void ExpressionBuilder::add_code_point(std::uint32_t code_point) {
  const auto add = [&](std::uint32_t byte) {
    string_ += static_cast<char>(static_cast<unsigned char>(byte));
  };
  const auto continuation = [&](std::uint32_t shift) {
    add(0x80U | ((code_point >> shift) & 0x3FU));
  };
  if (code_point < 0x80U) {
    add(code_point);
  } else if (code_point < 0x800U) {
    add(0xC0U | (code_point >> 6U));
    continuation(0);
  } else if (code_point < 0x10000U) {
    add(0xE0U | (code_point >> 12U));
    continuation(6);
    continuation(0);
  } else {
    add(0xF0U | (code_point >> 18U));
    continuation(12);
    continuation(6);
    continuation(0);
  }
}

void ExpressionBuilder::end_string(std::size_t end) {
  add_value({ExprValue::Kind::string, std::exchange(string_, {}), 0, span(string_begin_, end)});
}

Diagnostic& ExpressionBuilder::report(Code code, std::size_t at, std::size_t length,
                                      std::string message) {
  if (errors_ == kMaxExpressionErrors) throw ExpressionStop{};
  ++errors_;
  return diagnostics_.add(code, span(at, at + length), std::move(message));
}

Diagnostic* ExpressionBuilder::expected(std::size_t at, std::string_view what) {
  const bool news =
      !calm_ || text_.substr(0, at).find_first_not_of(kSpace, *calm_) != std::string_view::npos;
  calm_ = at;
  if (!news) return nullptr;
  return &report(Code::ND1010, at, token_size(text_, at),
                 fmt::format("expected {}, found {}", what, token_name(text_, at)));
}

bool ExpressionBuilder::take_forgiven() {
  if (forgiven_ == 0) return false;
  --forgiven_;
  return true;
}

std::optional<Expr> ExpressionBuilder::take() {
  if (errors_ != 0) return std::nullopt;
  expr_.root = frames_.back().front().node;
  return std::move(expr_);
}

}  // namespace nd7
