// For any string that TOML 1.0 can write, reading gives what it means.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/syntax/toml_document.hpp"
#include "tests/support/toml_string.hpp"

namespace nd7 {
namespace {

using Form = TomlValue::StringForm;

/// A string as written and as meant.
struct Written {
  std::string source;
  std::string meaning;
  Form form;
};

std::uint32_t number(std::uint32_t from, std::uint32_t to) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint32_t>(from, to));
}

/// Any scalar value, the troublesome ones often.
std::uint32_t scalar() {
  switch (number(0, 4)) {
    case 0: return '%';
    case 1: return number(0, 0x100);
    case 2: return number(0x100, 0xD800);
    default: return number(0xE000, 0x110000);
  }
}

/// A scalar that may stand as it is in a string.
std::uint32_t plain_scalar() {
  while (true) {
    const std::uint32_t c = scalar();
    const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
    const bool bidi = c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
                      (c >= 0x2066 && c <= 0x2069);
    if (!control && !bidi && c != '"' && c != '\'' && c != '\\') return c;
  }
}

void add_escape(Written& out) {
  constexpr std::array<std::pair<char, char>, 7> kShort{
      {{'b', '\b'}, {'t', '\t'}, {'n', '\n'}, {'f', '\f'}, {'r', '\r'}, {'"', '"'}, {'\\', '\\'}}};
  if (number(0, 3) == 0) {
    const auto& [letter, meant] = kShort.at(number(0, kShort.size()));
    out.source += fmt::format("\\{}", letter);
    out.meaning += meant;
    return;
  }
  const std::uint32_t c = scalar();
  const bool upper = number(0, 2) == 0;
  if (c > 0xFFFF || number(0, 2) == 0) {
    out.source += upper ? fmt::format("\\U{:08X}", c) : fmt::format("\\U{:08x}", c);
  } else {
    out.source += upper ? fmt::format("\\u{:04X}", c) : fmt::format("\\u{:04x}", c);
  }
  test::append_utf8(out.meaning, c);
}

void add_text(Written& out, std::string_view source, std::string_view meaning) {
  out.source += source;
  out.meaning += meaning;
}

void add_piece(Written& out) {
  const bool basic = out.form == Form::basic || out.form == Form::multiline_basic;
  const bool multiline = out.form == Form::multiline_basic || out.form == Form::multiline_literal;
  switch (number(0, 7)) {
    case 0: {
      std::string c;
      test::append_utf8(c, plain_scalar());
      return add_text(out, c, c);
    }
    case 1: return add_text(out, "%41", "%41");
    case 2: return add_text(out, "u0025[#=", "u0025[#=");
    case 3: return basic ? add_escape(out) : add_text(out, "\\u0025", "\\u0025");
    case 4: return basic ? add_text(out, "'", "'") : add_text(out, "\"\\", "\"\\");
    case 5:
      if (!multiline) return add_text(out, "\t", "\t");
      return number(0, 2) == 0 ? add_text(out, "x\n", "x\n") : add_text(out, "x\r\n", "x\n");
    default:
      if (!multiline) return add_text(out, "25", "25");
      if (basic && number(0, 2) == 0) return add_text(out, "\\ \t\n \r\n\t|", "|");
      return basic ? add_text(out, "\"\"|", "\"\"|") : add_text(out, "''|", "''|");
  }
}

Written written(Form form) {
  Written result{"", "", form};
  const std::uint32_t pieces = number(0, 12);
  for (std::uint32_t i = 0; i < pieces; ++i) add_piece(result);
  const bool basic = form == Form::basic || form == Form::multiline_basic;
  const bool multiline = form == Form::multiline_basic || form == Form::multiline_literal;
  const std::string quotes(multiline ? 3 : 1, basic ? '"' : '\'');
  const std::string_view first_line = multiline && number(0, 2) == 0 ? "\r\n" : "";
  result.source = fmt::format("{}{}{}{}", quotes, first_line, result.source, quotes);
  return result;
}

Form any_form() { return static_cast<Form>(number(0, 4)); }
Form one_line_form() { return static_cast<Form>(number(0, 2)); }

RC_GTEST_PROP(ReadTomlProperty, AStringIsWhatItMeans, ()) {
  const Written w = written(any_form());
  RC_LOG() << w.source << '\n';
  RC_ASSERT(test::toml_meaning(w.source) == w.meaning);  // the oracle agrees with the generator
  SourceMap sources;
  const FileId file =
      sources.add("x", "", fmt::format("'é%' = [ {0} , {0}]# {1}\nb = 1", w.source, "ü"));
  Diagnostics diagnostics;
  const auto root = read_toml(sources, file, diagnostics);
  RC_ASSERT(root.has_value());
  const TomlValue& list = root->entries.at(0).value;
  for (const TomlValue& value : list.items) {
    RC_ASSERT(value.text == w.meaning);
    RC_ASSERT(value.form == w.form);
    RC_ASSERT(sources.text(value.span) == w.source);
  }
  RC_ASSERT(sources.text(root->entries.at(1).key_span) == "b");
}

RC_GTEST_PROP(ReadTomlProperty, AKeyIsWhatItMeans, ()) {
  const Written outer = written(one_line_form());
  const Written inner = written(one_line_form());
  RC_LOG() << outer.source << '.' << inner.source << '\n';
  for (const std::string_view layout : {"[{} . {}]\n", "{}.{} = 1 # é", "x = {{{}.{}='é'}}"}) {
    SourceMap sources;
    const FileId file =
        sources.add("x", "", fmt::format(fmt::runtime(layout), outer.source, inner.source));
    Diagnostics diagnostics;
    const auto root = read_toml(sources, file, diagnostics);
    RC_ASSERT(root.has_value());
    const TomlEntry* entry = &root->entries.at(0);
    if (layout.starts_with("x")) entry = &entry->value.entries.at(0);
    RC_ASSERT(entry->key == outer.meaning);
    RC_ASSERT(sources.text(entry->key_span) == outer.source);
    RC_ASSERT(entry->value.entries.at(0).key == inner.meaning);
    RC_ASSERT(sources.text(entry->value.entries.at(0).key_span) == inner.source);
  }
}

/// The same meaning, every character escaped.
std::string spelled_out(std::string_view meaning) {
  std::string result = "\"";
  for (std::size_t i = 0; i < meaning.size();) {
    const auto first = static_cast<unsigned char>(meaning[i]);
    std::size_t size = 1;
    if (first >= 0xF0) {
      size = 4;
    } else if (first >= 0xE0) {
      size = 3;
    } else if (first >= 0xC0) {
      size = 2;
    }
    std::uint32_t c = size == 1 ? first : first & (0x7FU >> size);
    for (std::size_t k = 1; k < size; ++k) {
      c = (c << 6) | (static_cast<unsigned char>(meaning[i + k]) & 0x3FU);
    }
    result += fmt::format("\\U{:08x}", c);
    i += size;
  }
  return result + "\"";
}

RC_GTEST_PROP(ReadTomlProperty, KeysAreTwiceTheSameIfTheyMeanTheSame, ()) {
  const Written first = written(one_line_form());
  const Written second = number(0, 2) == 0
                             ? Written{spelled_out(first.meaning), first.meaning, Form::basic}
                             : written(one_line_form());
  const bool same = first.meaning == second.meaning;
  RC_CLASSIFY(same);
  RC_LOG() << first.source << ' ' << second.source << '\n';
  SourceMap sources;
  const FileId file =
      sources.add("x", "", fmt::format("{} = 1\n{} = 2\n", first.source, second.source));
  Diagnostics diagnostics;
  RC_ASSERT(read_toml(sources, file, diagnostics).has_value() == !same);
  if (!same) return;
  const Diagnostic& d = diagnostics.all().at(0);
  RC_ASSERT(sources.text(d.primary.value()) == second.source);
  RC_ASSERT(sources.text(d.labels.at(0).span) == first.source);
}

RC_GTEST_PROP(ReadTomlProperty, AnyBytesEndInAValueOrAnError, ()) {
  const std::string text = *rc::gen::container<std::string>(
      rc::gen::oneOf(rc::gen::arbitrary<char>(),
                     rc::gen::elementOf(std::string("[]{}=.,\"'#\n\r\\ a1e_-:TZé%u"))));
  SourceMap sources;
  const FileId file = sources.add("x", "", text);
  Diagnostics diagnostics;
  const auto root = read_toml(sources, file, diagnostics);
  RC_ASSERT(root.has_value() == diagnostics.all().empty());
  for (const Diagnostic& d : diagnostics.all()) {
    RC_ASSERT(d.primary->begin <= d.primary->end);
    RC_ASSERT(d.primary->end <= text.size());
  }
}

}  // namespace
}  // namespace nd7
