#include "compiler/diagnostics/diagnostic.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace nd7 {
namespace {

constexpr Severity error = Severity::error;
constexpr Severity warning = Severity::warning;
constexpr Severity note = Severity::note;

constexpr std::array kCodes{
#define ND7_CODE(number, severity, title) CodeInfo{#number, severity, title},
#include "compiler/diagnostics/codes.def"
};

auto order(const Diagnostic& d) {
  const Span at = d.primary.value_or(Span{});
  return std::tuple{d.primary.has_value(), at.file.value, at.begin, at.end, d.code};
}

bool same(const Diagnostic& a, const Diagnostic& b) {
  return a.code == b.code && a.primary == b.primary && a.message == b.message;
}

}  // namespace

const CodeInfo& info(Code code) { return kCodes[static_cast<std::size_t>(code)]; }

std::optional<Code> find_code(std::string_view name) {
  for (std::size_t i = 0; i < kCodes.size(); ++i) {
    if (kCodes[i].name == name) return static_cast<Code>(i);
  }
  return std::nullopt;
}

std::size_t code_count() { return kCodes.size(); }
Code code_at(std::size_t index) { return static_cast<Code>(index); }

Diagnostic& Diagnostics::add(Code code, std::optional<Span> primary, std::string message) {
  const Severity severity = info(code).severity;
  if (severity == Severity::error) ++errors_;
  all_.push_back({code, severity, std::move(message), primary, {}, {}, {}, {}, {}});
  return all_.back();
}

bool Diagnostics::has(Code code) const {
  return std::any_of(all_.begin(), all_.end(), [&](const auto& d) { return d.code == code; });
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> result = all_;
  std::stable_sort(result.begin(), result.end(),
                   [](const auto& a, const auto& b) { return order(a) < order(b); });
  result.erase(std::unique(result.begin(), result.end(), same), result.end());
  return result;
}

void Diagnostics::append(Diagnostics other) {
  errors_ += other.errors_;
  std::move(other.all_.begin(), other.all_.end(), std::back_inserter(all_));
}

}  // namespace nd7
