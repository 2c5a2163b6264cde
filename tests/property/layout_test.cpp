// The output depends on what a file says, not on how it is laid out, and is the same every time.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "compiler/seatbelt/lower/print.hpp"
#include "tests/support/compile.hpp"
#include "tests/support/judge.hpp"
#include "tests/support/policy_generator.hpp"

namespace nd7::test {
namespace {

Compilation compiled(std::string_view source) {
  CompileOptions options;
  options.size_budget = SIZE_MAX;
  Compilation result = compile_text(source, options);
  if (!result.result) RC_FAIL("does not compile:\n" + std::string{source} + result.log());
  return result;
}

RC_GTEST_PROP(Layout, OfTheSourceChangesCommentsOnly, (const PolicyModel& policy)) {
  const Style style{*rc::gen::inRange<std::uint32_t>(1, 1U << 30U)};
  const std::string other = to_source(policy, style);
  RC_LOG() << other;
  const auto before = compiled(to_source(policy));
  const auto after = compiled(other);
  RC_ASSERT(operative_lines(before.result->printed.text) ==
            operative_lines(after.result->printed.text));
  RC_ASSERT(before.result->printed.operative_bytes == after.result->printed.operative_bytes);
}

RC_GTEST_PROP(Layout, OfTheOutputIsStable, (const PolicyModel& policy)) {
  const auto once = compiled(to_source(policy));
  const auto again = compiled(to_source(policy));
  const std::string& text = once.result->printed.text;
  RC_ASSERT(text == again.result->printed.text);
  const auto reprinted = seatbelt::print(once.result->policy, once.result->profile, {});
  RC_ASSERT(text == reprinted.text);
  RC_ASSERT(once.result->bugs.empty());
  const Judge judged{text};
  if (!judged.good()) RC_FAIL(judged.log() + text);
  // Every printed rule is one rule of the profile; of an `(if …)`, those whose condition holds.
  std::size_t written = 0;
  for (const auto& rule : judged.rules().rules) {
    written += rule.kind == seatbelt::read::Rule::Kind::written ? 1 : 0;
  }
  const std::size_t fixed = 1;  // (deny default)
  std::size_t printed = fixed;
  for (const auto& rule : once.result->profile.rules) printed += rule.if_unset.empty() ? 1 : 0;
  RC_ASSERT(written == printed);
}

}  // namespace
}  // namespace nd7::test
