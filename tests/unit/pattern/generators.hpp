// Generators of globs, names, strict regular expressions and subjects, over a small alphabet that
// has the characters with a meaning somewhere.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <vector>

namespace nd7::pattern::gen {

namespace rg = rc::gen;

/// One plain character of a component.
inline rc::Gen<std::string> plain() {
  return rg::weightedElement<std::string>({{8, "a"},
                                           {6, "b"},
                                           {4, "A"},
                                           {2, "."},
                                           {1, "+"},
                                           {1, "("},
                                           {1, ")"},
                                           {1, "|"},
                                           {1, "^"},
                                           {1, "$"},
                                           {1, "-"},
                                           {1, "]"},
                                           {1, "!"},
                                           {1, "\n"},
                                           {1, "\xc3\xa9"}});
}

inline rc::Gen<std::string> glob_set() {
  return rg::element<std::string>("[ab]", "[!a]", "[a-c]", "[!a-c]", "[+-9]", "[A-z]", "[-a]",
                                  "[a-]", "[[]", "[*]", "[?]", "[!!]", "[a^]", "[_^-]", "[_^]",
                                  "[!-.]", "[{}]", "[--0]", "[X-b]", "[!-]");
}

inline rc::Gen<std::string> repeat(const rc::Gen<std::string>& piece, int low, int high) {
  return rg::mapcat(rg::inRange(low, high), [piece](int count) {
    return rg::map(rg::container<std::vector<std::string>>(static_cast<std::size_t>(count), piece),
                   [](const std::vector<std::string>& pieces) {
                     std::string all;
                     for (const std::string& one : pieces) all += one;
                     return all;
                   });
  });
}

/// A component of a glob that parses, `**` left out.
inline rc::Gen<std::string> shape() {
  const auto piece = rg::weightedOneOf<std::string>({{6, plain()},
                                                     {2, rg::just<std::string>("*")},
                                                     {2, rg::just<std::string>("?")},
                                                     {2, glob_set()}});
  return rg::suchThat(repeat(piece, 1, 5), [](const std::string& s) {
    return s.find("**") == std::string::npos && s != "." && s != "..";
  });
}

inline rc::Gen<std::string> glob() {
  const auto component = rg::weightedOneOf<std::string>(
      {{3, rg::map(shape(), [](const std::string& s) { return '/' + s; })},
       {1, rg::just<std::string>("/**")}});
  const auto anchored = repeat(component, 1, 5);
  return rg::weightedOneOf<std::string>(
      {{3, anchored},
       {1, rg::map(anchored, [](const std::string& s) { return "**" + s; })},
       {1, rg::map(anchored, [](const std::string& s) { return "/a" + s; })}});
}

/// A name that a shape's sets and wildcards may or may not take.
inline rc::Gen<std::string> name() {
  return rg::suchThat(repeat(plain(), 1, 4),
                      [](const std::string& s) { return s != "." && s != ".."; });
}

enum class Anchors : bool { none, some };

/// A strict expression; `size` bounds its depth. Without anchors it matches something.
inline rc::Gen<std::string> regex(int size, Anchors anchors = Anchors::some) {
  const std::size_t weight = anchors == Anchors::some ? 2 : 0;
  const auto leaf = rg::weightedElement<std::string>({{6, "a"},
                                                      {4, "b"},
                                                      {2, "A"},
                                                      {4, "/"},
                                                      {1, "."},
                                                      {1, "\\."},
                                                      {1, "[ab]"},
                                                      {1, "[^a]"},
                                                      {1, "[^/]"},
                                                      {1, "[A-b]"},
                                                      {1, "[^B-]"},
                                                      {weight, "^"},
                                                      {weight, "$"},
                                                      {1, "()"},
                                                      {1, "\\("},
                                                      {1, "]"}});
  if (size <= 0) return leaf;
  const auto sub = regex(size - 1, anchors);
  return rg::weightedOneOf<std::string>(
      {{1, leaf},
       {4, rg::map(rg::pair(sub, sub), [](const auto& p) { return p.first + p.second; })},
       {2, rg::map(rg::pair(sub, sub),
                   [](const auto& p) { return '(' + p.first + '|' + p.second + ')'; })},
       {1, rg::map(sub, [](const std::string& s) { return '(' + s + ")*"; })},
       {1, rg::map(sub, [](const std::string& s) { return '(' + s + ")+"; })},
       {1, rg::map(sub, [](const std::string& s) { return '(' + s + ")?"; })}});
}

/// Every text over `alphabet` of at most `length` bytes.
inline std::vector<std::string> all_texts(const std::string& alphabet, std::size_t length) {
  std::vector<std::string> all{""};
  for (std::size_t i = 0; i < all.size() && all[i].size() < length; ++i) {
    for (const char byte : alphabet) all.push_back(all[i] + byte);
  }
  return all;
}

}  // namespace nd7::pattern::gen
