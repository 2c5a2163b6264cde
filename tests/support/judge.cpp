#include "tests/support/judge.hpp"

#include <stdexcept>

#include "tests/support/compile.hpp"
#include "tests/support/policy_model.hpp"

namespace nd7::test {
namespace {

using namespace seatbelt::read;

constexpr std::string_view kImport = "(import \"system.sb\")\n";

}  // namespace

Judge::Judge(std::string text, Imports imports, std::optional<seatbelt::Release> release)
    : text_(std::move(text)) {
  if (imports == Imports::left_out) {
    const std::size_t at = text_.find(kImport);
    if (at != std::string::npos) text_.erase(at, kImport.size());
  }
  ReadOptions options;
  options.release = release;
  for (const auto& [name, value] :
       {std::pair{"HOME", kHomePath}, std::pair{"PROJ", kProjectPath}, std::pair{"TMP", kTmpPath},
        std::pair{"EXIT", kExitPath}, std::pair{"p.agent", kAgentPath}}) {
    options.parameters.push_back({name, Parameter::Kind::bound, std::string{value}});
  }
  const std::vector<FileId> files{sources_.add("profile.sb", "", text_)};
  rules_ = read_profile(sources_, files, options, diagnostics_);
}

std::string Judge::log() const {
  std::string result;
  for (const Diagnostic& diagnostic : diagnostics_.all()) {
    result += std::string{info(diagnostic.code).name} + ": " + diagnostic.message + "\n";
  }
  return result;
}

Decision Judge::decide(const Request& request, std::size_t model) const {
  const auto [at, fresh] = steps_.try_emplace({request.op, model});
  if (fresh) at->second = steps(*rules_, request.op, kModels[model]);
  return seatbelt::read::decide(*rules_, request, at->second);
}

bool Judge::allows(const Request& request) const {
  return decide(request).verdict == Verdict::allow;
}

std::string Judge::decider(const Decision& decision) const {
  if (decision.by.kind != Step::Kind::rule) return {};
  std::size_t end = rules_->rules[decision.by.rule].span.begin;
  // Up to the comment; a rule may stand inside of an `(if …)`.
  for (;;) {
    end = end == 0 ? std::string::npos : text_.rfind('\n', end - 1);
    if (end == std::string::npos) return {};
    const std::size_t begin = text_.rfind('\n', end - 1) + 1;
    const std::string_view line = std::string_view{text_}.substr(begin, end - begin);
    if (line.rfind("; ", 0) == 0) return std::string{line.substr(2)};
  }
}

Judge judge(std::string_view source, CompileOptions options, Imports imports) {
  options.size_budget = SIZE_MAX;
  const Compilation compilation = compile_text(source, options);
  if (!compilation.result) throw std::runtime_error("does not compile:\n" + compilation.log());
  if (!compilation.result->bugs.empty()) {
    throw std::runtime_error("broken invariant: " + compilation.result->bugs.front());
  }
  Judge result{compilation.result->printed.text, imports, options.check.release};
  if (!result.good()) {
    throw std::runtime_error("is not read back:\n" + result.log() + result.text());
  }
  return result;
}

Judge judge(std::string_view source, laws::Profile profile, std::vector<std::string> grants,
            Imports imports) {
  CompileOptions options = bound_options(profile);
  options.grants = std::move(grants);
  return judge(source, std::move(options), imports);
}

std::vector<std::string> operative_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (!line.empty() && line.front() != ';') lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace nd7::test
