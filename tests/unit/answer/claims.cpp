#include "tests/unit/answer/claims.hpp"

#include <algorithm>

namespace nd7::test {

bool Claim::says(std::string_view text) const {
  return message.find(text) != std::string::npos ||
         std::any_of(notes.begin(), notes.end(),
                     [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

std::vector<Claim> claims_of(std::string_view text, CompileOptions options, MemoryFiles files) {
  Compilation compilation = compile_text(text, options, files);
  if (!compilation.result) return {{"", compilation.log(), {}}};
  Diagnostics diagnostics;
  prove(compilation.sources, files, *compilation.result, options, Claims::all, diagnostics);
  std::vector<Claim> result;
  for (const std::string& bug : compilation.result->bugs) result.push_back({"bug", bug, {}});
  for (const Diagnostic& d : diagnostics.all()) {
    // Warnings about rules are another matter.
    if (info(d.code).severity == Severity::warning) continue;
    result.push_back({std::string{info(d.code).name}, d.message, d.notes});
  }
  return result;
}

Claim failed_claim(std::string_view text, CompileOptions options, MemoryFiles files) {
  const std::vector<Claim> all = claims_of(text, std::move(options), std::move(files));
  return all.size() == 1 ? all.front() : Claim{};
}

}  // namespace nd7::test
