#include "compiler/seatbelt/read/traps.hpp"

#include <gtest/gtest.h>

#include "tests/unit/seatbelt_read/support.hpp"

namespace nd7::seatbelt::read::test {
namespace {

/// Codes of all findings, in order, with what they point at: "ND6105 \"/tmp/a\"".
std::vector<std::string> traps(std::string_view text) {
  const Reading reading = read_fragment(text);
  if (!reading.rules) return {reading.log()};
  Diagnostics found;
  find_traps(*reading.rules, found);
  std::vector<std::string> result;
  for (const Diagnostic& diagnostic : found.sorted()) {
    EXPECT_EQ(diagnostic.severity, Severity::warning);
    EXPECT_TRUE(diagnostic.code == Code::ND6107 || !diagnostic.helps.empty());
    result.push_back(std::string{info(diagnostic.code).name} + " " +
                     std::string{reading.sources.text(diagnostic.primary.value())});
  }
  return result;
}

using Found = std::vector<std::string>;

TEST(Traps, ClassDenyBesideConcreteAllow) {
  const std::string deny = "(deny file-write* (subpath \"/w/s\"))";
  EXPECT_EQ(traps("(allow file-write-data (subpath \"/w\"))" + deny), Found{"ND6101 " + deny});
  EXPECT_EQ(traps(deny + "(allow file-write-data (subpath \"/w\"))"), Found{"ND6101 " + deny});
  EXPECT_EQ(traps(deny + "(allow file-write-data)"), Found{"ND6101 " + deny});
  EXPECT_EQ(traps(deny + "(allow file-write* (subpath \"/w\"))"), Found{});
  EXPECT_EQ(traps(deny + "(allow file-write-data (literal \"/dev/null\"))"), Found{});
  EXPECT_EQ(traps(deny + "(allow file-write-data (regex #\"^/dev/tty\"))"), Found{});
  EXPECT_EQ(traps("(allow file-write-data (subpath \"/w\"))"
                  "(deny file-write* file-write-data (subpath \"/w/s\"))"),
            Found{});
  EXPECT_EQ(traps("(allow file-write-data (subpath \"/w\"))" + deny +
                  "(deny file-write-data (subpath \"/w/s\"))"),
            Found{});
  EXPECT_EQ(traps("(deny network* (subpath \"/s\"))(allow network-outbound (remote tcp))"),
            Found{});
}

TEST(Traps, ClassAllowAfterConcreteDeny) {
  const std::string allow = "(allow file-write* (subpath \"/w\"))";
  EXPECT_EQ(traps("(deny file-write-unlink (subpath \"/w\"))" + allow), Found{"ND6101 " + allow});
  EXPECT_EQ(traps(allow + "(deny file-write-unlink (subpath \"/w\"))"), Found{});
}

TEST(Traps, UnfilteredRuleAfterFilteredOne) {
  EXPECT_EQ(traps("(deny network-outbound (subpath \"/s\"))(allow network-outbound)"),
            Found{"ND6102 (allow network-outbound)"});
  EXPECT_EQ(traps("(allow network-outbound)(deny network-outbound (subpath \"/s\"))"), Found{});
  EXPECT_EQ(traps("(allow file-read* (subpath \"/s\"))(allow file-read*)"), Found{});
}

TEST(Traps, NetworkFilters) {
  EXPECT_EQ(traps("(allow network-outbound (require-not (remote ip \"localhost:*\")))"),
            Found{"ND6103 \"localhost:*\""});
  EXPECT_EQ(traps("(allow network-outbound (require-not (remote ip \"localhost:80\")))"), Found{});
  EXPECT_EQ(traps("(allow network-outbound (local ip \"localhost:*\"))"),
            Found{"ND6104 \"localhost:*\""});
  EXPECT_EQ(traps("(allow network* (local ip) (remote ip))"), Found{});
  EXPECT_EQ(traps("(allow network-bind (local ip \"localhost:*\"))"), Found{});
}

TEST(Traps, PathsThatTheKernelNeverSees) {
  EXPECT_EQ(traps("(deny file-read* (subpath \"/tmp/x\"))"), Found{"ND6105 \"/tmp/x\""});
  EXPECT_EQ(traps("(deny file-read* (regex #\"^/var/x/\"))"), Found{"ND6105 #\"^/var/x/\""});
  EXPECT_EQ(traps("(deny file-read* (subpath \"/System/Volumes/Data/w\"))"),
            Found{"ND6105 \"/System/Volumes/Data/w\""});
  EXPECT_EQ(traps("(deny file-read* (subpath \"/tmp/x\") (subpath \"/private/tmp/x\"))"), Found{});
  EXPECT_EQ(traps("(deny file-read* (regex #\"^/var/x/\") (regex #\"^/private/var/x/\"))"),
            Found{});
  EXPECT_EQ(traps("(allow file-read-metadata (literal \"/etc\"))"), Found{});
  EXPECT_EQ(traps("(deny file-read* (subpath \"/tmpfile\"))"), Found{});
}

TEST(Traps, PathsThatAreNotNormal) {
  EXPECT_EQ(traps("(deny file-read* (subpath \"/w/\"))"), Found{"ND6106 \"/w/\""});
  EXPECT_EQ(traps("(deny file-read* (literal \"/w/../x\"))"), Found{"ND6106 \"/w/../x\""});
  EXPECT_EQ(traps("(deny file-read* (literal \"/w//x\"))"), Found{"ND6106 \"/w//x\""});
  EXPECT_EQ(traps("(deny file-read* (literal \"/w/.\"))"), Found{"ND6106 \"/w/.\""});
  EXPECT_EQ(traps("(deny file-read* (literal \"w\"))"), Found{"ND6106 \"w\""});
  EXPECT_EQ(traps("(deny file-read* (prefix \"/w/\") (subpath \"/\") (literal \"/w/..x\"))"),
            Found{});
}

TEST(Traps, Traces) { EXPECT_EQ(traps("(trace \"/w\")"), Found{"ND6107 (trace \"/w\")"}); }

TEST(Traps, BothPlacesAreShown) {
  const Reading reading = read_fragment(
      "(allow file-write-data (subpath \"/w\"))(deny file-write* (subpath \"/w/s\"))");
  Diagnostics found;
  find_traps(*reading.rules, found);
  ASSERT_EQ(found.all().size(), 1U);
  ASSERT_EQ(found.all()[0].labels.size(), 1U);
  EXPECT_EQ(reading.sources.text(found.all()[0].labels[0].span),
            "(allow file-write-data (subpath \"/w\"))");
}

}  // namespace
}  // namespace nd7::seatbelt::read::test
