// Random languages: automata against simulation, the laws of the algebra, the classifier against
// each pattern by itself.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/decide/classifier.hpp"
#include "compiler/decide/search.hpp"
#include "tests/support/regex_oracle.hpp"

namespace {

using namespace nd7::decide;

// Small, so that beyond and within are both common and runs are short.
constexpr Budget kBudget{400, 20'000};

void require(bool holds) {
  if (!holds) std::abort();
}

/// Reads the input as a list of items: each a kind, and bytes up to the next 0xFF.
class Items {
 public:
  explicit Items(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  [[nodiscard]] bool done() const { return bytes_.empty(); }
  std::uint8_t kind() {
    const std::uint8_t kind = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return kind;
  }
  std::span<const std::uint8_t> body() {
    std::size_t size = 0;
    while (size < bytes_.size() && bytes_[size] != 0xFF) ++size;
    const auto body = bytes_.first(size);
    bytes_ = bytes_.subspan(size < bytes_.size() ? size + 1 : size);
    return body;
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

std::string text_of(std::span<const std::uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

/// A pattern on its own, in the forms that exist of it.
struct Single {
  std::optional<Automaton> automaton;
  std::optional<RegexMatcher> matcher;

  bool matches(std::string_view word) {
    return matcher ? matcher->matches(word) : automaton->accepts(word);
  }
};

Single single(const Classifier::Pattern& pattern) {
  Single forms;
  if (const auto* text = std::get_if<TextPattern>(&pattern)) {
    forms.automaton = Automaton::from_texts({text, 1});
  } else if (const auto* regex = std::get_if<RegexPattern>(&pattern)) {
    forms.automaton = regex_automaton(regex->regex, {}, kBudget);
    auto matcher = RegexMatcher::make(regex->regex);
    require(matcher.has_value());
    forms.matcher.emplace(*std::move(matcher));
  }
  return forms;
}

void check_algebra(const Automaton& a, const Automaton& b, const std::vector<std::string>& words) {
  const auto either = unite(a, b, kBudget);
  const auto both = intersect(a, b, kBudget);
  const auto minus = subtract(a, b, kBudget);
  require(canonical(a.table(), 0) == a.table());
  if (!either || !both || !minus) return;
  require(unite(b, a, kBudget) == either);
  const auto dual = intersect(a.complement(), b.complement(), kBudget);
  require(!dual || dual->complement() == *either);
  const Answer inclusion = included(a, b, kBudget);
  require(inclusion == Answer::undecided || (inclusion == Answer::yes) == minus->empty());
  const Answer disjointness = disjoint(a, b, kBudget);
  require(disjointness == Answer::undecided || (disjointness == Answer::yes) == both->empty());
  for (const std::string& word : words) {
    require(either->accepts(word) == (a.accepts(word) || b.accepts(word)));
    require(both->accepts(word) == (a.accepts(word) && b.accepts(word)));
    require(minus->accepts(word) == (a.accepts(word) && !b.accepts(word)));
  }
  const std::vector<Language> languages{a, b, Automaton::well_formed_paths()};
  Formula formula;
  const auto in_a = formula.leaf(0);
  const auto in_b = formula.leaf(1);
  const auto path = formula.leaf(2);
  formula.all_of({in_a, formula.negate(in_b), path});
  const SearchResult result = find_witness(languages, formula, kBudget);
  if (result.found != Answer::yes) return;
  require(minus->accepts(result.witness));
  require(languages[2].automaton()->accepts(result.witness));
}

void check_classifier(const std::vector<Classifier::Pattern>& patterns,
                      const std::vector<std::string>& words,
                      const std::vector<std::vector<std::uint32_t>>& matching,
                      const Budget& budget) {
  const auto classifier = Classifier::compile(patterns, budget);
  require(classifier.has_value());
  Decider decider(*classifier, [](std::span<const std::uint32_t> ids) {
    return static_cast<std::uint8_t>(ids.size());
  });
  for (std::size_t i = 0; i < words.size(); ++i) {
    require(decider.decide(words[i]) == matching[i].size());
    require(std::ranges::equal(decider.matching(words[i]), matching[i]));
    require(decider.decide(words[i]) == matching[i].size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 512) return 0;
  std::vector<Classifier::Pattern> patterns;
  std::vector<std::string> words{"", "/", "/a", "/a/b", "a", "b/"};
  Items items({data, size});
  while (!items.done() && patterns.size() < 6) {
    const std::uint8_t kind = items.kind();
    const auto body = items.body();
    switch (kind % 8) {
      case 0:
      case 1:
      case 2:
      case 3:
        patterns.emplace_back(TextPattern{static_cast<TextPattern::Kind>(kind % 8), text_of(body)});
        break;
      case 4:
      case 5: {
        nd7::pattern::Regex regex =
            nd7::testing::regex_from(body.first(std::min<std::size_t>(body.size(), 40)));
        if (body.size() <= 8) {
          const nd7::testing::NaiveRegex naive(regex);
          auto matcher = RegexMatcher::make(regex);
          for (const std::string& word : words) {
            if (word.size() <= 6) require(matcher->matches(word) == naive.found_in(word));
          }
        }
        patterns.emplace_back(RegexPattern{std::move(regex), {}});
        break;
      }
      default: words.push_back(text_of(body));
    }
  }
  // Words near the texts are the interesting ones.
  for (const auto& pattern : patterns) {
    if (const auto* text = std::get_if<TextPattern>(&pattern)) {
      words.push_back(text->text);
      words.push_back(text->text + "/a");
      words.push_back(text->text + "b");
    }
  }
  std::vector<std::vector<std::uint32_t>> matching(words.size());
  std::vector<Automaton> automata;
  for (std::uint32_t id = 0; id < patterns.size(); ++id) {
    Single forms = single(patterns[id]);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const bool matches = forms.matches(words[i]);
      require(!forms.automaton || forms.automaton->accepts(words[i]) == matches);
      if (matches) matching[i].push_back(id);
    }
    if (forms.automaton) automata.push_back(*forms.automaton);
  }
  for (std::size_t i = 0; i + 1 < automata.size(); i += 2) {
    check_algebra(automata[i], automata[i + 1], words);
  }
  check_classifier(patterns, words, matching, Budget{4'000, 100'000});
  check_classifier(patterns, words, matching, Budget{1, 1});
  return 0;
}
