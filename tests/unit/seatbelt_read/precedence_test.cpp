#include <gtest/gtest.h>

#include "tests/unit/seatbelt_read/support.hpp"

namespace nd7::seatbelt::read::test {
namespace {

constexpr Model kFallback{};
constexpr Model kExpanded{Unfiltered::fallback, Class::expanded};
constexpr Model kOrdered{Unfiltered::ordered, Class::fallback};
constexpr Model kNaive{Unfiltered::ordered, Class::expanded};

TEST(Precedence, ModelsDifferWhereTheyShould) {
  const char* const concrete =
      "(version 1)(deny default)(allow file-write-data (subpath \"/w\"))"
      "(deny file-write* (subpath \"/w/s\"))";
  EXPECT_EQ(verdict(concrete, "file-write-data", "path /w/s/f", kFallback), "allow");
  EXPECT_EQ(verdict(concrete, "file-write-data", "path /w/s/f", kExpanded), "deny");
  EXPECT_EQ(verdict(concrete, "file-write-data", "path /w/s/f", kOrdered), "allow");
  EXPECT_EQ(verdict(concrete, "file-write-data", "path /w/s/f", kNaive), "deny");
  const char* const unfiltered =
      "(version 1)(deny default)(deny network-outbound (subpath \"/s\"))(allow network-outbound)";
  EXPECT_EQ(verdict(unfiltered, "network-outbound", "unix /s/a", kFallback), "deny");
  EXPECT_EQ(verdict(unfiltered, "network-outbound", "unix /s/a", kExpanded), "deny");
  EXPECT_EQ(verdict(unfiltered, "network-outbound", "unix /s/a", kOrdered), "allow");
  EXPECT_EQ(verdict(unfiltered, "network-outbound", "unix /s/a", kNaive), "allow");
}

TEST(Precedence, DefaultIsTheLastResortInEveryModel) {
  for (const Model model : kModels) {
    EXPECT_EQ(verdict("(version 1)(deny file-read* (subpath \"/w\"))(allow default)",
                      "file-read-data", "path /w/f", model),
              "deny");
  }
}

TEST(Precedence, StepsNameWhatIsConsultedInOrder) {
  const Reading reading = read_text(
      "(version 1)(allow default)"
      "(allow file-read-data (subpath \"/a\"))"            // 1
      "(deny file-read* file-read-data (subpath \"/b\"))"  // 2
      "(deny file-read*)"                                  // 3
      "(import \"system.sb\")"                             // 4
      "(allow file* (subpath \"/c\"))");                   // 5
  ASSERT_TRUE(reading.rules);
  const std::vector<Step> list = steps(*reading.rules, Op::file_read_data);
  ASSERT_EQ(list.size(), 5U);
  EXPECT_EQ(list[0].kind, Step::Kind::import);
  EXPECT_EQ(list[0].level, Op::file_read_data);
  EXPECT_EQ(list[1].rule, 2U);
  EXPECT_EQ(list[1].action, Action::deny);
  EXPECT_TRUE(list[1].filtered);
  EXPECT_EQ(list[2].rule, 1U);
  EXPECT_EQ(list[3].kind, Step::Kind::import);
  EXPECT_EQ(list[3].level, Op::file_read_all);
  EXPECT_EQ(list[4].rule, 3U);
  EXPECT_FALSE(list[4].filtered);

  const std::vector<Step> naive = steps(*reading.rules, Op::file_read_data, kNaive);
  ASSERT_EQ(naive.size(), 3U);
  EXPECT_EQ(naive[0].rule, 5U);
  EXPECT_EQ(naive[1].kind, Step::Kind::import);
  EXPECT_EQ(naive[2].rule, 3U);
}

TEST(Precedence, BuiltinAnswersStandAtTheEnd) {
  const Reading reading = read_text("(version 1)(deny default)");
  ASSERT_TRUE(reading.rules);
  for (std::size_t i = 0; i < kOpCount; ++i) {
    const Op op = static_cast<Op>(i);
    for (const Model model : kModels) {
      const std::vector<Step> list = steps(*reading.rules, op, model);
      ASSERT_EQ(list.size(), 1U) << name(op);
      const bool fixed = builtin_answer(op) != Builtin::inherit;
      EXPECT_EQ(list[0].kind, fixed ? Step::Kind::builtin : Step::Kind::rule) << name(op);
      EXPECT_EQ(list[0].action == Action::allow, builtin_answer(op) == Builtin::allow);
    }
  }
}

TEST(Precedence, NothingIsDeniedByNothing) {
  EXPECT_EQ(verdict("(version 1)", "file-read-data", "path /w"), "deny");
}

TEST(Precedence, ExecMayLeaveTheSandbox) {
  const Reading reading = read_text(
      "(version 1)(deny default)(allow process-exec)"
      "(allow process-exec (with no-sandbox) (literal \"/x/exit\"))");
  ASSERT_TRUE(reading.rules);
  const auto decide_exec = [&](const char* path) {
    return decide(*reading.rules, Request{Op::process_exec_all, PathSubject{path}, {}, {}, {}});
  };
  EXPECT_EQ(decide_exec("/x/exit").verdict, Verdict::allow);
  EXPECT_EQ(decide_exec("/x/exit").unconfined, Truth::yes);
  EXPECT_EQ(decide_exec("/x/exit").by.rule, 2U);
  EXPECT_EQ(decide_exec("/bin/sh").unconfined, Truth::no);
}

TEST(Precedence, DivergenceIsFound) {
  const Reading reading = read_text(
      "(version 1)(deny default)(allow file-write-data (subpath \"/w\"))"
      "(deny file-write* (subpath \"/w/s\"))");
  ASSERT_TRUE(reading.rules);
  EXPECT_TRUE(diverge(
      decide_all(*reading.rules, Request{Op::file_write_data, PathSubject{"/w/s/f"}, {}, {}, {}})));
  EXPECT_FALSE(diverge(
      decide_all(*reading.rules, Request{Op::file_write_data, PathSubject{"/w/f"}, {}, {}, {}})));
}

TEST(Conditions, FactsDecideWhatTheSubjectDoesNotSay) {
  const Reading reading = read_text(
      "(version 1)(deny default)"
      "(allow file-read-xattr (xattr-prefix \"com.example.\"))"
      "(allow signal (target self) (signal-number SIGTERM))"
      "(allow sysctl-read (sysctl-name-regex #\"^hw\\.\"))"
      "(allow system-socket (require-all (socket-domain AF_SYSTEM) (socket-protocol 2)))");
  ASSERT_TRUE(reading.rules) << reading.log();
  const auto ask = [&](Op op, SubjectValue subject, std::vector<Fact> facts) {
    return decide(*reading.rules, Request{op, std::move(subject), {}, std::move(facts), {}})
        .verdict;
  };
  const PathSubject path{"/w"};
  EXPECT_EQ(ask(Op::file_read_xattr, path, {{Filter::xattr, "com.example.a"}}), Verdict::allow);
  EXPECT_EQ(ask(Op::file_read_xattr, path, {{Filter::xattr, "org"}}), Verdict::deny);
  EXPECT_EQ(ask(Op::file_read_xattr, path, {}), Verdict::unknown);
  EXPECT_EQ(ask(Op::signal, NameSubject{"self"}, {}), Verdict::allow);
  EXPECT_EQ(ask(Op::signal, NameSubject{"others"}, {{Filter::signal_number, "SIGKILL"}}),
            Verdict::deny);
  EXPECT_EQ(ask(Op::signal, NameSubject{"others"}, {}), Verdict::unknown);
  EXPECT_EQ(ask(Op::sysctl_read, NameSubject{"hw.ncpu"}, {}), Verdict::allow);
  EXPECT_EQ(ask(Op::sysctl_read, NameSubject{"kern.x"}, {}), Verdict::deny);
  EXPECT_EQ(ask(Op::system_socket, NameSubject{"AF_SYSTEM"}, {{Filter::socket_protocol, "2"}}),
            Verdict::allow);
  EXPECT_EQ(ask(Op::system_socket, NameSubject{"AF_UNIX"}, {}), Verdict::deny);
}

TEST(Conditions, WildcardPortUnderNegationIsUndecided) {
  const char* const profile =
      "(version 1)(deny default)(allow network-outbound (require-not (remote ip \"localhost:*\")))";
  EXPECT_EQ(verdict(profile, "network-outbound", "tcp 127.0.0.1:80"), "unknown");
  EXPECT_EQ(verdict(profile, "network-outbound", "tcp 192.0.2.7:80"), "allow");
}

TEST(Conditions, AddressesHaveKinds) {
  EXPECT_EQ(parse_ip("127.0.0.1")->kind(), IpAddress::Kind::loopback);
  EXPECT_EQ(parse_ip("127.1.2.3")->kind(), IpAddress::Kind::other_loopback);
  EXPECT_EQ(parse_ip("0.0.0.0")->kind(), IpAddress::Kind::any);
  EXPECT_EQ(parse_ip("10.0.0.1")->kind(), IpAddress::Kind::other);
  EXPECT_EQ(parse_ip("::1")->kind(), IpAddress::Kind::loopback);
  EXPECT_EQ(parse_ip("::")->kind(), IpAddress::Kind::any);
  EXPECT_EQ(parse_ip("::ffff:127.0.0.1")->kind(), IpAddress::Kind::other);
  EXPECT_FALSE(parse_ip("localhost"));
}

}  // namespace
}  // namespace nd7::seatbelt::read::test
