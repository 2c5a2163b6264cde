#include "compiler/seatbelt/read/datum.hpp"

#include <fmt/format.h>
#include <tao/pegtl.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "compiler/seatbelt/read/literal.hpp"
#include "grammar/sbpl.hpp"

namespace nd7::seatbelt::read {

SymbolId Symbols::intern(std::string_view name) {
  if (const auto found = ids_.find(name); found != ids_.end()) return found->second;
  const auto id = static_cast<SymbolId>(names_.size());
  names_.emplace_back(name);
  ids_.emplace(names_.back(), id);
  return id;
}

namespace {

namespace rules = grammar::sbpl;

/// A list whose end has not come yet, or a quote mark whose datum has not.
struct Open {
  std::uint32_t begin = 0;
  std::vector<DatumId> kids;
  bool quote = false;
  bool dot = false;        ///< `.` was read
  bool tail_done = false;  ///< and the datum after it
};

/// Puts tokens together. After the first error it ignores the rest.
class Builder {
 public:
  Builder(FileId file, const char* text, const Limits& limits, DatumTree& tree,
          Diagnostics& diagnostics)
      : file_(file), text_(text), limits_(limits), tree_(tree), diagnostics_(diagnostics) {}

  template <typename Input>
  [[nodiscard]] Span span(const Input& in) const {
    return {file_, offset(in.begin()), offset(in.end())};
  }
  [[nodiscard]] bool failed() const { return failed_; }

  void open(Span at) {
    if (nested_too_deeply(at)) return;
    open_.push_back({at.begin, {}, false, false, false});
  }

  void quote(Span at, std::string_view mark) {
    if (nested_too_deeply(at)) return;
    const std::string_view name = mark == "'"   ? "quote"
                                  : mark == "`" ? "quasiquote"
                                  : mark == "," ? "unquote"
                                                : "unquote-splicing";
    open_.push_back({at.begin, {}, true, false, false});
    Datum datum;
    datum.kind = Datum::Kind::symbol;
    datum.index = tree_.symbols.intern(name);
    datum.span = at;
    if (const std::optional<DatumId> id = make(datum)) open_.back().kids.push_back(*id);
  }

  void close(Span at) {
    if (open_.empty()) {
      fail(Code::ND6002, at, "a `)` that closes nothing");
    } else if (open_.back().quote) {
      fail(Code::ND6002, at, "a quote mark with nothing after it");
    } else if (open_.back().dot && !open_.back().tail_done) {
      fail(Code::ND6002, at, "nothing between `.` and `)`");
    } else {
      finish_list(at.end);
    }
  }

  void word(Span at, std::string_view text) {
    Datum datum;
    datum.span = at;
    if (text == ".") return dot(at);
    switch (decode_number(text, datum.number)) {
      case NumberSyntax::integer: datum.kind = Datum::Kind::integer; return add(datum);
      case NumberSyntax::out_of_range:
        return fail(Code::ND6026, at, fmt::format("the number `{}` is out of range", text));
      case NumberSyntax::none: break;
    }
    if (text == "#t" || text == "#f") {
      datum.kind = Datum::Kind::boolean;
      datum.number = text == "#t" ? 1 : 0;
      return add(datum);
    }
    if (text.front() == '#') {
      return fail(Code::ND6002, at, fmt::format("`{}` is no `#` form of this language", text));
    }
    if (text.find('\0') != std::string_view::npos) {
      return fail(Code::ND6025, at, "a NUL byte, where the profile would end for libsandbox");
    }
    datum.kind = Datum::Kind::symbol;
    datum.index = tree_.symbols.intern(text);
    add(datum);
  }

  void character(Span at, std::string_view text) {
    const std::optional<std::int64_t> code = decode_character(text.substr(2));
    if (!code) return fail(Code::ND6002, at, fmt::format("`{}` is no character", text));
    Datum datum;
    datum.kind = Datum::Kind::integer;
    datum.number = *code;
    datum.span = at;
    add(datum);
  }

  void string(Span at, std::string_view text) {
    StringLiteral literal = decode_string(text.substr(1, text.size() - 2));
    if (literal.error) {
      const auto begin = static_cast<std::uint32_t>(at.begin + 1 + literal.error->offset);
      const auto length = static_cast<std::uint32_t>(literal.error->length);
      return fail(Code::ND6025, Span{file_, begin, begin + length}, literal.error->message);
    }
    if (!literal.dropped.empty() && dropped_.size() < kMaxNotes) {
      const auto begin = static_cast<std::uint32_t>(at.begin + 1 + literal.dropped.front());
      dropped_.push_back({file_, begin, begin + 2});
    }
    string_value(at, std::move(literal.value));
  }

  void string_value(Span at, std::string value) {
    if (value.find('\0') != std::string::npos) {
      return fail(Code::ND6025, at, "a NUL byte, where the profile would end for libsandbox");
    }
    Datum datum;
    datum.kind = Datum::Kind::string;
    datum.index = static_cast<std::uint32_t>(tree_.strings.size());
    datum.span = at;
    tree_.strings.push_back(std::move(value));
    add(datum);
  }

  void unterminated(Span rest, std::string_view text) {
    const std::uint32_t mark = text.front() == '#' ? 2 : 1;
    fail(Code::ND6001, Span{file_, rest.begin, rest.begin + mark},
         text.substr(0, 2) == "#|" ? "a block comment that does not end"
                                   : "a string that does not end");
  }

  void block_comment(Span at) {
    if (!failed_ && block_comments_ < kMaxNotes) {
      ++block_comments_;
      diagnostics_.add(Code::ND6121, at, "a `#| |#` comment, which libsandbox does not know");
    }
  }

  [[nodiscard]] bool finish(std::uint32_t size) {
    if (!failed_ && !open_.empty()) {
      const Open& last = open_.back();
      fail(Code::ND6001, Span{file_, last.begin, last.begin + 1},
           last.quote ? "a quote mark with nothing after it" : "a list that does not end");
      if (!last.quote) {
        last_->labels.push_back({Span{file_, size, size}, "the text ends here"});
      }
    }
    if (failed_) return false;
    for (const Span& at : dropped_) {
      Diagnostic& warning =
          diagnostics_.add(Code::ND6122, at, "an escape that only drops its backslash");
      warning.helps.emplace_back(
          "write two backslashes for one, or a raw string `#\"...\"` for a regular expression");
    }
    return true;
  }

 private:
  static constexpr std::size_t kMaxNotes = 20;

  [[nodiscard]] std::uint32_t offset(const char* at) const {
    return static_cast<std::uint32_t>(at - text_);
  }

  void fail(Code code, Span at, std::string message) {
    if (failed_) return;
    failed_ = true;
    last_ = &diagnostics_.add(code, at, std::move(message));
  }

  bool nested_too_deeply(Span at) {
    if (open_.size() < limits_.nesting) return failed_;
    fail(Code::ND6003, at, fmt::format("lists nested more than {} deep", limits_.nesting));
    return true;
  }

  void dot(Span at) {
    Open* const list = open_.empty() ? nullptr : &open_.back();
    if (list == nullptr || list->quote || list->kids.empty() || list->dot) {
      return fail(Code::ND6002, at, "a `.` in a place where it means nothing");
    }
    list->dot = true;
  }

  std::optional<DatumId> make(const Datum& datum) {
    if (failed_) return std::nullopt;
    if (tree_.datums.size() >= limits_.datums) {
      fail(Code::ND6004, datum.span,
           fmt::format("a profile of more than {} words, strings and lists", limits_.datums));
      return std::nullopt;
    }
    tree_.datums.push_back(datum);
    return static_cast<DatumId>(tree_.datums.size() - 1);
  }

  void add(const Datum& datum) {
    if (const std::optional<DatumId> id = make(datum)) attach(*id);
  }

  void attach(DatumId id) {
    if (open_.empty()) {
      tree_.top.push_back(id);
      return;
    }
    Open& list = open_.back();
    if (list.tail_done) {
      return fail(Code::ND6002, tree_.datums[id].span, "more than one datum after `.`");
    }
    list.kids.push_back(id);
    if (list.dot) list.tail_done = true;
    if (list.quote) finish_list(tree_.datums[id].span.end);
  }

  // Quote marks in a row close one after the other; their number is bounded by the nesting limit.
  void finish_list(std::uint32_t end) {
    const Open list = std::move(open_.back());
    open_.pop_back();
    Datum datum;
    datum.kind = Datum::Kind::list;
    datum.dotted = list.dot;
    datum.index = static_cast<std::uint32_t>(tree_.kids.size());
    datum.count = static_cast<std::uint32_t>(list.kids.size());
    datum.span = {file_, list.begin, end};
    tree_.kids.insert(tree_.kids.end(), list.kids.begin(), list.kids.end());
    add(datum);
  }

  FileId file_;
  const char* text_;
  const Limits& limits_;
  DatumTree& tree_;
  Diagnostics& diagnostics_;
  std::vector<Open> open_;
  std::vector<Span> dropped_;
  std::size_t block_comments_ = 0;
  Diagnostic* last_ = nullptr;  ///< what `fail` added
  bool failed_ = false;
};

template <typename Rule>
struct action : tao::pegtl::nothing<Rule> {};

template <>
struct action<rules::list_open> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.open(builder.span(in));
  }
};
template <>
struct action<rules::list_close> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.close(builder.span(in));
  }
};
template <>
struct action<rules::quote_mark> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.quote(builder.span(in), in.string_view());
  }
};
template <>
struct action<rules::block_comment> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.block_comment(builder.span(in));
  }
};
template <>
struct action<rules::string_literal> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.string(builder.span(in), in.string_view());
  }
};
template <>
struct action<rules::raw_string> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    const std::string_view text = in.string_view();
    builder.string_value(builder.span(in), std::string{text.substr(2, text.size() - 3)});
  }
};
template <>
struct action<rules::unterminated> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.unterminated(builder.span(in), in.string_view());
  }
};
template <>
struct action<rules::character> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.character(builder.span(in), in.string_view());
  }
};
template <>
struct action<rules::word> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.word(builder.span(in), in.string_view());
  }
};

}  // namespace

bool read_datums(const SourceMap& sources, FileId file, const Limits& limits, DatumTree& tree,
                 Diagnostics& diagnostics) {
  const SourceFile& source = sources.file(file);
  const std::string& text = source.text();
  Builder builder(file, text.data(), limits, tree, diagnostics);
  tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy, tao::pegtl::eol::lf, const char*> in(
      text.data(), text.data() + text.size(), "");
  // Every byte begins some token, so the parse itself cannot fail.
  tao::pegtl::parse<rules::profile, action>(in, builder);
  return builder.finish(static_cast<std::uint32_t>(text.size()));
}

}  // namespace nd7::seatbelt::read
