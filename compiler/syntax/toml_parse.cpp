#include "compiler/syntax/toml_parse.hpp"

#include <algorithm>
#include <utility>

#include "compiler/source/ascii_encoding.hpp"
#include "compiler/source/gate.hpp"
#include "compiler/source/toml_tokens.hpp"

// toml++ checks and then assumes the same condition, and some of them do not hold for malformed
// headers: the checks must be neither fatal (debug) nor promises to the optimiser (NDEBUG). A value
// counts as one level, hence the one more.
#undef NDEBUG
#define TOML_ASSERT(condition) static_assert(true)
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_UNRELEASED_FEATURES 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 65
#include <toml++/toml.h>

namespace nd7 {
namespace {

static_assert(TOML_MAX_NESTED_VALUES == kMaxNesting + 1);

/// Copies a toml++ tree. Recursion is as deep as the gate lets values nest: brackets times
/// segments.
class Converter {
 public:
  Converter(std::string_view text, const AsciiText& ascii, FileId file)
      : text_(text), ascii_(ascii), file_(file) {}

  TomlValue root(const toml::table& table) const {
    TomlValue result;
    add_entries(table, result);
    result.span = {file_, 0, static_cast<std::uint32_t>(text_.size())};
    return result;
  }

 private:
  using Kind = TomlValue::Kind;

  Span span(const toml::source_region& region) const {
    return {file_, ascii_.original(region.begin.line, region.begin.column),
            ascii_.original(region.end.line, region.end.column)};
  }

  void add_entries(const toml::table& table, TomlValue& result) const {
    result.kind = Kind::table;
    // toml++ keeps them by name. Entries are large, so their places are sorted.
    std::vector<std::pair<Span, toml::table::const_iterator>> places;
    places.reserve(table.size());
    for (auto at = table.begin(); at != table.end(); ++at) {
      places.emplace_back(span(at->first.source()), at);
    }
    std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) {
      return std::pair{a.first.begin, a.first.end} < std::pair{b.first.begin, b.first.end};
    });
    result.entries.reserve(places.size());
    for (const auto& [key_span, at] : places) {
      TomlValue inner = value(at->second);
      // A table that only dotted keys name stands where its name first stood.
      if (inner.kind == Kind::table && inner.span == key_span) inner.header = false;
      result.entries.push_back({decode_ascii(at->first.str()), key_span, std::move(inner)});
    }
  }

  void add_items(const toml::array& array, TomlValue& result) const {
    result.kind = Kind::array;
    result.items.reserve(array.size());
    for (const toml::node& node : array) result.items.push_back(value(node));
    // toml++ stretches an array of tables over all its headers; the first one introduces it.
    if (!result.items.empty() && result.items.front().header) {
      result.span = result.items.front().span;
    }
  }

  void add_string(std::string_view encoded, TomlValue& result) const {
    result.kind = Kind::string;
    result.text = decode_ascii(encoded);
    TomlToken token;
    token.begin = result.span.begin;
    token.first = text_[token.begin];
    token.multiline = result.span.size() >= 6 && text_[token.begin + 1] == token.first &&
                      text_[token.begin + 2] == token.first;
    const bool literal = token.first == '\'';
    using Form = TomlValue::StringForm;
    if (token.multiline) {
      result.form = literal ? Form::multiline_literal : Form::multiline_basic;
    } else {
      result.form = literal ? Form::literal : Form::basic;
    }
    result.content_begin = string_content_begin(text_, token);
  }

  TomlValue value(const toml::node& node) const {
    TomlValue result;
    result.span = span(node.source());
    switch (node.type()) {
      case toml::node_type::table:
        result.header = !node.as_table()->is_inline();
        add_entries(*node.as_table(), result);
        break;
      case toml::node_type::array: add_items(*node.as_array(), result); break;
      case toml::node_type::string: add_string(node.as_string()->get(), result); break;
      case toml::node_type::integer:
        result.kind = Kind::integer;
        result.integer = node.as_integer()->get();
        break;
      case toml::node_type::boolean:
        result.kind = Kind::boolean;
        result.boolean = node.as_boolean()->get();
        break;
      case toml::node_type::floating_point: result.kind = Kind::floating; break;
      case toml::node_type::date:
      case toml::node_type::time:
      case toml::node_type::date_time: result.kind = Kind::date_time; break;
      case toml::node_type::none: break;  // toml++ makes no such node
    }
    return result;
  }

  std::string_view text_;
  const AsciiText& ascii_;
  FileId file_;
};

}  // namespace

std::optional<TomlValue> parse_toml(std::string_view text, FileId file, TomlFailure& failure) {
  const AsciiText ascii(text);
  try {
    const toml::table table = toml::parse(std::string_view{ascii.text()}, std::string_view{});
    return Converter(text, ascii, file).root(table);
  } catch (const toml::parse_error& error) {
    std::string_view message = error.description();
    constexpr std::string_view kIntroduction = "Error while parsing ";
    if (message.starts_with(kIntroduction)) message.remove_prefix(kIntroduction.size());
    failure.message = message;
    failure.at = ascii.original(error.source().begin.line, error.source().begin.column);
    return std::nullopt;
  }
}

}  // namespace nd7
