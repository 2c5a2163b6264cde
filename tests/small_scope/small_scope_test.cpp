// Every policy of at most three rules over four nested paths, two verbs, allow and deny, and every
// one with a relaxation among the three: what the text says under all four readings of precedence
// is what the law says, at every boundary path. No build's proof takes part in this.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "compiler/check/check.hpp"
#include "compiler/seatbelt/lower/lower.hpp"
#include "compiler/seatbelt/lower/print.hpp"
#include "compiler/seatbelt/read/precedence.hpp"
#include "compiler/seatbelt/read/profile.hpp"
#include "tests/support/oracle.hpp"

namespace nd7::test {
namespace {

using namespace seatbelt::read;
using seatbelt::Op;

constexpr std::array<std::string_view, 4> kPaths{"/w", "/w/a", "/w/a/b", "/w/a/b/c"};
constexpr std::array<std::string_view, 2> kVerbs{"read", "write"};
constexpr std::array<std::string_view, 21> kSubjects{
    "/",  "/w",   "/w/a",  "/w/a/b",  "/w/a/b/c", "/w/a/b/c/z", "/w/a/b/z",
    "/z", "/wx",  "/w/ax", "/w/a/bx", "/w/a/z",   "/w/a/b/cx",  "/w/z",
    "/W", "/W/a", "/w/A",  "/w/a/B",  "/w/A/b/z", "/w/a/b/C",   "/W/A/B/C"};
constexpr std::array kOps{Op::file_read_data,      Op::file_read_metadata, Op::file_write_data,
                          Op::file_write_unlink,   Op::file_link,          Op::file_clone,
                          Op::file_test_existence, Op::file_map_executable};

/// One of the sixteen rules, or a relaxation of the first rule.
struct Rule {
  std::size_t path = 0;
  std::size_t verb = 0;
  enum class Kind : std::uint8_t { allow, deny, relax } kind = Kind::allow;
};

constexpr std::size_t kRules = 16;
Rule rule(std::size_t index) {
  return {index / 4, index / 2 % 2, index % 2 == 0 ? Rule::Kind::allow : Rule::Kind::deny};
}

std::string source(const std::vector<Rule>& rules) {
  std::string text = "nd7 = 1\nname = \"s\"\n";
  std::size_t number = 0;
  for (const Rule& one : rules) {
    const std::string id = "r" + std::to_string(number++);
    text += one.kind == Rule::Kind::allow  ? "[allow." + id + "]\n"
            : one.kind == Rule::Kind::deny ? "[deny." + id + "]\n"
                                           : "[relax.\"s/r0\"]\n";
    text += std::string{kVerbs[one.verb]} + " = \"" + std::string{kPaths[one.path]} + "\"\n";
  }
  return text;
}

class SmallScope : public testing::Test {
 protected:
  /// False after a failure.
  bool check_policy(const std::vector<Rule>& rules, const std::string& grant = {}) {
    const std::string text = source(rules);
    SourceMap sources;
    Diagnostics diagnostics;
    const FileId root = sources.add("s.toml", "/rules/s.toml", text);
    const auto composition = compose(sources, files_, root, diagnostics);
    CheckOptions options;
    options.bindings = {{"HOME", "/Users/dev"}, {"PROJ", "/Users/dev/p"}, {"TMP", "/private/t"}};
    auto policy = composition ? check(*composition, options, diagnostics) : std::nullopt;
    if (!policy) return fail(text, diagnostics, "does not compile");
    OracleOptions asked;
    laws::TermOptions options_of_terms;
    if (!grant.empty()) {
      asked.profile = options_of_terms.profile = laws::Profile::command;
      asked.grants = options_of_terms.grants = {grant};
    }
    const auto terms = laws::derive_terms(*policy, options_of_terms, diagnostics);
    const auto profile = seatbelt::lower(*policy, terms, asked.profile, sources, diagnostics);
    const std::string printed = seatbelt::print(*policy, profile, {}).text;
    const FileId file = sources.add("profile", {}, printed);
    const auto base = read_profile(sources, {&file, 1}, {}, diagnostics);
    if (!base || diagnostics.error_count() != 0) return fail(text, diagnostics, printed);
    ++policies_;
    for (const Op op : kOps) {
      std::array<std::vector<Step>, kModels.size()> consulted;
      for (std::size_t i = 0; i < kModels.size(); ++i) {
        consulted[i] = steps(*base, op, kModels[i]);
        // No import opens these paths: they are asked about as the user's own.
        std::erase_if(consulted[i],
                      [](const Step& step) { return step.kind == Step::Kind::import; });
      }
      for (const std::string_view subject : kSubjects) {
        Request request;
        request.op = op;
        request.subject = PathSubject{std::string{subject}};
        const auto meant = oracle(*policy, request, asked);
        for (const auto& each : consulted) {
          const Verdict verdict = decide(*base, request, each).verdict;
          ++decisions_;
          const bool same =
              meant && verdict == (*meant == answer::Level::deny ? Verdict::deny : Verdict::allow);
          if (!same) {
            return fail(text, diagnostics,
                        std::string{name(op)} + " " + std::string{subject} + " is meant " +
                            (meant ? std::string{to_string(*meant)} : "unknown") + "\n" + printed);
          }
        }
      }
    }
    return true;
  }

  static bool fail(const std::string& text, const Diagnostics& diagnostics,
                   const std::string& what) {
    std::string said;
    for (const Diagnostic& d : diagnostics.all()) said += d.message + "\n";
    ADD_FAILURE() << text << said << what;
    return false;
  }

  MemoryFiles files_;
  std::size_t policies_ = 0;
  std::size_t decisions_ = 0;
};

TEST_F(SmallScope, EveryPolicyOfThreeRules) {
  for (std::size_t a = 0; a < kRules; ++a) {
    ASSERT_TRUE(check_policy({rule(a)}));
    for (std::size_t b = a + 1; b < kRules; ++b) {
      ASSERT_TRUE(check_policy({rule(a), rule(b)}));
      for (std::size_t c = b + 1; c < kRules; ++c) {
        ASSERT_TRUE(check_policy({rule(a), rule(b), rule(c)}));
      }
    }
  }
  EXPECT_EQ(policies_, 16U + 120U + 560U);
}

TEST_F(SmallScope, EveryOrderOfTwoRules) {
  for (std::size_t a = 0; a < kRules; ++a) {
    for (std::size_t b = 0; b <= a; ++b) ASSERT_TRUE(check_policy({rule(a), rule(b)}));
  }
}

TEST_F(SmallScope, EveryPolicyOfTwoRulesWithAGrant) {
  for (const std::string_view grant : kPaths) {
    for (std::size_t a = 0; a < kRules; ++a) {
      for (std::size_t b = a + 1; b < kRules; ++b) {
        ASSERT_TRUE(check_policy({rule(a), rule(b)}, std::string{grant}));
      }
    }
  }
}

TEST_F(SmallScope, EveryPolicyWithARelaxation) {
  for (std::size_t deny = 1; deny < kRules; deny += 2) {
    for (std::size_t lifted = 0; lifted < kRules; lifted += 2) {
      Rule relax = rule(lifted);
      relax.kind = Rule::Kind::relax;
      ASSERT_TRUE(check_policy({rule(deny), relax}));
      for (std::size_t other = 0; other < kRules; ++other) {
        ASSERT_TRUE(check_policy({rule(deny), relax, rule(other)}));
      }
    }
  }
  EXPECT_EQ(policies_, 8U * 8U * 17U);
}

}  // namespace
}  // namespace nd7::test
