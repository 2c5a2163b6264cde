#include "compiler/pattern/set_text.hpp"

#include <cstddef>
#include <string_view>

namespace nd7::pattern {
namespace {

char to_char(std::size_t byte) { return static_cast<char>(static_cast<unsigned char>(byte)); }

/// The members in order; three or more neighbours as a range.
std::string members(const ByteSet& set) {
  std::string result;
  for (std::size_t first = 0; first < set.size(); ++first) {
    if (!set.test(first)) continue;
    std::size_t last = first;
    while (last + 1 < set.size() && set.test(last + 1)) ++last;
    result += to_char(first);
    if (last - first >= 2) result += '-';
    if (last != first) result += to_char(last);
    first = last;
  }
  return result;
}

}  // namespace

std::string set_text(const ByteSet& listed, bool negated) {
  ByteSet rest = listed;
  rest.reset(0);  // NUL is in no set
  if (negated && rest.none()) return ".";
  if (!negated && rest.count() == 1) {
    std::size_t byte = 0;
    while (!rest.test(byte)) ++byte;
    const char text = to_char(byte);
    return quote_regex(std::string_view{&text, 1});
  }
  std::string result = negated ? "[^" : "[";
  // `-` is itself only at an end; `^` is only when not first.
  if (rest.test('-')) {
    rest.reset('-');
    result += '-';
  }
  std::string body = members(rest);
  if (result == "[" && body.front() == '^') {
    rest.reset('^');
    body = members(rest) + '^';
  }
  return result + body + ']';
}

}  // namespace nd7::pattern
