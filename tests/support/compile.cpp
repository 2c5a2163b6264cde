#include "tests/support/compile.hpp"

#include <fmt/format.h>

#include <utility>

#include "compiler/shipped/shipped.hpp"

namespace nd7::test {

std::string Compilation::log() const {
  std::string text;
  for (const Diagnostic& d : diagnostics.sorted()) {
    text += std::string{info(d.code).name};
    if (d.primary) {
      const Position at = sources.file(d.primary->file).position(d.primary->begin);
      text += fmt::format(" {}:{}", at.line, at.column);
    }
    text += ": " + d.message + "\n";
  }
  return text;
}

Compilation compile_text(std::string_view text, CompileOptions options, MemoryFiles files) {
  Compilation compilation;
  const FileId root = compilation.sources.add("root.toml", "/rules/root.toml", std::string{text});
  compilation.result = compile(compilation.sources, files, root, options, compilation.diagnostics);
  return compilation;
}

Compilation compile_floor(CompileOptions options) {
  return compile_text(shipped_set("floor").value_or(""), std::move(options));
}

CompileOptions bound_options(laws::Profile profile) {
  CompileOptions options;
  options.profile = profile;
  options.check.bindings = {{"HOME", "/Users/dev"},
                            {"PROJ", "/Users/dev/project"},
                            {"TMP", "/private/var/folders/ab/cd/T"}};
  options.check.exit = "/usr/local/bin/nd7-exec";
  return options;
}

}  // namespace nd7::test
