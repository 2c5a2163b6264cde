// A strict JSON reader for tests: RFC 8259 and nothing else, so that what it takes any tool takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/source/utf8.hpp"

namespace nd7::test {

/// A parsed value. Numbers keep their text, so that nothing is rounded.
struct Json {
  enum class Kind : std::uint8_t { null, boolean, number, string, array, object };
  Kind kind = Kind::null;
  bool boolean = false;
  std::string text;  ///< of a number or string (UTF-8)
  std::vector<Json> items;
  std::map<std::string, Json> members;

  [[nodiscard]] bool is_null() const { return kind == Kind::null; }
  [[nodiscard]] bool has(const std::string& key) const { return members.count(key) != 0; }
  /// A member or element; a null value when there is none, so that a test fails with a message.
  [[nodiscard]] const Json& at(const std::string& key) const {
    const auto it = members.find(key);
    return it == members.end() ? nothing() : it->second;
  }
  [[nodiscard]] const Json& at(std::size_t index) const {
    return index < items.size() ? items[index] : nothing();
  }
  [[nodiscard]] long long integer() const {
    return kind == Kind::number && text.find_first_of(".eE") == text.npos ? std::stoll(text) : -1;
  }

 private:
  static const Json& nothing() {
    static const Json none;
    return none;
  }
};

class JsonReader {
 public:
  /// The value that is all of `text`; none if it is not JSON, not UTF-8, has a repeated key, a lone
  /// surrogate, or nests deeper than 64.
  static std::optional<Json> parse(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
      const Utf8Unit unit = decode_utf8(text, i);
      if (!unit.valid) return std::nullopt;
      i += unit.length;
    }
    JsonReader reader{text};
    Json value;
    if (!reader.value(value, 0)) return std::nullopt;
    reader.space();
    if (reader.at_ != text.size()) return std::nullopt;
    return value;
  }

 private:
  explicit JsonReader(std::string_view text) : text_(text) {}

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  void space() {
    while (at_ < text_.size() &&
           std::string_view{" \t\r\n"}.find(text_[at_]) != std::string_view::npos)
      ++at_;
  }

  bool value(Json& out, std::size_t depth) {
    if (depth > 64) return false;
    space();
    switch (peek()) {
      case '{': return object(out, depth);
      case '[': return array(out, depth);
      case '"': out.kind = Json::Kind::string; return string(out.text);
      case 't':
        out.kind = Json::Kind::boolean;
        out.boolean = true;
        return take("true");
      case 'f': out.kind = Json::Kind::boolean; return take("false");
      case 'n': return take("null");
      default: out.kind = Json::Kind::number; return number(out.text);
    }
  }

  bool array(Json& out, std::size_t depth) {
    out.kind = Json::Kind::array;
    ++at_;
    space();
    if (take("]")) return true;
    do {
      if (!value(out.items.emplace_back(), depth + 1)) return false;
      space();
    } while (take(","));
    return take("]");
  }

  bool object(Json& out, std::size_t depth) {
    out.kind = Json::Kind::object;
    ++at_;
    space();
    if (take("}")) return true;
    do {
      space();
      std::string key;
      if (peek() != '"' || !string(key)) return false;
      space();
      Json member;
      if (!take(":") || !value(member, depth + 1)) return false;
      if (!out.members.emplace(std::move(key), std::move(member)).second) return false;
      space();
    } while (take(","));
    return take("}");
  }

  bool digits(std::string& out) {
    const std::size_t before = at_;
    while (peek() >= '0' && peek() <= '9') out += text_[at_++];
    return at_ != before;
  }
  bool number(std::string& out) {
    if (take("-")) out += '-';
    if (take("0")) {
      out += '0';
    } else if (!digits(out)) {
      return false;
    }
    if (take(".")) {
      out += '.';
      if (!digits(out)) return false;
    }
    if (peek() == 'e' || peek() == 'E') {
      out += text_[at_++];
      if (peek() == '+' || peek() == '-') out += text_[at_++];
      if (!digits(out)) return false;
    }
    return true;
  }

  bool hex4(std::uint32_t& out) {
    out = 0;
    for (int i = 0; i < 4; ++i) {
      const std::size_t digit = std::string_view{"0123456789abcdef0123456789ABCDEF"}.find(peek());
      if (digit == std::string_view::npos) return false;
      out = out * 16 + static_cast<std::uint32_t>(digit % 16);
      ++at_;
    }
    return true;
  }
  bool escape(std::string& out) {
    const std::size_t simple = std::string_view{"\"\\/bfnrt"}.find(peek());
    if (simple != std::string_view::npos) {
      out += "\"\\/\b\f\n\r\t"[simple];
      ++at_;
      return true;
    }
    std::uint32_t code = 0;
    if (!take("u") || !hex4(code)) return false;
    if (code >= 0xD800 && code <= 0xDFFF) {
      std::uint32_t low = 0;
      if (code > 0xDBFF || !take("\\u") || !hex4(low) || low < 0xDC00 || low > 0xDFFF) return false;
      code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
    }
    const auto byte = [&](std::uint32_t v) {
      out += static_cast<char>(static_cast<unsigned char>(v));
    };
    if (code < 0x80) {
      byte(code);
    } else if (code < 0x800) {
      byte(0xC0 | code >> 6U), byte(0x80 | (code & 0x3FU));
    } else if (code < 0x10000) {
      byte(0xE0 | code >> 12U), byte(0x80 | (code >> 6U & 0x3FU)), byte(0x80 | (code & 0x3FU));
    } else {
      byte(0xF0 | code >> 18U), byte(0x80 | (code >> 12U & 0x3FU));
      byte(0x80 | (code >> 6U & 0x3FU)), byte(0x80 | (code & 0x3FU));
    }
    return true;
  }
  bool string(std::string& out) {
    ++at_;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c != '\\') {
        out += c;
      } else if (!escape(out)) {
        return false;
      }
    }
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace nd7::test
