// Text of users stays inside its string literal or comment: a profile with hostile text has exactly
// the rules of one with harmless text, and holds the text as it was given.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "compiler/source/bidi.hpp"
#include "tests/support/compile.hpp"
#include "tests/support/judge.hpp"
#include "tests/support/policy_generator.hpp"

namespace nd7::test {
namespace {

using namespace seatbelt::read;

/// The rules without the texts in them.
std::string skeleton(const RuleBase& base) {
  std::string result;
  for (const Rule& rule : base.rules) {
    result += rule.action == Action::allow ? "allow" : "deny";
    for (const seatbelt::Op op : rule.ops) result += fmt::format(" {}", name(op));
    result += rule.leaves_sandbox() ? " no-sandbox" : "";
    if (rule.filter) {
      const FilterNode& root = base.filters[*rule.filter];
      result += fmt::format(" [{} {}]", root.tree_size, root.depth);
      for (const auto id : base.atoms_of(*rule.filter)) {
        result += fmt::format(" {}", name(base.atoms[id].filter));
      }
    }
    result += '\n';
  }
  return result;
}

bool holds_text(const RuleBase& base, seatbelt::Filter filter, std::string_view text) {
  return std::any_of(base.atoms.begin(), base.atoms.end(),
                     [&](const Atom& atom) { return atom.filter == filter && atom.text == text; });
}

/// Names end where a variable begins, and the ends of paths have a meaning.
std::string harmless_in_names(std::string text) {
  std::erase(text, '/');
  for (std::size_t at = 0; (at = text.find("${", at)) != std::string::npos;) text.erase(at, 1);
  return text;
}

/// A `*` in the name of a service is a pattern.
std::string without_stars(std::string text) {
  std::erase(text, '*');
  return harmless_in_names(text);
}

/// A file in which `component` stands in every place that takes any text.
std::string source_with(const std::string& component, Style style) {
  PolicyModel policy;
  const auto path = [&](PathValue::Form form) {
    return PathValue{form, Place::project, {"q" + component}};
  };
  RuleModel allow;
  allow.id = "a";
  allow.why = component;
  allow.verbs = {
      {seatbelt::Verb::write, {path(PathValue::Form::plain), path(PathValue::Form::literal)}},
      {seatbelt::Verb::mach, {NameValue{"", "n" + without_stars(component), false}}}};
  RuleModel deny;
  deny.effect = RuleModel::Effect::deny;
  deny.id = "d";
  deny.verbs = {
      {seatbelt::Verb::read, {PathValue{PathValue::Form::plain, Place::root, {"q" + component}}}}};
  RuleModel full;
  full.id = "f";
  full.ops = {seatbelt::Op::file_ioctl};
  full.where.kind = Expression::Kind::test;
  full.where.values = {PathValue{PathValue::Form::prefix, Place::root, {"opt", "q" + component}}};
  policy.rules = {allow, deny, full};
  return to_source(policy, style);
}

TEST(Injection, TextOfRulesStaysInItsLiterals) {
  const auto plain = compile_text(source_with("z", {}), bound_options());
  ASSERT_TRUE(plain.result) << plain.log();
  const Judge expected{plain.result->printed.text};
  ASSERT_TRUE(expected.good()) << expected.log();
  const bool holds = rc::check("any text as a path, name or reason", [&] {
    const std::string component = harmless_in_names(*gen::hostile_text()) + "z";
    const Style style{*rc::gen::inRange<std::uint32_t>(0, 1000)};
    const std::string source = source_with(component, style);
    RC_LOG() << source;
    const auto compilation = compile_text(source, bound_options());
    if (!compilation.result) RC_FAIL(compilation.log());
    const Judge judged{compilation.result->printed.text};
    if (!judged.good()) RC_FAIL(judged.log() + judged.text());
    RC_ASSERT(skeleton(judged.rules()) == skeleton(expected.rules()));
    RC_ASSERT(holds_text(judged.rules(), seatbelt::Filter::subpath,
                         std::string{kProjectPath} + "/q" + component));
    RC_ASSERT(holds_text(judged.rules(), seatbelt::Filter::subpath, "/q" + component));
    RC_ASSERT(holds_text(judged.rules(), seatbelt::Filter::prefix, "/opt/q" + component));
  });
  EXPECT_TRUE(holds);
}

TEST(Injection, BoundValuesStayInTheirLiterals) {
  const auto compiled_with = [](const std::string& end) {
    CompileOptions options = bound_options(laws::Profile::command);
    options.check.bindings["PROJ"] = "/Users/dev/q" + end;
    options.check.bindings["p.dir"] = "/opt/q" + end;
    options.check.exit = "/usr/q" + end;
    options.grants = {"/Users/dev/g" + end};
    options.protect = {"/Users/dev/r" + end};
    PolicyModel policy;
    RuleModel rule;
    rule.id = "a";
    rule.verbs = {{seatbelt::Verb::write,
                   {PathValue{PathValue::Form::plain, Place::directory, {"a"}},
                    PathValue{PathValue::Form::plain, Place::project, {}},
                    PathValue{PathValue::Form::glob, Place::project, {"*", "q"}}}}};
    policy.rules = {rule};
    return compile_text(to_source(policy), options);
  };
  const auto plain = compiled_with("z");
  ASSERT_TRUE(plain.result) << plain.log();
  const Judge expected{plain.result->printed.text};
  ASSERT_TRUE(expected.good()) << expected.log();
  const bool holds = rc::check("any bytes as the value of a parameter or option", [&] {
    std::string end = *gen::hostile_bytes() + "z";
    std::erase(end, '/');
    const auto compilation = compiled_with(end);
    if (!value_problem(end).empty()) {
      RC_ASSERT(!compilation.result);
      return;
    }
    if (!compilation.result) RC_FAIL(compilation.log());
    const Judge judged{compilation.result->printed.text};
    if (!judged.good()) RC_FAIL(judged.log() + judged.text());
    RC_ASSERT(skeleton(judged.rules()) == skeleton(expected.rules()));
    RC_ASSERT(holds_text(judged.rules(), seatbelt::Filter::subpath, "/Users/dev/q" + end));
    RC_ASSERT(holds_text(judged.rules(), seatbelt::Filter::subpath, "/opt/q" + end + "/a"));
    RC_ASSERT(holds_text(judged.rules(), seatbelt::Filter::subpath, "/Users/dev/g" + end));
    RC_ASSERT(holds_text(judged.rules(), seatbelt::Filter::literal, "/Users/dev/r" + end));
  });
  EXPECT_TRUE(holds);
}

TEST(Injection, NamesOfFilesStayInTheirComments) {
  const bool holds = rc::check("any bytes as the name of a file", [&] {
    const std::string name = *gen::hostile_bytes() + *rc::gen::element<std::string>(
                                                         "", "\n(allow default)\n", "\r\n", "\x7f");
    PolicyModel policy;
    RuleModel rule;
    rule.id = "a";
    rule.verbs = {
        {seatbelt::Verb::write, {PathValue{PathValue::Form::plain, Place::project, {"a"}}}}};
    policy.rules = {rule};
    Compilation compilation;
    const FileId root = compilation.sources.add(name, "/rules/" + name, to_source(policy));
    const auto result =
        compile(compilation.sources, MemoryFiles{}, root, {}, compilation.diagnostics);
    if (!result) RC_FAIL(compilation.log());
    const Compilation plain = compile_text(to_source(policy));
    RC_ASSERT(plain.result.has_value());
    RC_ASSERT(operative_lines(result->printed.text) == operative_lines(plain.result->printed.text));
    RC_ASSERT(
        std::count(result->printed.text.begin(), result->printed.text.end(), '\n') ==
        std::count(plain.result->printed.text.begin(), plain.result->printed.text.end(), '\n'));
  });
  EXPECT_TRUE(holds);
}

}  // namespace
}  // namespace nd7::test
