#include "compiler/pattern/name_difference.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "compiler/pattern/regex.hpp"

namespace nd7::pattern {
namespace {

constexpr std::string_view kWild = "*?[";
constexpr std::size_t kMaxException = 128;  // bytes: the expression nests as deep as that

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// The excepted texts that `*` would have to match, as a tree of their bytes.
struct Node {
  bool excepted = false;
  std::map<char, std::unique_ptr<Node>> kids;
};

void insert(Node& root, std::string_view text, bool any_case) {
  Node* at = &root;
  for (const char c : text) {
    auto& kid = at->kids[any_case ? lower(c) : c];
    if (!kid) kid = std::make_unique<Node>();
    at = kid.get();
  }
  at->excepted = true;
}

std::string in_set(char c, bool any_case) {
  std::string result(1, c);
  if (any_case && is_letter(c)) result.push_back(static_cast<char>(c - 'a' + 'A'));
  return result;
}

std::string one_byte(char c, bool any_case) {
  if (any_case && is_letter(c)) return "[" + in_set(c, true) + "]";
  return quote_regex(std::string_view{&c, 1});
}

/// `[^…/]` with the characters that are special in a set where they are plain.
std::string none_of(const Node& node, bool any_case) {
  std::string plain;
  std::string bracket;
  std::string caret;
  std::string dash;
  for (const auto& [c, kid] : node.kids) {
    (c == ']' ? bracket : c == '^' ? caret : c == '-' ? dash : plain) += in_set(c, any_case);
  }
  return "[^" + bracket + plain + caret + "/" + dash + "]";
}

/// What may follow (or, mirrored, precede) the bytes that led to `node`. Depth is that of the
/// exceptions: at most kMaxException.
std::string rest(const Node& node, bool mirrored, bool any_case) {
  if (node.kids.empty()) return node.excepted ? "[^/]+" : "[^/]*";
  const std::string other = none_of(node, any_case);
  std::string result = mirrored ? "[^/]*" + other : other + "[^/]*";
  for (const auto& [c, kid] : node.kids) {
    const std::string byte = one_byte(c, any_case);
    const std::string below = rest(*kid, mirrored, any_case);
    result += "|" + (mirrored ? below + byte : byte + below);
  }
  return "(" + result + ")" + (node.excepted ? "" : "?");
}

}  // namespace

std::optional<std::string> name_without(std::string_view name,
                                        const std::vector<std::string>& exceptions, bool any_case) {
  const auto same = [&](std::string_view a, std::string_view b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [&](char x, char y) {
             return any_case ? lower(x) == lower(y) : x == y;
           });
  };
  for (const std::string& exception : exceptions) {
    if (exception.find_first_of(kWild) != std::string::npos || exception.size() > kMaxException ||
        exception.find('\0') != std::string::npos) {
      return std::nullopt;
    }
  }
  const std::size_t star = name.find_first_of(kWild);
  if (star == std::string_view::npos) {
    const bool gone = std::all_of(exceptions.begin(), exceptions.end(),
                                  [&](const std::string& one) { return same(one, name); });
    if (!gone) return std::nullopt;
    return "";
  }
  const bool at_end = star + 1 == name.size();
  if (name[star] != '*' || (star != 0 && !at_end) ||
      name.find_first_of(kWild, star + 1) != std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view fixed = at_end ? name.substr(0, star) : name.substr(1);
  Node tree;
  for (const std::string& exception : exceptions) {
    if (exception.size() < fixed.size()) return std::nullopt;
    const std::size_t split = at_end ? fixed.size() : exception.size() - fixed.size();
    const std::string_view front = std::string_view{exception}.substr(0, split);
    const std::string_view back = std::string_view{exception}.substr(split);
    if (!same(at_end ? front : back, fixed)) return std::nullopt;
    std::string wild{at_end ? back : front};
    if (!at_end) std::reverse(wild.begin(), wild.end());
    insert(tree, wild, any_case);
  }
  const std::string free = rest(tree, !at_end, any_case);
  return "/" + (at_end ? quote_regex(fixed) + free : free + quote_regex(fixed)) + "(/|$)";
}

}  // namespace nd7::pattern
