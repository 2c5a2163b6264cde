// The TOML reader: spans lie inside the text and inside each other, keys and strings are what the
// specification says of their source, errors have a place.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "compiler/syntax/toml_document.hpp"
#include "tests/support/toml_string.hpp"

namespace {

using namespace nd7;

void require(bool condition) {
  if (!condition) std::abort();
}

class Checker {
 public:
  explicit Checker(std::string_view text) : text_(text) {}

  void check(const TomlValue& value) const {
    const std::string_view source = written(value.span);
    switch (value.kind) {
      case TomlValue::Kind::string: check_string(value, source); break;
      case TomlValue::Kind::array: check_array(value, source); break;
      case TomlValue::Kind::table: check_table(value, source); break;
      case TomlValue::Kind::boolean: require(source == (value.boolean ? "true" : "false")); break;
      default:
        require(source.find_first_not_of("+-_.:0123456789abcdefinopTtxzEZABCDF ") ==
                std::string_view::npos);
        require(source.back() != ' ');
    }
  }

 private:
  std::string_view written(const Span& span) const {
    require(span.begin <= span.end && span.end <= text_.size());
    return text_.substr(span.begin, span.size());
  }

  void check_string(const TomlValue& value, std::string_view source) const {
    using Form = TomlValue::StringForm;
    const bool literal = value.form == Form::literal || value.form == Form::multiline_literal;
    require(source.front() == (literal ? '\'' : '"'));
    require(test::toml_meaning(source) == value.text);
    require(value.content_begin > value.span.begin && value.content_begin < value.span.end);
    if (value.form == Form::literal) {
      require(text_.substr(value.content_begin, value.text.size()) == value.text);
    }
  }

  void check_array(const TomlValue& value, std::string_view source) const {
    require(source.front() == '[' && source.back() == ']');
    std::uint32_t before = value.span.begin;
    for (const TomlValue& item : value.items) {
      check(item);
      require(item.span.begin >= before);
      if (!item.header) require(item.span.end < value.span.end);
      before = item.span.end;
    }
  }

  void check_table(const TomlValue& value, std::string_view source) const {
    if (value.header) require(source.front() == '[' && source.back() == ']');
    const bool inline_table = !value.header && source.starts_with("{") && source.ends_with("}");
    std::uint32_t before = 0;
    for (const TomlEntry& entry : value.entries) {
      require(test::toml_meaning(written(entry.key_span)) == entry.key);
      require(entry.key_span.begin >= before);
      before = entry.key_span.end;
      require(value.find(entry.key) == &entry);
      check(entry.value);
      if (inline_table && value.span.begin != 0) {
        require(entry.key_span.begin > value.span.begin && entry.key_span.end < value.span.end);
      }
    }
  }

  std::string_view text_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  SourceMap sources;
  const FileId file = sources.add("fuzz", "", std::string{text});
  Diagnostics diagnostics;
  const auto root = read_toml(sources, file, diagnostics);
  require(root.has_value() == diagnostics.all().empty());
  for (const Diagnostic& d : diagnostics.all()) {
    require(d.primary && d.primary->begin <= d.primary->end && d.primary->end <= size);
    for (const Label& label : d.labels) {
      require(label.span.begin <= label.span.end && label.span.end <= size);
    }
    require(!d.message.empty());
    // A toml++ message would speak of the encoded text.
    if (text.find('%') == std::string_view::npos) require(d.message.find('%') == std::string::npos);
  }
  if (root) Checker(text).check(*root);
  return 0;
}
