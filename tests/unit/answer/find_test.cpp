// The search for a request that tells two profiles apart, against trying every short path; and what
// it knows about everything beside the path.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "compiler/answer/search.hpp"
#include "tests/support/regex_oracle.hpp"
#include "tests/unit/seatbelt_read/support.hpp"

namespace nd7::test {
namespace {

using namespace seatbelt::read;
using answer::Found;
using answer::Level;
using answer::Relation;
using answer::Side;
using decide::Answer;
using seatbelt::Filter;
using seatbelt::Op;
namespace profiles = seatbelt::read::test;

Side side_of(const std::string& rules, Model model = {}) {
  auto reading = profiles::read_text("(version 1)\n(deny default)\n" + rules);
  if (!reading.rules) throw std::runtime_error(reading.log() + rules);
  return Side{std::move(*reading.rules), model};
}

/// Paths that a kernel can ask about: absolute, no empty component, no slash at the end.
std::vector<std::string> short_paths() {
  std::vector<std::string> result;
  for (const std::string& word : testing::all_words("/ab", 6)) {
    const bool path = word == "/" || (word.size() > 1 && word.front() == '/' &&
                                      word.back() != '/' && word.find("//") == std::string::npos);
    if (path) result.push_back(word);
  }
  return result;
}

/// Rules over short paths of two letters.
std::string some_rules() {
  static const std::vector<std::string> kFilters{
      "(literal \"/a\")",    "(literal \"/\")",          "(literal \"/a/b\")",
      "(subpath \"/a\")",    "(subpath \"/\")",          "(subpath \"/a/b\")",
      "(prefix \"/a\")",     "(prefix \"/ab\")",         "(path-ancestors \"/a/b/a\")",
      "(regex #\"^/a*b$\")", "(regex #\"b/a\")",         "(regex #\"^/(a|ba)/b?$\")",
      "(regex #\"a(/|$)\")", "(regex #\"^/[^/]+/[ab]\")"};
  const auto filter = [] {
    const std::string one = *rc::gen::elementOf(kFilters);
    const std::string other = *rc::gen::elementOf(kFilters);
    switch (*rc::gen::inRange(0, 5)) {
      case 0: return "(require-all " + one + " " + other + ")";
      case 1: return "(require-not " + one + ")";
      case 2: return "(require-all " + one + " (require-not " + other + "))";
      default: return one;
    }
  };
  std::string text;
  const int count = *rc::gen::inRange(1, 5);
  for (int i = 0; i < count; ++i) {
    text += *rc::gen::element<std::string>("(allow ", "(deny ", "(allow ");
    text += *rc::gen::element<std::string>("file-read*", "file-read-data", "file*");
    if (*rc::gen::inRange(0, 10) != 0) text += " " + filter();
    text += ")\n";
  }
  return text;
}

bool related(Level first, Level second, Relation relation) {
  return relation == Relation::above ? first > second
                                     : first != Level::deny && second != Level::deny;
}

RC_GTEST_PROP(Find, AgreesWithTryingEveryShortPath, ()) {
  static const std::vector<std::string> kPaths = short_paths();
  const std::string one = some_rules();
  const std::string other = some_rules();
  RC_LOG() << one << "----\n" << other;
  const Model model = *rc::gen::elementOf(std::vector<Model>(kModels.begin(), kModels.end()));
  Side first = side_of(one, model);
  Side second = side_of(other, model);
  for (const Relation relation : {Relation::above, Relation::both}) {
    const Found found = find(first, second, Op::file_read_data, relation);
    RC_ASSERT(found.answer != Answer::undecided);
    std::size_t shortest = std::string::npos;
    for (const std::string& path : kPaths) {
      Request request;
      request.op = Op::file_read_data;
      request.subject = PathSubject{path};
      if (!related(first.level(request), second.level(request), relation)) continue;
      shortest = std::min(shortest, path.size());
    }
    if (shortest != std::string::npos) {
      RC_ASSERT(found.answer == Answer::yes);
      RC_ASSERT(std::get<PathSubject>(found.request.subject).path.size() <= shortest);
    }
    if (found.answer == Answer::yes) {
      // What is found is there, also by itself.
      RC_ASSERT(related(first.level(found.request), second.level(found.request), relation));
      RC_ASSERT(found.first == first.level(found.request));
    }
  }
}

Found above(const std::string& one, const std::string& other, Op op) {
  Side first = side_of(one);
  Side second = side_of(other);
  return find(first, second, op, Relation::above);
}

const std::string* fact_of(const Found& found, Filter filter) {
  return found.answer == Answer::yes ? found.request.fact(filter) : nullptr;
}

TEST(FindFacts, AVnodeTypeIsPartOfTheWitness) {
  const std::string all = "(allow file-read-data)";
  const std::string some = "(allow file-read-data (vnode-type DIRECTORY))";
  const Found found = above(all, some, Op::file_read_data);
  ASSERT_NE(fact_of(found, Filter::vnode_type), nullptr);
  EXPECT_NE(*fact_of(found, Filter::vnode_type), "DIRECTORY");
  EXPECT_EQ(above(some, all, Op::file_read_data).answer, Answer::no);
}

TEST(FindFacts, TheVnodeTypesTogetherAreEveryFile) {
  std::string each = "(allow file-read-data";
  for (const char* type : {"REGULAR-FILE", "DIRECTORY", "SYMLINK", "SOCKET", "FIFO", "TTY",
                           "CHARACTER-DEVICE", "BLOCK-DEVICE"}) {
    each += std::string{" (vnode-type "} + type + ")";
  }
  EXPECT_EQ(above("(allow file-read-data)", each + ")", Op::file_read_data).answer, Answer::no);
}

TEST(FindFacts, AnAttributeIsPartOfTheWitness) {
  const std::string rule = "(allow file-read-xattr (subpath \"/a\") )";
  const std::string marked =
      "(allow file-read-xattr (require-all (subpath \"/a\") (xattr \"com.example\")))";
  const std::string others =
      "(allow file-read-xattr (require-all (subpath \"/a\") (require-not (xattr "
      "\"com.example\"))))";
  const Found found = above(rule, others, Op::file_read_xattr);
  ASSERT_NE(fact_of(found, Filter::xattr), nullptr);
  EXPECT_EQ(*fact_of(found, Filter::xattr), "com.example");
  const Found rest = above(rule, marked, Op::file_read_xattr);
  ASSERT_NE(fact_of(rest, Filter::xattr), nullptr);
  EXPECT_NE(*fact_of(rest, Filter::xattr), "com.example");
  EXPECT_EQ(above(rule, marked + others, Op::file_read_xattr).answer, Answer::no);
}

TEST(FindFacts, AnExtensionIsPartOfTheWitness) {
  const std::string with = "(allow file-read-data (extension \"com.example.read\"))";
  const Found found = above(with, "", Op::file_read_data);
  ASSERT_EQ(found.answer, Answer::yes);
  EXPECT_EQ(found.request.extensions, std::vector<std::string>{"com.example.read"});
  const Found without = above("(allow file-read-data)", with, Op::file_read_data);
  ASSERT_EQ(without.answer, Answer::yes);
  EXPECT_TRUE(without.request.extensions.empty());
}

TEST(FindFacts, ASignalNumberIsPartOfTheWitness) {
  const Found found =
      above("(allow signal (target others))",
            "(allow signal (require-all (target others) (signal-number SIGTERM)))", Op::signal);
  ASSERT_NE(fact_of(found, Filter::signal_number), nullptr);
  EXPECT_NE(*fact_of(found, Filter::signal_number), "SIGTERM");
  EXPECT_EQ(std::get<NameSubject>(found.request.subject).name, "others");
}

TEST(FindFacts, TooManyOfThemAreUndecided) {
  std::string rules;
  for (int i = 0; i < 12; ++i) {
    rules += "(allow file-read-data (extension \"e" + std::to_string(i) + "\"))\n";
  }
  EXPECT_EQ(above(rules, "", Op::file_read_data).answer, Answer::undecided);
}

TEST(FindAddresses, APortBetweenTheNamedOnesIsFound) {
  const Found found =
      above("(allow network-outbound (remote tcp \"*:*\"))",
            "(allow network-outbound (remote tcp \"*:443\") (remote tcp \"localhost:*\"))",
            Op::network_outbound);
  ASSERT_EQ(found.answer, Answer::yes);
  const auto& ip = std::get<IpSubject>(found.request.subject);
  EXPECT_NE(ip.port, 443);
  EXPECT_EQ(ip.protocol, Address::Protocol::tcp);
  EXPECT_EQ(ip.address.kind(), IpAddress::Kind::other);
}

TEST(FindAddresses, ProtocolsAndFamiliesAreToldApart) {
  const std::string all = "(allow network-outbound (remote ip \"*:53\"))";
  const Found udp =
      above(all, "(allow network-outbound (remote tcp \"*:53\"))", Op::network_outbound);
  ASSERT_EQ(udp.answer, Answer::yes);
  EXPECT_NE(std::get<IpSubject>(udp.request.subject).protocol, Address::Protocol::tcp);
  const Found six =
      above(all, "(allow network-outbound (remote ip4 \"*:53\"))", Op::network_outbound);
  ASSERT_EQ(six.answer, Answer::yes);
  EXPECT_TRUE(std::get<IpSubject>(six.request.subject).address.v6);
}

TEST(FindLevels, LeavingTheSandboxIsAboveBeingAllowed) {
  const std::string plain = "(allow process-exec* (subpath \"/a\"))";
  const Found found = above(plain + "(allow process-exec* (with no-sandbox) (literal \"/a/x\"))",
                            plain, Op::process_exec_all);
  ASSERT_EQ(found.answer, Answer::yes);
  EXPECT_EQ(std::get<PathSubject>(found.request.subject).path, "/a/x");
  EXPECT_EQ(found.first, Level::unconfined);
  EXPECT_EQ(found.second, Level::allow);
}

}  // namespace
}  // namespace nd7::test
