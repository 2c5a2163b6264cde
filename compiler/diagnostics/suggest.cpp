#include "compiler/diagnostics/suggest.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace nd7 {
namespace {

constexpr std::size_t kEdit = 4;      // insert, delete, replace, swap
constexpr std::size_t kTwin = 1;      // another case, `-` for `_`
constexpr std::size_t kLongest = 64;  // names of the language are far shorter; bounds the work

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::size_t replace_cost(char a, char b) {
  if (a == b) return 0;
  const auto folded = [](char c) { return c == '_' ? '-' : lower(c); };
  return folded(a) == folded(b) ? kTwin : kEdit;
}

/// Optimal string alignment distance in quarter edits.
std::size_t distance(std::string_view a, std::string_view b) {
  using Row = std::array<std::size_t, kLongest + 1>;
  Row before_last{};
  Row last{};
  Row row{};
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j * kEdit;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i * kEdit;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min(
          {last[j] + kEdit, row[j - 1] + kEdit, last[j - 1] + replace_cost(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + kEdit);
      }
    }
    before_last = last;
    last = row;
  }
  return last[b.size()];
}

/// How far a slip may go: one edit in three bytes; in one or two bytes only the cheap ones.
std::size_t reach(std::size_t length) { return length < 3 ? kTwin * length : kEdit * (length / 3); }

template <class Candidate>
std::optional<std::string> nearest_of(std::string_view word,
                                      std::span<const Candidate> candidates) {
  if (word.empty() || word.size() > kLongest) return std::nullopt;
  std::optional<std::string> best;
  std::size_t best_distance = reach(word.size()) + 1;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kLongest) continue;
    const std::size_t found = distance(word, candidate);
    if (found >= best_distance) continue;
    best_distance = found;
    best = std::string{candidate};
  }
  return best;
}

}  // namespace

std::optional<std::string> nearest(std::string_view word,
                                   std::span<const std::string_view> candidates) {
  return nearest_of(word, candidates);
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  return nearest_of(word, candidates);
}

}  // namespace nd7
