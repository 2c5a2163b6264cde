// The same unions as decide_bench, by libfa of augeas.
#include <benchmark/benchmark.h>
#include <regex.h>
#include <stdbool.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

extern "C" {  // a C header that does not say so itself
#include <fa.h>
}

namespace {

/// Of decide_bench's shape and number.
std::vector<std::string> subpaths(std::int64_t count) {
  std::mt19937 random(7);
  const auto number = [&](unsigned bound) { return std::to_string(random() % bound); };
  std::vector<std::string> texts;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string user = number(20);
    const std::string project = number(1000);
    texts.push_back("/Users/user" + user + "/proj" + project + "/dir" + number(50) + "(/(.|\n)*)?");
  }
  return texts;
}

fa* compiled(const std::string& regex) {
  fa* automaton = nullptr;
  return fa_compile(regex.c_str(), regex.size(), &automaton) == REG_NOERROR ? automaton : nullptr;
}

/// Balanced, minimised after every union.
void libfa_union_of_subpaths(benchmark::State& state) {
  const auto texts = subpaths(state.range(0));
  for (auto _ : state) {
    std::vector<fa*> layer;
    for (const std::string& text : texts) layer.push_back(compiled(text));
    while (layer.size() > 1) {
      std::vector<fa*> next;
      for (std::size_t i = 0; i + 1 < layer.size(); i += 2) {
        fa* both = fa_union(layer[i], layer[i + 1]);
        fa_minimize(both);
        fa_free(layer[i]);
        fa_free(layer[i + 1]);
        next.push_back(both);
      }
      if (layer.size() % 2 == 1) next.push_back(layer.back());
      layer = next;
    }
    fa_minimize(layer.front());
    fa_free(layer.front());
  }
}
BENCHMARK(libfa_union_of_subpaths)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
