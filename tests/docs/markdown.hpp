// The code blocks of a Markdown file.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace nd7::test {

/// A fenced block. The words behind the language are attributes: `fragment`, `file=team.toml`,
/// `unchecked="a reason"`.
struct Block {
  std::string language;
  std::map<std::string, std::string> attributes;
  std::string text;       ///< with a line feed at the end of each line
  std::string section;    ///< the heading above it, without its `#`
  std::size_t line = 0;   ///< of the fence, from 1
  std::size_t begin = 0;  ///< byte of the file where `text` begins

  [[nodiscard]] bool has(const std::string& attribute) const {
    return attributes.count(attribute) != 0;
  }
  /// The attribute's value, or `otherwise`.
  [[nodiscard]] std::string get(const std::string& attribute, std::string otherwise) const;
};

/// In order. Fences are three backquotes at the start of a line; one that is not closed ends with
/// the file.
[[nodiscard]] std::vector<Block> blocks_of(std::string_view markdown);

/// A command of a `console` block and what it prints.
struct Command {
  std::string text;
  std::string shown;  ///< the same with its `$ ` and `> `
  std::string output;
};

/// Lines that begin with `$ ` are commands (`> ` continues one), the others are output. Text
/// before the first command comes as a command without text.
[[nodiscard]] std::vector<Command> commands_of(const Block& block);

}  // namespace nd7::test
