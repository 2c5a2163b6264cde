// Text that stands for itself in an expression: encoded holes and quoting.
#include <cstdlib>
#include <string>
#include <string_view>

#include "compiler/pattern/regex.hpp"

namespace nd7::pattern {

std::string encode_hole(std::uint32_t index) {
  // An index that wrapped around would name another parameter.
  if (index >= kMaxHoles) std::abort();
  return {'\0', static_cast<char>(static_cast<unsigned char>(index + 1))};
}

std::string quote_regex(std::string_view text) {
  constexpr std::string_view kSpecial = "^.[$()|*+?{\\";
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\0' && i + 1 < text.size()) {
      result.append(text, i, 2);  // a hole: its second byte is no character
      ++i;
      continue;
    }
    if (kSpecial.find(text[i]) != std::string_view::npos) result += '\\';
    result += text[i];
  }
  return result;
}

}  // namespace nd7::pattern
