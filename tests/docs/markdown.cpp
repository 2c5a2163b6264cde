#include "tests/docs/markdown.hpp"

#include <utility>

namespace nd7::test {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

/// `toml fragment says=ND2016 unchecked="two words"`.
void read_info(std::string_view info, Block& block) {
  std::size_t at = 0;
  while (at < info.size()) {
    if (info[at] == ' ') {
      ++at;
      continue;
    }
    std::string word;
    bool quoted = false;
    for (; at < info.size() && (quoted || info[at] != ' '); ++at) {
      if (info[at] == '"') {
        quoted = !quoted;
      } else {
        word.push_back(info[at]);
      }
    }
    if (block.language.empty()) {
      block.language = word;
      continue;
    }
    const std::size_t equals = word.find('=');
    block.attributes[word.substr(0, equals)] =
        equals == std::string::npos ? "" : word.substr(equals + 1);
  }
}

}  // namespace

std::string Block::get(const std::string& attribute, std::string otherwise) const {
  const auto at = attributes.find(attribute);
  return at == attributes.end() ? std::move(otherwise) : at->second;
}

std::vector<Block> blocks_of(std::string_view markdown) {
  constexpr std::string_view kFence = "```";
  std::vector<Block> result;
  std::string section;
  bool inside = false;
  std::size_t number = 0;
  std::size_t next = 0;  // byte where the next line begins
  for (const std::string& line : lines_of(markdown)) {
    ++number;
    next += line.size() + 1;
    const bool fence = line.rfind(kFence, 0) == 0;
    if (inside) {
      if (fence) {
        inside = false;
      } else {
        result.back().text += line + "\n";
      }
    } else if (fence) {
      inside = true;
      Block block;
      block.section = section;
      block.line = number;
      block.begin = next;
      read_info(std::string_view{line}.substr(kFence.size()), block);
      result.push_back(std::move(block));
    } else if (line.rfind('#', 0) == 0) {
      const std::size_t begin = line.find_first_not_of("# ");
      section = begin == std::string::npos ? "" : line.substr(begin);
    }
  }
  return result;
}

std::vector<Command> commands_of(const Block& block) {
  std::vector<Command> result;
  bool command_open = false;
  for (const std::string& line : lines_of(block.text)) {
    if (line.rfind("$ ", 0) == 0) {
      result.push_back({line.substr(2) + "\n", line + "\n", {}});
      command_open = true;
    } else if (command_open && line.rfind("> ", 0) == 0) {
      result.back().text += line.substr(2) + "\n";
      result.back().shown += line + "\n";
    } else {
      if (result.empty()) result.emplace_back();
      result.back().output += line + "\n";
      command_open = false;
    }
  }
  return result;
}

}  // namespace nd7::test
