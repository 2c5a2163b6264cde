// Text that tries to be more than text.
#include "tests/support/policy_generator.hpp"

namespace nd7::test {
namespace {

namespace rg = rc::gen;

std::string encode(std::uint32_t code_point) {
  std::string result;
  const auto byte = [&](std::uint32_t value) { result += static_cast<char>(value); };
  if (code_point < 0x80) {
    byte(code_point);
  } else if (code_point < 0x800) {
    byte(0xC0 | (code_point >> 6));
    byte(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    byte(0xE0 | (code_point >> 12));
    byte(0x80 | ((code_point >> 6) & 0x3F));
    byte(0x80 | (code_point & 0x3F));
  } else {
    byte(0xF0 | (code_point >> 18));
    byte(0x80 | ((code_point >> 12) & 0x3F));
    byte(0x80 | ((code_point >> 6) & 0x3F));
    byte(0x80 | (code_point & 0x3F));
  }
  return result;
}

/// Pieces that mean something to the languages that the text passes through.
rc::Gen<std::string> telling() {
  return rg::element<std::string>("\"", "\\", "(", ")", ";", "#\"", "\")", "\\\"", "|", "'", "$",
                                  "#t", "(allow default)", "\") (allow default) (literal \"", "; x",
                                  "%", "\\x41", "\\n", "[", "]", "*", "?", "{", "}", "^",
                                  "\xc3\xa9", " ", "a");
}

rc::Gen<std::string> glued(const rc::Gen<std::string>& piece) {
  return rg::map(rg::nonEmpty(rg::container<std::vector<std::string>>(piece)),
                 [](const std::vector<std::string>& pieces) {
                   std::string result;
                   for (const std::string& one : pieces) result += one;
                   return result;
                 });
}

}  // namespace

namespace gen {

rc::Gen<std::string> hostile_text() {
  const auto any = rg::map(rg::inRange<std::uint32_t>(0x20, 0x2ffff), [](std::uint32_t c) {
    const bool refused = (c >= 0x7f && c < 0xa0) || (c >= 0xd800 && c < 0xe000) || c == 0x61c ||
                         (c >= 0x200e && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
                         (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
    return encode(refused ? 0x41 : c);
  });
  const auto ascii = rg::map(rg::inRange<std::uint32_t>(0x20, 0x7f), encode);
  return glued(rg::oneOf(telling(), any, ascii));
}

rc::Gen<std::string> hostile_bytes() {
  const auto byte = rg::map(rg::inRange(0x20, 0x100), [](int c) {
    return std::string(1, static_cast<char>(c == 0x7f ? 0xff : c));
  });
  return glued(rg::oneOf(telling(), byte));
}

}  // namespace gen

}  // namespace nd7::test
