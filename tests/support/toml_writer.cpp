#include "tests/support/toml_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace nd7::test {
namespace {

using Kind = TomlNode::Kind;

bool is_bare(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

class Writer {
 public:
  explicit Writer(std::uint32_t seed) : random_(seed), plain_(seed == 0) {}

  std::string run(const TomlNode& root) {
    const TomlFields fields = ordered(root, true);
    for (const auto& [key, value] : fields) {
      if (value.kind == Kind::group && layout(key) == Layout::inline_table) {
        line(name(key) + equals() + inline_value(value));
      } else if (value.kind == Kind::group && layout(key) == Layout::dotted) {
        for (const auto& [id, body] : value.fields) dotted(name(key) + "." + name(id), body);
      } else if (value.kind != Kind::group) {
        line(name(key) + equals() + broken_value(value));
      }
    }
    for (const auto& [key, value] : fields) {
      if (value.kind != Kind::group) continue;
      if (layout(key) == Layout::headers) headers(key, value);
      if (layout(key) == Layout::one_header) one_header(key, value);
    }
    return std::move(out_);
  }

 private:
  enum class Layout : std::uint8_t { headers, one_header, dotted, inline_table };

  /// How a group is written is decided once.
  Layout layout(const std::string& key) {
    for (const auto& [known, chosen] : layouts_) {
      if (known == key) return chosen;
    }
    layouts_.emplace_back(key, plain_ ? Layout::headers : static_cast<Layout>(roll(4)));
    return layouts_.back().second;
  }

  std::uint32_t roll(std::uint32_t below) {
    return plain_ ? 0 : static_cast<std::uint32_t>(random_() % below);
  }

  TomlFields ordered(const TomlNode& node, bool shuffle) {
    TomlFields fields = node.fields;
    if (shuffle && !plain_) std::shuffle(fields.begin(), fields.end(), random_);
    return fields;
  }

  std::string space() { return std::string(roll(3), roll(2) == 0 ? ' ' : '\t'); }
  std::string equals() { return plain_ ? " = " : space() + "=" + space(); }

  void line(const std::string& text) {
    for (std::uint32_t blank = roll(3) / 2; blank > 0; --blank) out_ += space() + end();
    if (roll(4) == 3) out_ += space() + "# a \"comment\" = ['x" + end();
    out_ += (plain_ ? "" : space()) + text;
    if (roll(4) == 3) out_ += space() + " # caf\xc3\xa9 (deny default)";
    out_ += end();
  }

  std::string end() { return roll(8) == 7 ? "\r\n" : "\n"; }

  std::string name(const std::string& key) {
    if (is_bare(key) && roll(4) != 3) return key;
    return key.find('\'') == std::string::npos && roll(2) == 1 ? "'" + key + "'" : basic(key);
  }

  std::string basic(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') {
        result += '\\';
        result += c;
      } else if (byte < 0x20 || byte == 0x7f || (byte < 0x80 && roll(12) == 11)) {
        result += fmt::format("\\u{:04x}", byte);
      } else {
        result += c;
      }
    }
    return result + "\"";
  }

  std::string string(const std::string& text, bool literal) {
    const bool control = std::any_of(text.begin(), text.end(), [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return byte < 0x20 || byte == 0x7f;
    });
    const bool single = text.find('\'') == std::string::npos && !control;
    if (single && (literal || roll(3) == 1))
      return roll(4) == 3 ? "'''" + text + "'''" : "'" + text + "'";
    if (!literal && roll(6) == 5) return "\"\"" + basic(text) + "\"\"";
    return basic(text);
  }

  std::string list(const TomlNode& node, bool breaks) {
    if (node.items.size() == 1 && roll(2) == 1) return inline_value(node.items.front());
    std::string result = "[" + (plain_ ? "" : space());
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      if (i != 0) result += plain_ ? ", " : space() + "," + space();
      if (breaks && roll(3) == 2) result += roll(2) == 0 ? "\n" : " # [\n  ";
      result += inline_value(node.items[i]);
    }
    if (breaks && roll(3) == 2) result += ",\n";
    return result + "]";
  }

  std::string value(const TomlNode& node, bool breaks) {
    switch (node.kind) {
      case Kind::string: return string(node.text, false);
      case Kind::literal: return string(node.text, true);
      case Kind::number: return std::to_string(node.number);
      case Kind::boolean: return node.number != 0 ? "true" : "false";
      case Kind::list: return list(node, breaks);
      case Kind::table:
      case Kind::group: break;
    }
    std::string result = "{";
    for (const auto& [key, field] : ordered(node, node.kind == Kind::table)) {
      result += (result.size() > 1 ? ", " : " ") + name(key) + equals() + inline_value(field);
    }
    return result + " }";
  }
  std::string inline_value(const TomlNode& node) { return value(node, false); }
  std::string broken_value(const TomlNode& node) { return value(node, true); }

  void dotted(const std::string& front, const TomlNode& body) {
    if (body.kind != Kind::table || roll(3) == 2) {
      line(front + equals() + inline_value(body));
      return;
    }
    for (const auto& [key, field] : ordered(body, true)) {
      line(front + space() + "." + name(key) + equals() + broken_value(field));
    }
  }

  void one_header(const std::string& key, const TomlNode& group) {
    line("[" + name(key) + "]");
    for (const auto& [id, body] : group.fields) dotted(name(id), body);
  }

  void headers(const std::string& key, const TomlNode& group) {
    const bool tables =
        std::all_of(group.fields.begin(), group.fields.end(),
                    [](const auto& field) { return field.second.kind == Kind::table; });
    if (!tables) {
      one_header(key, group);
      return;
    }
    for (const auto& [id, body] : group.fields) {
      if (plain_) out_ += "\n";
      line("[" + (plain_ ? "" : space()) + name(key) + "." + name(id) + "]");
      for (const auto& [field, content] : ordered(body, true)) {
        line(name(field) + equals() + broken_value(content));
      }
    }
  }

  std::mt19937 random_;
  bool plain_;
  std::vector<std::pair<std::string, Layout>> layouts_;
  std::string out_;
};

}  // namespace

std::string write_toml(const TomlNode& root, std::uint32_t seed) { return Writer{seed}.run(root); }

}  // namespace nd7::test
