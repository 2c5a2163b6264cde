// Writes a tree of values as TOML in one of many layouts with the same meaning.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace nd7::test {

struct TomlField;
using TomlFields = std::vector<TomlField>;

struct TomlNode {
  enum class Kind : std::uint8_t {
    string,
    literal,  ///< a string that has to be written with single quotes
    number,
    boolean,
    list,
    table,  ///< its keys may be written in any order
    group,  ///< a table whose order is kept
  };
  Kind kind = Kind::string;
  std::string text;
  std::int64_t number = 0;
  std::vector<TomlNode> items;
  TomlFields fields;
};

/// A key and its value.
struct TomlField {
  TomlField(std::string key, TomlNode value);
  std::string first;
  TomlNode second;
};

inline TomlField::TomlField(std::string key, TomlNode value)
    : first(std::move(key)), second(std::move(value)) {}

/// `root` is a table: scalars and lists first, then groups of tables. Equal seeds write equally; 0
/// is the plain layout.
[[nodiscard]] std::string write_toml(const TomlNode& root, std::uint32_t seed);

}  // namespace nd7::test
