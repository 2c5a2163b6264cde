// The decision engine: decisions per second beside a plain scan, building, unions, witnesses.
#include <benchmark/benchmark.h>
#include <regex.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "compiler/decide/bdd.hpp"
#include "compiler/decide/classifier.hpp"
#include "compiler/decide/search.hpp"
#include "compiler/pattern/regex.hpp"

namespace {

using nd7::decide::Automaton;
using nd7::decide::Bdd;
using nd7::decide::Classifier;
using nd7::decide::Decider;
using nd7::decide::Formula;
using nd7::decide::Language;
using nd7::decide::RegexPattern;
using nd7::decide::TextPattern;

struct Rule {
  bool is_regex = false;
  TextPattern text;
  std::string regex;
};

/// Of a hundred rules, `regexes` are expressions: half of them names anywhere, half anchored.
std::vector<Rule> make_rules(std::size_t count, std::size_t regexes) {
  std::mt19937 random(7);
  const auto number = [&](unsigned bound) { return std::to_string(random() % bound); };
  std::vector<Rule> rules;
  for (std::size_t i = 0; i < count; ++i) {
    Rule rule;
    rule.is_regex = regexes != 0 && i % (100 / regexes) == 0;
    if (rule.is_regex && i % (200 / regexes) == 0) {
      rule.regex = "(^|/)\\.secret" + number(100'000) + "(/|$)";
    } else if (rule.is_regex) {
      rule.regex = "^/Users/[^/]+/proj" + number(100'000) + "/.*\\.log$";
    } else {
      constexpr TextPattern::Kind kKinds[] = {
          TextPattern::Kind::subpath, TextPattern::Kind::subpath, TextPattern::Kind::literal,
          TextPattern::Kind::prefix};
      rule.text = {kKinds[random() % 4],
                   "/Users/user" + number(20) + "/proj" + number(1000) + "/dir" + number(50)};
    }
    rules.push_back(rule);
  }
  return rules;
}

/// Subjects of the usual lengths; about half match a rule.
std::vector<std::string> make_subjects(const std::vector<Rule>& rules) {
  std::mt19937 random(11);
  std::vector<std::string> subjects;
  for (int i = 0; i < 4096; ++i) {
    const Rule& rule = rules[random() % rules.size()];
    std::string path = rule.is_regex ? "/Users/user3/proj77/src" : rule.text.text;
    if (random() % 2 == 0) path.back() = static_cast<char>('0' + random() % 10);
    if (random() % 8 == 0) path += "/.secret" + std::to_string(random() % 1000);
    path += "/src/main" + std::to_string(random() % 100) + (random() % 4 == 0 ? ".log" : ".cpp");
    subjects.push_back(path);
  }
  return subjects;
}

std::vector<Classifier::Pattern> patterns_of(const std::vector<Rule>& rules) {
  std::vector<Classifier::Pattern> patterns;
  for (const Rule& rule : rules) {
    if (!rule.is_regex) {
      patterns.emplace_back(rule.text);
      continue;
    }
    auto parsed = nd7::pattern::parse_regex(rule.regex, nd7::pattern::RegexMode::tolerant);
    if (!parsed.regex) std::abort();
    patterns.emplace_back(RegexPattern{*std::move(parsed.regex), {}});
  }
  return patterns;
}

std::uint8_t first_decides(std::span<const std::uint32_t> matching) {
  return matching.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(1 + matching.front() % 2);
}

void report(benchmark::State& state, const Classifier& classifier) {
  const auto statistics = classifier.statistics();
  state.counters["nodes"] = static_cast<double>(statistics.text_nodes);
  state.counters["dfas"] = static_cast<double>(statistics.automata);
  state.counters["states"] = static_cast<double>(statistics.automaton_states);
  state.counters["simulated"] = static_cast<double>(statistics.simulated_patterns);
  state.counters["KiB"] = static_cast<double>(statistics.memory) / 1024;
}

void decide(benchmark::State& state) {
  const auto rules = make_rules(static_cast<std::size_t>(state.range(0)),
                                static_cast<std::size_t>(state.range(1)));
  const auto subjects = make_subjects(rules);
  const auto classifier = Classifier::compile(patterns_of(rules));
  Decider decider(*classifier, first_decides);
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(decider.decide(subjects[i]));
    i = (i + 1) % subjects.size();
  }
  state.SetItemsProcessed(state.iterations());
  report(state, *classifier);
}
BENCHMARK(decide)->ArgsProduct({{10, 100, 1000, 10'000}, {0, 10}})->ArgNames({"rules", "regex%"});

/// The plain way: each rule in turn, texts compared, expressions by regexec(3); the first decides.
void decide_by_scan(benchmark::State& state) {
  const auto rules = make_rules(static_cast<std::size_t>(state.range(0)),
                                static_cast<std::size_t>(state.range(1)));
  const auto subjects = make_subjects(rules);
  std::vector<regex_t> compiled(rules.size());
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].is_regex &&
        regcomp(&compiled[i], rules[i].regex.c_str(), REG_EXTENDED | REG_NOSUB) != 0) {
      std::abort();
    }
  }
  const auto matches = [&](std::size_t rule, const std::string& path) {
    if (rules[rule].is_regex) return regexec(&compiled[rule], path.c_str(), 0, nullptr, 0) == 0;
    const std::string& text = rules[rule].text.text;
    if (path.compare(0, text.size(), text) != 0) return false;
    if (rules[rule].text.kind == TextPattern::Kind::prefix || path.size() == text.size())
      return true;
    return rules[rule].text.kind == TextPattern::Kind::subpath && path[text.size()] == '/';
  };
  std::size_t i = 0;
  for (auto _ : state) {
    std::size_t rule = 0;
    while (rule < rules.size() && !matches(rule, subjects[i])) ++rule;
    benchmark::DoNotOptimize(rule);
    i = (i + 1) % subjects.size();
  }
  state.SetItemsProcessed(state.iterations());
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    if (rules[rule].is_regex) regfree(&compiled[rule]);
  }
}
BENCHMARK(decide_by_scan)
    ->ArgsProduct({{10, 100, 1000, 10'000}, {0, 10}})
    ->ArgNames({"rules", "regex%"});

void compile_classifier(benchmark::State& state) {
  const auto rules = make_rules(static_cast<std::size_t>(state.range(0)),
                                static_cast<std::size_t>(state.range(1)));
  const auto patterns = patterns_of(rules);
  std::optional<Classifier> classifier;
  for (auto _ : state) classifier = Classifier::compile(patterns);
  report(state, *classifier);
}
BENCHMARK(compile_classifier)
    ->ArgsProduct({{10, 100, 1000, 10'000}, {0, 10}})
    ->ArgNames({"rules", "regex%"})
    ->Unit(benchmark::kMillisecond);

std::vector<TextPattern> subpaths(std::int64_t count) {
  std::vector<TextPattern> texts;
  for (const Rule& rule : make_rules(static_cast<std::size_t>(count), 0)) {
    texts.push_back({TextPattern::Kind::subpath, rule.text.text});
  }
  return texts;
}

void union_of_subpaths_as_trie(benchmark::State& state) {
  const auto texts = subpaths(state.range(0));
  std::size_t states = 0;
  for (auto _ : state) states = Automaton::from_texts(texts).states();
  state.counters["states"] = static_cast<double>(states);
}
BENCHMARK(union_of_subpaths_as_trie)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10'000)
    ->Unit(benchmark::kMillisecond);

void union_of_subpaths_by_products(benchmark::State& state) {
  const auto texts = subpaths(state.range(0));
  std::size_t states = 0;
  for (auto _ : state) {
    std::vector<Automaton> parts;
    for (const TextPattern& text : texts) parts.push_back(Automaton::subpath(text.text));
    states = unite_all(parts)->states();
  }
  state.counters["states"] = static_cast<double>(states);
}
BENCHMARK(union_of_subpaths_by_products)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

/// A request that one half of the rules takes and the other does not, well formed.
void witness_of_difference(benchmark::State& state) {
  const auto texts = subpaths(state.range(0));
  const std::span<const TextPattern> all(texts);
  const std::vector<Language> languages{Automaton::from_texts(all.first(all.size() / 2)),
                                        Automaton::from_texts(all.subspan(all.size() / 2)),
                                        Automaton::well_formed_paths()};
  Formula formula;
  const auto first = formula.leaf(0);
  const auto second = formula.leaf(1);
  const auto path = formula.leaf(2);
  formula.all_of({first, formula.negate(second), path});
  for (auto _ : state) benchmark::DoNotOptimize(find_witness(languages, formula));
}
BENCHMARK(witness_of_difference)->Arg(100)->Arg(1000)->Arg(10'000)->Unit(benchmark::kMillisecond);

void proof_of_inclusion(benchmark::State& state) {
  const auto texts = subpaths(state.range(0));
  const Automaton all = Automaton::from_texts(texts);
  const Automaton half = Automaton::from_texts(std::span(texts).first(texts.size() / 2));
  for (auto _ : state) benchmark::DoNotOptimize(included(half, all));
}
BENCHMARK(proof_of_inclusion)->Arg(100)->Arg(1000)->Arg(10'000)->Unit(benchmark::kMillisecond);

void diagram_of_rules(benchmark::State& state) {
  std::size_t nodes = 0;
  for (auto _ : state) {
    Bdd bdd;
    std::vector<Bdd::Case> cases;
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(state.range(0)); ++i) {
      cases.push_back({bdd.variable(i), Bdd::constant(i % 3 == 0)});
    }
    benchmark::DoNotOptimize(bdd.first_match(cases, Bdd::constant(false)));
    nodes = bdd.nodes();
  }
  state.counters["nodes"] = static_cast<double>(nodes);
}
BENCHMARK(diagram_of_rules)->Arg(100)->Arg(1000)->Arg(10'000)->Unit(benchmark::kMillisecond);

}  // namespace
