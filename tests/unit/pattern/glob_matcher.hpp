// The obvious matcher of globs, as an oracle: recursive over components and bytes of the text.
// Shares nothing with the translation to regular expressions. The glob must be one that parses.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nd7::pattern::oracle {

/// "/a/b" is {"a", "b"}; "/" is {}.
inline std::vector<std::string> split(std::string_view path) {
  std::vector<std::string> parts;
  for (const char byte : path) {
    if (byte == '/') {
      parts.emplace_back();
    } else {
      parts.back() += byte;
    }
  }
  if (parts.size() == 1 && parts[0].empty()) parts.clear();
  return parts;
}

inline bool shape_matches(std::string_view shape, std::string_view name) {
  if (shape.empty()) return name.empty();
  if (shape[0] == '*') {
    return shape_matches(shape.substr(1), name) ||
           (!name.empty() && shape_matches(shape, name.substr(1)));
  }
  if (name.empty()) return false;
  const auto byte = static_cast<unsigned char>(name[0]);
  if (shape[0] != '[') {
    return (shape[0] == '?' || shape[0] == name[0]) &&
           shape_matches(shape.substr(1), name.substr(1));
  }
  std::size_t at = 1;
  const bool negated = shape[at] == '!';
  if (negated) ++at;
  bool in = false;
  while (shape[at] != ']') {
    const auto low = static_cast<unsigned char>(shape[at]);
    if (shape[at + 1] == '-' && shape[at + 2] != ']') {
      in = in || (low <= byte && byte <= static_cast<unsigned char>(shape[at + 2]));
      at += 3;
    } else {
      in = in || low == byte;
      ++at;
    }
  }
  return in != negated && shape_matches(shape.substr(at + 1), name.substr(1));
}

inline bool component_matches(std::string_view shape, std::string_view name) {
  return !name.empty() && shape_matches(shape, name);
}

inline bool parts_match(const std::vector<std::string>& shapes, std::size_t shape,
                        const std::vector<std::string>& names, std::size_t name) {
  if (shape == shapes.size()) return name == names.size();
  if (shapes[shape] == "**") {
    if (shape + 1 == shapes.size()) return name < names.size();
    for (std::size_t skip = name; skip <= names.size(); ++skip) {
      if (parts_match(shapes, shape + 1, names, skip)) return true;
    }
    return false;
  }
  return name < names.size() && component_matches(shapes[shape], names[name]) &&
         parts_match(shapes, shape + 1, names, name + 1);
}

/// `path` is absolute and normalised.
inline bool glob_matches(const std::string& glob, std::string_view path) {
  return parts_match(split(glob[0] == '/' ? glob : '/' + glob), 0, split(path), 0);
}

inline bool name_matches(std::string_view name, std::string_view path) {
  for (const std::string& part : split(path)) {
    if (component_matches(name, part)) return true;
  }
  return false;
}

}  // namespace nd7::pattern::oracle
