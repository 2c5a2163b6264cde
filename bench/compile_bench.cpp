// The stages of a compilation: the shipped floor, and files of 100 to 100 000 rules.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "bench/rules_text.hpp"
#include "compiler/check/check.hpp"
#include "compiler/check/compose.hpp"
#include "compiler/laws/terms.hpp"
#include "compiler/pipeline/compile.hpp"
#include "compiler/seatbelt/lower/lower.hpp"
#include "compiler/seatbelt/lower/print.hpp"
#include "compiler/shipped/shipped.hpp"
#include "compiler/validate/validate.hpp"

namespace {

using namespace nd7;

/// 0 rules stand for the floor alone.
bench::Rules source(std::size_t rules) {
  if (rules > 0) return bench::rules_of(rules);
  return {std::string{shipped_set("floor").value_or("")}, {}};
}

/// One compilation, stopped after each stage.
class Stages {
 public:
  explicit Stages(const bench::Rules& rules) : rules_(rules) {}

  void read() {
    const FileId root = sources_.add("root.toml", "/rules/root.toml", rules_.root);
    composition_ = compose(sources_, rules_.files, root, diagnostics_);
    require(composition_.has_value());
  }
  void check() {
    policy_ = nd7::check(*composition_, {}, diagnostics_);
    require(policy_.has_value());
  }
  void lower() {
    terms_ = laws::derive_terms(*policy_, {}, diagnostics_);
    profile_ = seatbelt::lower(*policy_, terms_, laws::Profile::floor, sources_, diagnostics_);
    require(!profile_.rules.empty());
  }
  void print() { printed_ = seatbelt::print(*policy_, profile_, {}); }
  void validate() {
    const auto result = validate::validate(*policy_, terms_, printed_.text, {});
    require(result.outcome == validate::Result::Outcome::equal);
  }

 private:
  static void require(bool condition) {
    if (!condition) std::abort();
  }

  const bench::Rules& rules_;
  SourceMap sources_;
  Diagnostics diagnostics_;
  std::optional<Composition> composition_;
  std::optional<ir::Policy> policy_;
  std::vector<laws::Term> terms_;
  seatbelt::SeatbeltProfile profile_;
  seatbelt::PrintedProfile printed_;
};

/// Runs the stages before `stage` untimed, then it.
template <void (Stages::*stage)(), void (Stages::*... before)()>
void run(benchmark::State& state) {
  const auto rules = static_cast<std::size_t>(state.range(0));
  const bench::Rules text = source(rules);
  for (auto _ : state) {
    state.PauseTiming();
    std::optional<Stages> stages(text);
    ((*stages.*before)(), ...);
    state.ResumeTiming();
    (*stages.*stage)();
    state.PauseTiming();
    stages.reset();
    state.ResumeTiming();
  }
  state.SetComplexityN(state.range(0));
  if (rules > 0) {
    state.counters["per_rule"] = benchmark::Counter(
        static_cast<double>(rules),
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  }
}

void Read(benchmark::State& state) { run<&Stages::read>(state); }
void Check(benchmark::State& state) { run<&Stages::check, &Stages::read>(state); }
void Lower(benchmark::State& state) { run<&Stages::lower, &Stages::read, &Stages::check>(state); }
void Print(benchmark::State& state) {
  run<&Stages::print, &Stages::read, &Stages::check, &Stages::lower>(state);
}
void Validate(benchmark::State& state) {
  run<&Stages::validate, &Stages::read, &Stages::check, &Stages::lower, &Stages::print>(state);
}

void Floor(benchmark::State& state, void (*stage)(benchmark::State&)) { stage(state); }
BENCHMARK_CAPTURE(Floor, read, Read)->Arg(0)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Floor, check, Check)->Arg(0)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Floor, lower, Lower)->Arg(0)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Floor, print, Print)->Arg(0)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Floor, validate, Validate)->Arg(0)->Unit(benchmark::kMicrosecond);

void sizes(benchmark::internal::Benchmark* bench) {
  bench->RangeMultiplier(10)->Range(100, 100'000)->Unit(benchmark::kMillisecond)->Complexity();
}
BENCHMARK(Read)->Apply(sizes);
BENCHMARK(Check)->Apply(sizes);
BENCHMARK(Lower)->Apply(sizes);
BENCHMARK(Print)->Apply(sizes);
BENCHMARK(Validate)->Apply(sizes);

}  // namespace
