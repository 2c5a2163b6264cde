// Hostile profiles end with a coded error, in bounded time and memory.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>

#include "compiler/seatbelt/read/traps.hpp"
#include "tests/unit/seatbelt_read/support.hpp"

namespace nd7::seatbelt::read::test {
namespace {

std::string repeat(std::string_view text, std::size_t count) {
  std::string result;
  result.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

void expect_refused(std::string_view text, Code code, const ReadOptions& options = {}) {
  const Reading reading = read_fragment(text, options);
  EXPECT_FALSE(reading.rules);
  ASSERT_NE(reading.error(), nullptr) << text.substr(0, 80);
  EXPECT_EQ(info(reading.error()->code).name, info(code).name) << text.substr(0, 80) << '\n'
                                                               << reading.error()->message;
}

TEST(Limits, NestingOfTheText) {
  expect_refused(repeat("(", 100'000), Code::ND6003);
  expect_refused(repeat("'", 100'000) + "a", Code::ND6003);
  expect_refused(repeat("(a ", 100'000) + repeat(")", 100'000), Code::ND6003);
}

TEST(Limits, SizeOfTheText) {
  ReadOptions options;
  options.limits.bytes = 10;
  expect_refused("(allow file-read*)", Code::ND6004, options);
  options = {};
  options.limits.datums = 1000;
  expect_refused("'(" + repeat("a ", 2000) + ")", Code::ND6004, options);
}

TEST(Limits, AMillionDatumsAreFine) {
  const Reading reading = read_fragment("(define l '(" + repeat("a ", 1'000'000) + "))");
  EXPECT_TRUE(reading.rules) << reading.log();
}

TEST(Limits, EndlessLoops) {
  ReadOptions options;
  options.limits.steps = 100'000;
  expect_refused("(let loop ((i 0)) (loop i))", Code::ND6016, options);
  expect_refused("(define (f) (f))(f)", Code::ND6016, options);
  expect_refused("(macro (m form) form)(m)", Code::ND6016, options);
  expect_refused("(define (f) (begin (map (lambda (x) x) '(1 2 3)) (f)))(f)", Code::ND6016,
                 options);
  expect_refused("(let loop ((i 0)) (getenv \"A\") (loop i))", Code::ND6016, options);
}

TEST(Limits, DepthOfCalls) {
  expect_refused("(define (f n) (+ 1 (f n)))(f 0)", Code::ND6017);
  expect_refused("(define (f n) (map f (list n)))(f 0)", Code::ND6017);
  expect_refused("(let loop ((f (literal \"/a\"))) (loop (require-not f)))", Code::ND6017);
  expect_refused("(define (f x) (with-filter (literal \"/a\") (f x)))(f 0)", Code::ND6017);
}

TEST(Limits, Memory) {
  ReadOptions options;
  options.limits.cells = 200'000;
  options.limits.text_bytes = 1'000'000;
  for (const char* text : {
           "(let loop ((s \"aaaaaaaaaaaaaaaa\")) (loop (string-append s s)))",
           "(let loop ((l '(1))) (loop (append l l)))",
           "(let loop ((l '(1))) (loop (cons l l)))",
           "(let loop ((f (literal \"/a\"))) (loop (require-any f f)))",
           "(let loop ((l '(1 2 3 4))) (apply list (append l l)) (loop (append l l)))",
           "(let loop () (allow file-read* file-write*) (loop))",
           "(let loop () (trace \"x\") (loop))",
           "(define (f) (lambda () (f))) (let loop () (f) (loop))",
       }) {
    expect_refused(text, Code::ND6018, options);
  }
}

TEST(Limits, LookingAtLongTextsCostsSteps) {
  const std::string text =
      "(define (double s n) (if (= n 0) s (double (string-append s s) (- n 1))))"
      "(define long (double \"aaaaaaaa\" 20))";
  for (const char* look : {"(string-length long)", "(string=? long long)", "(substring long 0 1)",
                           "(string->number long)", "(regex-quote \"a\") (string<? long \"b\")"}) {
    expect_refused(fmt::format("{}(let loop () {} (loop))", text, look), Code::ND6016);
  }
}

TEST(Limits, TextsOfFiltersCountAsMemory) {
  ReadOptions options;
  options.limits.text_bytes = 1'000'000;
  expect_refused(
      fmt::format("(define p \"/{}\")(let loop () (literal p) (loop))", std::string(10'000, 'a')),
      Code::ND6018, options);
}

TEST(Limits, LongScopesCostSteps) {
  ReadOptions options;
  options.limits.steps = 200'000;
  std::string text = "(let ()";
  for (int i = 0; i < 20'000; ++i) text += fmt::format("(define a{} {})", i, i);
  expect_refused(text + ")", Code::ND6016, options);
}

TEST(Limits, SharedFiltersStaySmall) {
  // As trees, the filters of the rules together are larger than the work that is let through.
  std::string text = "(define f (literal \"/a\"))";
  for (int i = 0; i < 16; ++i) text += "(set! f (require-any f f))";
  ReadOptions options;
  options.limits.steps = 1'000'000;
  expect_refused(text + repeat("(allow file-read* f)", 100), Code::ND6016, options);
}

TEST(Limits, DecisionsAndTrapsOfLargeProfilesAreFast) {
  std::string text = "(version 1)(deny default)";
  for (int i = 0; i < 10'000; ++i) {
    text += fmt::format(
        "(allow file-read* file-write-data (subpath \"/w/{}\"))"
        "(deny file-write* (subpath \"/w/{}/x\"))",
        i, i);
  }
  const auto start = std::chrono::steady_clock::now();
  const Reading reading = read_text(text);
  ASSERT_TRUE(reading.rules) << reading.log();
  Diagnostics traps;
  find_traps(*reading.rules, traps);
  EXPECT_TRUE(traps.has(Code::ND6101));
  const Request request{Op::file_write_data, PathSubject{"/w/77/x/f"}, {}, {}, {}};
  EXPECT_EQ(decide(*reading.rules, request).verdict, Verdict::allow);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

}  // namespace
}  // namespace nd7::seatbelt::read::test
