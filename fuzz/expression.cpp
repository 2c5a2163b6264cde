// Expressions: any text is read or reported, reports lie inside the text, and what was read prints
// as a text that reads back as the same tree.
#include "compiler/syntax/expression.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "compiler/syntax/expression_builder.hpp"
#include "tests/unit/syntax_expression/structure.hpp"

namespace {

using namespace nd7;

constexpr std::uint32_t kBegin = 10;

void require(bool condition) {
  if (!condition) std::abort();
}

void check_tree(const Expr& expr, std::size_t size) {
  require(expr.root < expr.nodes.size());
  for (std::uint32_t id = 0; id < expr.nodes.size(); ++id) {
    const ExprNode& node = expr.nodes[id];
    require(node.span.begin >= kBegin && node.span.begin < node.span.end);
    require(node.span.end <= kBegin + size);
    for (const std::uint32_t kid : node.kids) {
      require(kid < id);
      require(expr.nodes[kid].span.begin >= node.span.begin);
      require(expr.nodes[kid].span.end <= node.span.end);
    }
    for (const ExprValue& value : node.values) {
      require(value.span.begin > node.span.begin && value.span.begin < value.span.end);
      require(value.span.end <= node.span.end);
    }
  }
}

void check_reports(const Diagnostics& diagnostics, std::string_view text) {
  require(!diagnostics.all().empty() && diagnostics.all().size() <= kMaxExpressionErrors);
  for (const Diagnostic& d : diagnostics.all()) {
    require(!d.message.empty() && d.primary.has_value());
    require(d.primary->begin >= kBegin && d.primary->begin <= d.primary->end);
    require(d.primary->end <= kBegin + text.size());
    for (const FixIt& fix : d.fixits) {
      require(fix.span.begin >= kBegin && fix.span.end <= kBegin + text.size());
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  Diagnostics diagnostics;
  const auto expr = parse_expression(text, FileId{0}, kBegin, diagnostics);
  if (!expr) {
    check_reports(diagnostics, text);
    return 0;
  }
  require(diagnostics.all().empty());
  check_tree(*expr, size);
  const std::string canonical = to_text(*expr);
  require(canonical.find('\'') == std::string::npos);
  const auto again = parse_expression(canonical, FileId{0}, kBegin, diagnostics);
  require(again && test::same_structure(*expr, *again));
  require(to_text(*again) == canonical);
  return 0;
}
