// to_text: the canonical spelling of an expression.
#include <fmt/format.h>

#include <iterator>
#include <string>

#include "compiler/diagnostics/visible.hpp"
#include "compiler/source/utf8.hpp"
#include "compiler/syntax/expression.hpp"

namespace nd7 {
namespace {

using NodeKind = ExprNode::Kind;

class Printer {
 public:
  explicit Printer(const Expr& expr) : expr_(expr) {}

  [[nodiscard]] std::string run() {
    node(expr_.root);
    return std::move(text_);
  }

 private:
  void node(std::uint32_t id) {
    const ExprNode& n = expr_.nodes[id];
    switch (n.kind) {
      case NodeKind::truth: text_ += "true"; break;
      case NodeKind::all: joined(n, " and "); break;
      case NodeKind::any: joined(n, " or "); break;
      case NodeKind::negation:
        text_ += "not ";
        operand(n, n.kids.front());
        break;
      case NodeKind::call:
        text_ += n.word;
        values(n, '(', ')');
        break;
      case NodeKind::equals:
        text_ += n.word + " == ";
        value(n.values.front());
        break;
      case NodeKind::in_list:
        text_ += n.word + " in ";
        values(n, '[', ']');
        break;
      case NodeKind::in_range:
        text_ += n.word + " in ";
        value(n.values.front());
        text_ += "..";
        value(n.values.back());
        break;
    }
  }

  void joined(const ExprNode& parent, std::string_view separator) {
    for (std::size_t i = 0; i < parent.kids.size(); ++i) {
      if (i != 0) text_ += separator;
      operand(parent, parent.kids[i]);
    }
  }

  /// Parentheses where reading the text back would give another tree.
  void operand(const ExprNode& parent, std::uint32_t id) {
    const NodeKind kind = expr_.nodes[id].kind;
    const bool looser =
        kind == NodeKind::any || (kind == NodeKind::all && parent.kind != NodeKind::any);
    if (looser) text_ += '(';
    node(id);
    if (looser) text_ += ')';
  }

  void values(const ExprNode& n, char open, char close) {
    text_ += open;
    for (std::size_t i = 0; i < n.values.size(); ++i) {
      if (i != 0) text_ += ", ";
      value(n.values[i]);
    }
    text_ += close;
  }

  void value(const ExprValue& v) {
    switch (v.kind) {
      case ExprValue::Kind::word: text_ += v.text; break;
      case ExprValue::Kind::integer:
        fmt::format_to(std::back_inserter(text_), "{}", v.integer);
        break;
      case ExprValue::Kind::string: string(v.text); break;
    }
  }

  void string(std::string_view content) {
    text_ += '"';
    for (std::size_t at = 0; at < content.size();) {
      const Utf8Unit unit = decode_utf8(content, at);
      const char first = content[at];
      if (first == '"' || first == '\\') {
        text_ += '\\';
        text_ += first;
      } else if (first == '\'' || (unit.valid && is_unsafe(unit.code_point))) {
        fmt::format_to(std::back_inserter(text_), "\\u{{{:x}}}",
                       static_cast<std::uint32_t>(unit.code_point));
      } else {
        text_ += content.substr(at, unit.length);
      }
      at += unit.length;
    }
    text_ += '"';
  }

  const Expr& expr_;
  std::string text_;
};

}  // namespace

std::string to_text(const Expr& expr) { return Printer(expr).run(); }

}  // namespace nd7
