#include "compiler/syntax/toml_document.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace nd7 {
namespace {

using Form = TomlValue::StringForm;
using Kind = TomlValue::Kind;

/// A text and what was read of it; `text()` cuts a span out.
class Document {
 public:
  explicit Document(std::string text) {
    file_ = sources_.add("x.toml", "", std::move(text));
    root_ = read_toml(sources_, file_, diagnostics_);
    EXPECT_TRUE(root_) << (diagnostics_.all().empty() ? "" : diagnostics_.all()[0].message);
    if (!root_) root_.emplace();
  }

  [[nodiscard]] const TomlValue& root() const { return *root_; }
  [[nodiscard]] const TomlEntry& entry(std::initializer_list<std::string_view> path) const {
    static const TomlEntry kMissing;
    const TomlValue* at = &*root_;
    const TomlEntry* found = &kMissing;
    for (const std::string_view key : path) {
      found = at->find(key);
      if (found == nullptr) {
        ADD_FAILURE() << "no " << key;
        return kMissing;
      }
      at = &found->value;
    }
    return *found;
  }
  [[nodiscard]] const TomlValue& operator[](std::string_view key) const {
    return entry({key}).value;
  }
  [[nodiscard]] std::string_view text(const Span& span) const { return sources_.text(span); }
  [[nodiscard]] std::string_view written(const TomlValue& value) const { return text(value.span); }

 private:
  SourceMap sources_;
  FileId file_;
  Diagnostics diagnostics_;
  std::optional<TomlValue> root_;
};

TEST(ReadToml, AnEmptyTextIsAnEmptyTable) {
  const Document d("");
  EXPECT_EQ(d.root().kind, Kind::table);
  EXPECT_TRUE(d.root().entries.empty());
  EXPECT_TRUE(Document("\xEF\xBB\xBF# only this").root().entries.empty());
}

TEST(ReadToml, ReadsEveryKindOfValue) {
  const Document d(
      "a = 'x'\nb = -9223372036854775808\nc = 1.5e3\nd = true\ne = 1979-05-27 07:32:00Z\n"
      "f = [1, 2,]\ng = {x = 0x0_F}\n");
  EXPECT_EQ(d["a"].text, "x");
  EXPECT_EQ(d["b"].integer, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(d["c"].kind, Kind::floating);
  EXPECT_TRUE(d["d"].boolean);
  EXPECT_EQ(d["e"].kind, Kind::date_time);
  EXPECT_EQ(d.written(d["e"]), "1979-05-27 07:32:00Z");
  EXPECT_EQ(d["f"].items.size(), 2U);
  EXPECT_EQ(d.entry({"g", "x"}).value.integer, 15);
  EXPECT_EQ(to_string(d["g"].kind), "table");
}

TEST(ReadToml, KeepsTheOrderOfTheText) {
  const Document d("z = 1\na = 2\n[m]\nq.y = 1\nb = 2\nq.a = 3\n[c]\n");
  std::string order;
  for (const TomlEntry& e : d.root().entries) order += e.key;
  for (const TomlEntry& e : d["m"].entries) order += e.key;
  for (const TomlEntry& e : d.entry({"m", "q"}).value.entries) order += e.key;
  EXPECT_EQ(order, "zamcqbya");
}

TEST(ReadToml, SpansAreBytesBehindWideText) {
  const Document d(
      "\xEF\xBB\xBF# é\r\n'é€' = '😀'\t# ü\r\n\"\\u00e9\\t%\"\t=\t[ \"ä%\",\r\n  \"ö\" ]\r\n");
  const TomlEntry& first = d.entry({"é€"});
  EXPECT_EQ(d.text(first.key_span), "'é€'");
  EXPECT_EQ(d.written(first.value), "'😀'");
  EXPECT_EQ(first.value.content_begin, first.value.span.begin + 1);
  const TomlEntry& second = d.entry({"é\t%"});
  EXPECT_EQ(d.text(second.key_span), "\"\\u00e9\\t%\"");
  EXPECT_EQ(d.written(second.value), "[ \"ä%\",\r\n  \"ö\" ]");
  EXPECT_EQ(d.written(second.value.items.at(0)), "\"ä%\"");
  EXPECT_EQ(d.written(second.value.items.at(1)), "\"ö\"");
}

TEST(ReadToml, SpansEndAtTheEndOfTheText) {
  for (const char* value : {"1", "12", "''", "\"é\"", "'''x'''''", "[]", "{}", "true", "-1", "inf",
                            "1979-05-27", "\"\"\"\"\"\""}) {
    const Document d(fmt::format("a = {}", value));
    EXPECT_EQ(d.written(d["a"]), value);
  }
  const Document d("['é']");
  EXPECT_EQ(d.written(d["é"]), "['é']");
}

TEST(ReadToml, KnowsTheFourFormsOfStrings) {
  const Document d(
      "a = \"x\"\nb = 'x'\nc = \"\"\"\nx\"\"\"\nd = '''\r\nx'''\ne = '''x'''\nf = \"\"\ng = "
      "''''''\n");
  const auto check = [&](std::string_view key, Form form, std::uint32_t offset) {
    EXPECT_EQ(d[key].form, form) << key;
    EXPECT_EQ(d[key].content_begin - d[key].span.begin, offset) << key;
  };
  check("a", Form::basic, 1);
  check("b", Form::literal, 1);
  check("c", Form::multiline_basic, 4);
  check("d", Form::multiline_literal, 5);
  check("e", Form::multiline_literal, 3);
  check("f", Form::basic, 1);
  check("g", Form::multiline_literal, 3);
  EXPECT_EQ(d["d"].text, "x");
  EXPECT_EQ(d["g"].text, "");
}

TEST(ReadToml, LineEndsInStringsAreLineFeeds) {
  EXPECT_EQ(Document("a = '''b\r\nc'''")["a"].text, "b\nc");
  EXPECT_EQ(Document("a = \"\"\"b \\  \r\n\r\n  c\"\"\"")["a"].text, "b c");
}

TEST(ReadToml, EscapesForgeNothing) {
  EXPECT_EQ(Document(R"(a = "\u002541")")["a"].text, "%41");
  EXPECT_EQ(Document(R"(a = "%\u00341")")["a"].text, "%41");
  EXPECT_EQ(Document(R"(a = "\U0000002541 %25")")["a"].text, "%41 %25");
  EXPECT_EQ(Document(R"(a = '\u002541')")["a"].text, R"(\u002541)");
  EXPECT_EQ(Document(R"(a = "\\u0025")")["a"].text, R"(\u0025)");
  EXPECT_EQ(Document(R"("\u002541" = 1)").root().entries.at(0).key, "%41");
}

TEST(ReadToml, EscapedControlCharactersAreText) {
  EXPECT_EQ(Document(R"(a = "x\u0000\u001b\u202e")")["a"].text, std::string("x\0\x1b\u202e", 6));
}

TEST(ReadToml, HeadersAreTheSpansOfTheirTables) {
  const Document d("[allow.'é x']\na=1\n[ allow ]\nb=2\n[[t]] # x\nc=3\n[[t]]\n[t.u]\n");
  EXPECT_TRUE(d["allow"].header);
  EXPECT_EQ(d.written(d["allow"]), "[ allow ]");
  EXPECT_EQ(d.text(d.entry({"allow", "é x"}).key_span), "'é x'");
  EXPECT_EQ(d.written(d.entry({"allow", "é x"}).value), "[allow.'é x']");
  EXPECT_EQ(d.entry({"allow", "b"}).value.integer, 2);
  ASSERT_EQ(d["t"].items.size(), 2U);
  EXPECT_EQ(d.written(d["t"]), "[[t]]");
  EXPECT_EQ(d["t"].span, d["t"].items[0].span);
  EXPECT_TRUE(d["t"].items[1].header);
  EXPECT_LT(d["t"].items[0].span.end, d["t"].items[1].span.begin);
  EXPECT_TRUE(d["t"].items[0].find("c"));
  EXPECT_TRUE(d["t"].items[1].find("u"));
}

TEST(ReadToml, ImpliedTablesStandAtTheHeaderThatImpliesThem) {
  const Document d("[a.b.c]\n");
  EXPECT_EQ(d.written(d["a"]), "[a.b.c]");
  EXPECT_TRUE(d["a"].header);
  EXPECT_EQ(d.text(d.entry({"a", "b"}).key_span), "b");
}

TEST(ReadToml, DottedKeysAreNestedTables) {
  const Document d("a . \"b.c\".d = 1\na.x = 2\n[t]\nu = {v.'w' = 3}\n");
  EXPECT_EQ(d.text(d.entry({"a"}).key_span), "a");
  EXPECT_EQ(d.text(d.entry({"a", "b.c"}).key_span), "\"b.c\"");
  EXPECT_EQ(d.text(d.entry({"a", "b.c", "d"}).key_span), "d");
  EXPECT_EQ(d.text(d.entry({"a", "x"}).key_span), "x");
  EXPECT_FALSE(d["a"].header);
  EXPECT_EQ(d.written(d["a"]), "a");
  EXPECT_EQ(d.text(d.entry({"t", "u", "v", "w"}).key_span), "'w'");
  EXPECT_FALSE(d.entry({"t", "u", "v"}).value.header);
  EXPECT_FALSE(d.entry({"t", "u"}).value.header);
  EXPECT_EQ(d.written(d.entry({"t", "u"}).value), "{v.'w' = 3}");
}

std::string repeat(std::string_view part, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += part;
  return result;
}

TEST(ReadToml, ReadsWhatTheGateLetsThrough) {
  const Document d("a = " + repeat("[", 64) + repeat("]", 64));
  EXPECT_EQ(d["a"].kind, Kind::array);
  const Document e("a = " + repeat("[", 64) + "1" + repeat("]", 64));
  EXPECT_EQ(e["a"].kind, Kind::array);
  const std::string key = "a" + repeat(".a", 31);
  const Document f("[" + key + "]\n" + repeat("a.a={", 32) + key + "=1" + repeat("}", 32));
  EXPECT_EQ(f["a"].kind, Kind::table);
}

TEST(ReadToml, FindsNothingInATableWithoutTheKey) {
  EXPECT_EQ(Document("a = 1").root().find("b"), nullptr);
}

}  // namespace
}  // namespace nd7
