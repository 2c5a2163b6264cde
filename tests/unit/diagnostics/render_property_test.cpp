// Whatever bytes a file or a message holds, the output cannot drive a terminal.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/diagnostics/render.hpp"
#include "compiler/diagnostics/visible.hpp"
#include "compiler/source/utf8.hpp"
#include "tests/support/json.hpp"

namespace nd7 {
namespace {

/// Bytes with the hard ones often: newlines, escapes, halves of characters, combining,
/// bidirectional.
rc::Gen<std::string> hard_text() {
  const auto piece = rc::gen::oneOf(
      rc::gen::map(rc::gen::arbitrary<char>(), [](char c) { return std::string(1, c); }),
      rc::gen::element<std::string>("\n", "\r\n", "\t", "\x1b[31m", "\xE2\x80\xAE", "\xCC\x81",
                                    "日", "\xF0\x9F", "\xC2\x9B", "\xEF\xBB\xBF", "a", " ",
                                    std::string(300, 'w')));
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece),
                      [](const std::vector<std::string>& pieces) {
                        std::string all;
                        for (const std::string& p : pieces) all += p;
                        return all;
                      });
}

/// The first thing wrong with output: a character that is unsafe, or not UTF-8.
std::string complaint(const std::string& text, bool color) {
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Unit unit = decode_utf8(text, at);
    if (!unit.valid) return "not UTF-8";
    const bool expected = unit.code_point == U'\n' || (color && unit.code_point == U'\x1b');
    if (!expected && is_unsafe(unit.code_point)) return visible_escape(unit);
    at += unit.length;
  }
  return "";
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    longest = std::max(longest, end - begin);
    begin = end + 1;
  }
  return longest;
}

RC_GTEST_PROP(RenderProperty, OutputIsSafeAndBounded, ()) {
  SourceMap sources;
  // Sometimes a line too long to be laid out as a whole.
  const std::string middle(*rc::gen::element<std::size_t>(0, 0, 0, 9000), 'v');
  const std::string source = *hard_text() + middle + *hard_text();
  const FileId a = sources.add(*hard_text(), "", source);
  const FileId b = sources.add("b", "", *hard_text());
  const auto span = [&] {
    const auto size = static_cast<int>(source.size()) + 3;
    return Span{*rc::gen::element(a, b), static_cast<std::uint32_t>(*rc::gen::inRange(0, size)),
                static_cast<std::uint32_t>(*rc::gen::inRange(0, size))};
  };
  Diagnostics diagnostics;
  const int count = *rc::gen::inRange(1, 4);
  for (int i = 0; i < count; ++i) {
    Diagnostic& d = diagnostics.add(Code::ND1007, span(), *hard_text());
    d.primary_label = *hard_text();
    for (int n = *rc::gen::inRange(0, 4); n > 0; --n) d.labels.push_back({span(), *hard_text()});
    d.notes = {*hard_text()};
    d.helps = {*hard_text()};
    d.fixits.push_back({span(), *hard_text(), *hard_text()});
  }
  RenderOptions options;
  options.width = *rc::gen::inRange<std::size_t>(0, 200);
  options.color = *rc::gen::arbitrary<bool>();
  for (const Format format : {Format::human, Format::plain, Format::compact, Format::json}) {
    options.format = format;
    const std::string text = render(diagnostics, sources, options);
    RC_ASSERT(complaint(text, options.color && format == Format::human) == "");
    RC_ASSERT(text.back() == '\n');
    if (format == Format::json) {
      RC_ASSERT(test::JsonReader::parse(text).has_value());
      continue;
    }
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    RC_ASSERT(lines <= static_cast<std::size_t>(count) * 350);
    // The longest escape of a byte has six times its length; a column holds a character and at most
    // four combining ones.
    RC_ASSERT(longest_line(text) < 14000U);
  }
}

RC_GTEST_PROP(RenderProperty, PrintableIsSafeAndStable, ()) {
  const std::string once = printable(*hard_text());
  RC_ASSERT(complaint(once, false) == "");
  RC_ASSERT(printable(once) == once);
}

RC_GTEST_PROP(RenderProperty, JsonStringsReadBackAsTheyWere, ()) {
  const std::string text = *hard_text();
  const auto parsed = test::JsonReader::parse(json_string(text));
  RC_ASSERT(parsed.has_value());
  std::string expected;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Unit unit = decode_utf8(text, at);
    expected += unit.valid ? text.substr(at, unit.length) : "\xEF\xBF\xBD";
    at += unit.length;
  }
  RC_ASSERT(parsed->text == expected);
}

}  // namespace
}  // namespace nd7
