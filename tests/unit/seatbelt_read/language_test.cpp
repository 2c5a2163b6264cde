// The lexical grammar and the Scheme subset: what a program comes to.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tao/pegtl/contrib/analyze.hpp>

#include "compiler/seatbelt/read/literal.hpp"
#include "grammar/sbpl.hpp"
#include "tests/unit/seatbelt_read/support.hpp"

namespace nd7::seatbelt::read::test {
namespace {

/// The texts of all atoms that the rules of a fragment come to, in order, joined by blanks.
std::string made(std::string_view text, ReadOptions options = {}) {
  const Reading reading = read_fragment(text, std::move(options));
  if (!reading.rules) return reading.log();
  std::string result;
  for (const Rule& rule : reading.rules->rules) {
    if (!rule.filter) result += result.empty() ? "*" : " *";
    if (!rule.filter) continue;
    for (const AtomId id : reading.rules->atoms_of(*rule.filter)) {
      const Atom& atom = reading.rules->atoms[id];
      if (!result.empty()) result += ' ';
      result += atom.kind == Atom::Kind::number ? fmt::format("{}", atom.number) : atom.text;
    }
  }
  return result;
}

std::string literal(std::string_view expression) {
  return made(fmt::format("(allow file-read* (literal {}))", expression));
}

TEST(Lexer, GrammarMakesProgress) {
  EXPECT_EQ(tao::pegtl::analyze<grammar::sbpl::profile>(-1), 0U);
}

TEST(Lexer, StringsKnowTheirEscapes) {
  EXPECT_EQ(literal(R"("a\\b\"c")"), "a\\b\"c");
  EXPECT_EQ(literal(R"("\n\t\r")"), "\n\t\r");
  EXPECT_EQ(literal(R"("\x41\101\0501")"), "AA(1");
  EXPECT_EQ(literal(R"("\.")"), ".");
  EXPECT_EQ(literal("\"a\n;(b\""), "a\n;(b");
  EXPECT_EQ(literal(R"(#"a\.b\")"), "a\\.b\\");
  EXPECT_TRUE(read_fragment(R"((allow file-read* (literal "\.")))").diagnostics.has(Code::ND6122));
}

TEST(Lexer, NumbersAndCharacters) {
  const auto number = [](std::string_view word) {
    return made(fmt::format("(allow file-read* (file-mode {}))", word));
  };
  EXPECT_EQ(number("#o0004"), "4");
  EXPECT_EQ(number("#xFF"), "255");
  EXPECT_EQ(number("#b101"), "5");
  EXPECT_EQ(number("#d12"), "12");
  EXPECT_EQ(number("+7"), "7");
  EXPECT_EQ(number("#\\a"), "97");
  EXPECT_EQ(number("#\\space"), "32");
}

TEST(Lexer, CommentsAndQuotes) {
  EXPECT_EQ(made("; (deny\n#! (deny\n(allow file-read* ; x\n(literal \"a\"))"), "a");
  EXPECT_EQ(made("#| (deny |# (allow file-read* (literal \"a\"))"), "a");
  EXPECT_EQ(made("(allow file-read* (literal (car '(\"a\" . \"b\"))))"), "a");
  EXPECT_EQ(made("(allow file-read* (literal (cdr '(\"a\" . \"b\"))))"), "b");
  EXPECT_EQ(made("(define x \"a\")(allow file-read* (apply literal `(,x ,@(list \"b\" x) \"c\")))"),
            "a b a c");
}

TEST(Language, Conditions) {
  EXPECT_EQ(literal("(if #t \"a\" \"b\")"), "a");
  EXPECT_EQ(literal("(if \"\" \"a\" \"b\")"), "a");
  EXPECT_EQ(literal("(cond (#f \"a\") ((= 1 1) \"b\") (else \"c\"))"), "b");
  EXPECT_EQ(literal("(cond (#f \"a\") (else \"c\"))"), "c");
  EXPECT_EQ(literal("(cond (#f) (\"d\"))"), "d");
  EXPECT_EQ(literal("(case 3 ((1 2) \"a\") ((3) \"b\") (else \"c\"))"), "b");
  EXPECT_EQ(literal("(case 'x ((y) \"a\") (else \"c\"))"), "c");
  EXPECT_EQ(literal("(and 1 \"a\")"), "a");
  EXPECT_EQ(literal("(or #f \"a\" (error \"not evaluated\"))"), "a");
  EXPECT_EQ(literal("(if (not #f) \"a\" \"b\")"), "a");
  EXPECT_EQ(made("(when #f (allow file-read*))(unless #f (allow file-read* (literal \"a\")))"),
            "a");
}

TEST(Language, Bindings) {
  EXPECT_EQ(literal("(let ((a \"x\") (b \"y\")) (string-append a b))"), "xy");
  EXPECT_EQ(literal("(let* ((a \"x\") (b (string-append a \"y\"))) b)"), "xy");
  EXPECT_EQ(literal("(letrec ((f (lambda (n) (if (= n 0) \"z\" (f (- n 1)))))) (f 5))"), "z");
  EXPECT_EQ(made("(let loop ((i 0)) (if (< i 3) (begin (allow file-read* (literal "
                 "(number->string i))) (loop (+ i 1)))))"),
            "0 1 2");
  EXPECT_EQ(made("(define (f a . rest) (apply subpath rest))(allow file-read* (f 1 \"a\" \"b\"))"),
            "a b");
  EXPECT_EQ(made("(define f (lambda all (car all)))(allow file-read* (literal (f \"a\" \"b\")))"),
            "a");
  EXPECT_EQ(
      made("(define x \"a\")(define (get) x)(set! x \"b\")(allow file-read* (literal (get)))"),
      "b");
  EXPECT_EQ(made("(define x \"a\")(let ((x \"b\")) (set! x \"c\"))(allow file-read* (literal x))"),
            "a");
}

TEST(Language, ListsAndTexts) {
  EXPECT_EQ(made("(for-each (lambda (p) (allow file-read* (subpath p))) '(\"a\" \"b\"))"), "a b");
  EXPECT_EQ(made("(allow file-read* (apply subpath (map string-append '(\"a\" \"b\") '(\"c\" "
                 "\"d\"))))"),
            "ac bd");
  EXPECT_EQ(literal("(cadr (append '(\"a\") '(\"b\") '(\"c\")))"), "b");
  EXPECT_EQ(literal("(car (reverse (list \"a\" \"b\")))"), "b");
  EXPECT_EQ(literal("(substring \"abcd\" 1 3)"), "bc");
  EXPECT_EQ(literal("(number->string (* 2 (+ 1 (string->number \"20\")) (quotient 7 2)))"), "126");
  EXPECT_EQ(literal("(if (equal? '(1 (\"a\")) '(1 (\"a\"))) \"y\" \"n\")"), "y");
  EXPECT_EQ(literal("(cdr (assoc \"b\" '((\"a\" . \"1\") (\"b\" . \"2\"))))"), "2");
  EXPECT_EQ(literal("(regex-quote \"a.b*[c]\")"), "a\\.b\\*\\[c]");
  EXPECT_EQ(literal("(if (null? '()) \"y\" \"n\")"), "y");
}

TEST(Language, ParametersAndEnvironment) {
  ReadOptions options;
  options.parameters = {{"A", Parameter::Kind::bound, "/a"}, {"B", Parameter::Kind::unset, ""}};
  EXPECT_EQ(made("(allow file-read* (subpath (param \"A\")))", options), "/a");
  EXPECT_EQ(
      made("(if (param \"B\") (allow file-read*))(if (param \"C\") (allow file-read*))", options),
      "");
  const Reading reading = read_fragment("(if (getenv \"HOME\") (allow file-read*))");
  ASSERT_TRUE(reading.rules);
  EXPECT_TRUE(reading.rules->rules.empty());
  EXPECT_TRUE(reading.diagnostics.has(Code::ND6120));
}

TEST(Language, DefinedAnswersByRelease) {
  const char* const text = "(when (defined? 'mach-bootstrap) (allow mach-bootstrap))";
  ReadOptions options;
  options.release = Release::macos13;
  EXPECT_EQ(made(text, options), "");
  options.release = Release::macos14;
  EXPECT_EQ(made(text, options), "*");
  EXPECT_EQ(made(text), "*");
  EXPECT_EQ(made("(if (defined? 'no-such-thing) (allow file-read*))"), "");
  EXPECT_EQ(made("(define mine 1)(if (defined? 'mine) (allow file-read*))"), "*");
}

TEST(Language, ScopesAddToTheRulesInside) {
  const Reading reading = read_fragment(
      "(with-filter (extension \"e\") (allow file-read* (literal \"/a\") (literal \"/b\"))"
      "  (with-modifier (with no-log) (deny file-write*)))"
      "(with-operations (list file-read* 'file-write*) (allow (subpath \"/c\")))"
      "(allow file-read-data)");
  ASSERT_TRUE(reading.rules) << reading.log();
  const RuleBase& base = *reading.rules;
  ASSERT_EQ(base.rules.size(), 4U);
  EXPECT_EQ(base.filters[*base.rules[0].filter].kind, FilterNode::Kind::all);
  EXPECT_EQ(base.atoms_of(*base.rules[0].filter).size(), 3U);
  EXPECT_EQ(base.atoms_of(*base.rules[1].filter).size(), 1U);
  ASSERT_EQ(base.rules[1].modifiers.size(), 1U);
  EXPECT_EQ(base.rules[1].modifiers[0].kind, ModifierKind::no_report);
  EXPECT_EQ(base.rules[2].ops, (std::vector<Op>{Op::file_read_all, Op::file_write_all}));
  EXPECT_FALSE(base.rules[3].filter);
}

// A profile may bring its own with-filter, as a macro that wraps allow and deny.
TEST(Language, MacrosRewriteForms) {
  const Reading reading = read_fragment(R"(
    (macro (under form)
      (let* ((extra (cadr form)) (rules (cddr form)))
        `(let ((plain allow)
               (split (lambda (args keep?)
                        (letrec ((walk (lambda (rest)
                                         (cond ((null? rest) '())
                                               ((keep? (car rest))
                                                (cons (car rest) (walk (cdr rest))))
                                               (else (walk (cdr rest)))))))
                          (walk args)))))
           (set! allow
             (lambda args
               (let ((filters (split args sbpl-filter?))
                     (others (split args (lambda (x) (not (sbpl-filter? x))))))
                 (apply plain
                   (cons (if (null? filters) ,extra
                             (require-all (apply require-any filters) ,extra))
                         others)))))
           ,@rules
           (set! allow plain))))
    (under (extension "e") (allow file-read* (subpath "/a")) (allow file-write*))
    (allow file-ioctl))");
  ASSERT_TRUE(reading.rules) << reading.log();
  const RuleBase& base = *reading.rules;
  ASSERT_EQ(base.rules.size(), 3U);
  EXPECT_EQ(base.filters[*base.rules[0].filter].kind, FilterNode::Kind::all);
  EXPECT_EQ(base.atoms[base.atoms_of(*base.rules[1].filter)[0]].filter, Filter::extension);
  EXPECT_FALSE(base.rules[2].filter);
}

TEST(Rules, KeepOrderPlaceAndParts) {
  const Reading reading = read_text(
      "(version 1)\n(version 1)\n(debug all)\n(trace \"/x\")\n"
      "(deny (with message \"m\") file-read* file-read* (literal \"/a\") (with no-report))\n"
      "(allow process-exec (literal \"/b\") (with no-sandbox))");
  ASSERT_TRUE(reading.rules) << reading.log();
  const RuleBase& base = *reading.rules;
  ASSERT_EQ(base.rules.size(), 2U);
  EXPECT_EQ(base.traces.size(), 1U);
  EXPECT_EQ(base.rules[0].action, Action::deny);
  EXPECT_EQ(base.rules[0].ops.size(), 1U);
  EXPECT_EQ(base.rules[0].modifiers.size(), 2U);
  EXPECT_EQ(base.rules[0].modifiers[0].argument, "m");
  EXPECT_EQ(reading.sources.text(base.rules[1].span),
            "(allow process-exec (literal \"/b\") (with no-sandbox))");
  EXPECT_EQ(reading.sources.text(base.atoms[0].span), "\"/a\"");
  EXPECT_TRUE(base.rules[1].leaves_sandbox());
  EXPECT_EQ(base.rules[1].ops[0], Op::process_exec_all);
}

TEST(Rules, NamesOfReleasesAreResolved) {
  ReadOptions options;
  options.release = Release::macos14;
  const Reading reading = read_fragment("(allow iokit-open)(allow mach-per-user-lookup)", options);
  ASSERT_TRUE(reading.rules) << reading.log();
  ASSERT_EQ(reading.rules->rules.size(), 1U);
  EXPECT_EQ(reading.rules->rules[0].ops[0], Op::iokit_open_all);
  EXPECT_TRUE(reading.diagnostics.has(Code::ND6123));
}

TEST(Rules, ImportsAreKept) {
  const Reading reading =
      read_text("(version 1)(import \"/System/Library/Sandbox/Profiles/bsd.sb\")(system-network)");
  ASSERT_TRUE(reading.rules) << reading.log();
  ASSERT_EQ(reading.rules->imports.size(), 2U);
  EXPECT_EQ(reading.rules->imports[0].name, "bsd.sb");
  EXPECT_EQ(reading.rules->imports[0].kind, Import::Kind::apple);
  EXPECT_EQ(reading.rules->rules[1].kind, Rule::Kind::axiom);
  EXPECT_EQ(reading.rules->import_rules, (std::vector<RuleId>{0, 2}));
}

TEST(Rules, EntitlementsNest) {
  const Reading reading = read_fragment(
      "(allow file-read* (require-entitlement \"e\" (require-any (entitlement-value \"a\") "
      "(entitlement-value #t))))");
  ASSERT_TRUE(reading.rules) << reading.log();
  EXPECT_EQ(reading.rules->atoms_of(*reading.rules->rules[0].filter).size(), 3U);
}

}  // namespace
}  // namespace nd7::seatbelt::read::test
