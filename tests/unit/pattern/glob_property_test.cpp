#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "compiler/pattern/glob.hpp"
#include "compiler/pattern/regex.hpp"
#include "tests/unit/pattern/census.hpp"
#include "tests/unit/pattern/generators.hpp"
#include "tests/unit/pattern/glob_matcher.hpp"
#include "tests/unit/pattern/regex_matcher.hpp"

namespace nd7::pattern {
namespace {

using Parts = std::vector<std::string>;

std::string join(const Parts& parts) {
  std::string path;
  for (const std::string& part : parts) path += '/' + part;
  return path.empty() ? "/" : path;
}

/// A name that `shape` is likely to match.
std::string instantiate(std::string_view shape) {
  std::string name;
  for (std::size_t at = 0; at < shape.size(); ++at) {
    if (shape[at] == '*') {
      name += *rc::gen::element<std::string>("", "a", "b.", "*");
    } else if (shape[at] == '?') {
      name += *rc::gen::element<std::string>("a", "?", "\xff");
    } else if (shape[at] == '[') {
      const std::size_t close = shape.find(']', at);
      // Mostly a member.
      std::string members;
      for (const char byte : std::string{shape.substr(at, close - at)} + "abZ._0*+\xff") {
        if (oracle::shape_matches(shape.substr(at, close - at + 1), {&byte, 1})) members += byte;
      }
      const bool stranger = *rc::gen::weightedElement<bool>({{1, true}, {9, false}});
      name += *rc::gen::elementOf(stranger || members.empty() ? std::string{"ac[^-"} : members);
      at = close;
    } else {
      name += shape[at];
    }
  }
  return name.empty() ? "a" : name;
}

Parts instantiate_parts(const std::string& glob) {
  Parts parts;
  for (const std::string& shape : oracle::split(glob[0] == '/' ? glob : '/' + glob)) {
    if (shape != "**") {
      parts.push_back(instantiate(shape));
      continue;
    }
    const int depth = *rc::gen::inRange(0, 3);
    for (int i = 0; i < depth; ++i) parts.push_back(*gen::name());
  }
  return parts;
}

bool is_component(const std::string& part) {
  return !part.empty() && part != "." && part != ".." && part.find('/') == std::string::npos;
}

/// The path itself, its parent, children, a sibling, and paths that look like it.
std::vector<std::string> neighbours(const Parts& parts) {
  std::vector<Parts> all{parts, {}};
  Parts child = parts;
  child.push_back(*gen::name());
  all.push_back(child);
  child.push_back("a");
  all.push_back(child);
  Parts below{"a"};
  below.insert(below.end(), parts.begin(), parts.end());
  all.push_back(below);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Parts other = parts;
    other.erase(other.begin() + static_cast<std::ptrdiff_t>(i));
    all.push_back(other);  // for the last one: the parent
    const std::string& part = parts[i];
    for (const std::string& changed :
         {*gen::name(), part + "a", "a" + part, part + "\n", part.substr(1),
          part.substr(0, part.size() - 1),
          std::string(1, static_cast<char>(part[0] ^ 0x20)) + part.substr(1)}) {
      if (!is_component(changed)) continue;
      other = parts;
      other[i] = changed;
      all.push_back(other);
    }
  }
  std::vector<std::string> paths;
  for (const Parts& one : all) paths.push_back(join(one));
  return paths;
}

struct Counts {
  bool some_match = false;
  bool some_differ = false;
  void add(bool match) { (match ? some_match : some_differ) = true; }
  [[nodiscard]] bool both() const { return some_match && some_differ; }
};

TEST(GlobProperty, ExpressionAgreesWithTheObviousMatcher) {
  test::Census census;
  ASSERT_TRUE(rc::check("glob", [&] {
    const std::string glob = *gen::glob();
    const GlobResult parsed = parse_glob(glob);
    RC_ASSERT(parsed.glob.has_value());
    const RegexResult regex = parse_regex(to_regex(*parsed.glob), RegexMode::strict);
    RC_ASSERT(regex.regex.has_value());
    RC_CLASSIFY(glob.find("**") != std::string::npos, "any depth");
    RC_CLASSIFY(glob.find('[') != std::string::npos, "sets");
    Counts counts;
    for (int i = 0; i < 4; ++i) {
      for (const std::string& path : neighbours(instantiate_parts(glob))) {
        const bool expected = oracle::glob_matches(glob, path);
        counts.add(expected);
        RC_LOG() << glob << " on " << path << " expected " << expected << '\n';
        RC_ASSERT(oracle::matches(*regex.regex, path) == expected);
      }
    }
    census.count(counts.both());
  }));
  census.expect_mostly_worthwhile();
}

TEST(GlobProperty, NameExpressionAgreesWithTheObviousMatcher) {
  test::Census census;
  ASSERT_TRUE(rc::check("name", [&] {
    const std::string name = *gen::shape();
    const GlobResult parsed = parse_name(name);
    RC_ASSERT(parsed.glob.has_value());
    const RegexResult regex = parse_regex(name_to_regex(*parsed.glob), RegexMode::strict);
    RC_ASSERT(regex.regex.has_value());
    Counts counts;
    for (int i = 0; i < 4; ++i) {
      Parts parts{*gen::name(), instantiate(name)};
      if (*rc::gen::arbitrary<bool>()) parts.erase(parts.begin());
      for (const std::string& path : neighbours(parts)) {
        const bool expected = oracle::name_matches(name, path);
        counts.add(expected);
        RC_ASSERT(oracle::matches(*regex.regex, path) == expected);
      }
    }
    census.count(counts.both());
  }));
  census.expect_mostly_worthwhile();
}

TEST(GlobProperty, FoldedGlobAgreesWithTheGlobInLowerCase) {
  // Without sets: there a glob in lower case is the glob.
  const auto lower = [](std::string text) {
    for (char& byte : text) {
      if (byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte + 32);
    }
    return text;
  };
  test::Census census;
  ASSERT_TRUE(rc::check("folded glob", [&] {
    std::string glob = *rc::gen::suchThat(
        gen::glob(), [](const std::string& g) { return g.find('[') == std::string::npos; });
    const std::string folded = fold_ascii_case(to_regex(*parse_glob(glob).glob));
    const Regex regex = *parse_regex(folded, RegexMode::strict).regex;
    Counts counts;
    for (int i = 0; i < 4; ++i) {
      for (const std::string& path : neighbours(instantiate_parts(glob))) {
        const bool expected = oracle::glob_matches(lower(glob), lower(path));
        counts.add(expected);
        RC_ASSERT(oracle::matches(regex, path) == expected);
      }
    }
    census.count(counts.both());
  }));
  census.expect_mostly_worthwhile();
}

}  // namespace
}  // namespace nd7::pattern
