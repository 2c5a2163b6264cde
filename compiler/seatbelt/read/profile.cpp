#include "compiler/seatbelt/read/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/seatbelt/read/context.hpp"
#include "compiler/seatbelt/read/machine.hpp"

namespace nd7::seatbelt::read {
namespace {

bool check_parameters(const std::vector<Parameter>& parameters, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    if (parameter.kind == Parameter::Kind::bound && is_opaque(parameter.value)) {
      diagnostics.add(Code::ND6025, std::nullopt,
                      fmt::format("the value of `{}` holds a NUL byte", parameter.name));
      return false;
    }
    if (parameter.kind == Parameter::Kind::opaque && i >= kMaxHoles) {
      diagnostics.add(Code::ND6004, std::nullopt,
                      fmt::format("more than {} open parameters", kMaxHoles));
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<RuleBase> read_profile(const SourceMap& sources, std::span<const FileId> files,
                                     const ReadOptions& options, Diagnostics& diagnostics) {
  if (!check_parameters(options.parameters, diagnostics)) return std::nullopt;
  Context context(options, diagnostics);
  std::size_t bytes = 0;
  for (const FileId file : files) {
    bytes += sources.file(file).text().size();
    if (bytes > options.limits.bytes) {
      diagnostics.add(Code::ND6004, Span{file, 0, 0},
                      fmt::format("a profile of more than {} bytes", options.limits.bytes));
      return std::nullopt;
    }
    if (!read_datums(sources, file, options.limits, context.tree, diagnostics)) {
      return std::nullopt;
    }
  }
  Machine machine(context);
  if (!machine.run()) return std::nullopt;
  if (!context.versioned && !options.fragment) {
    std::optional<Span> start;
    if (!files.empty()) start = Span{files[0], 0, 0};
    diagnostics.add(Code::ND6005, start, "a profile without `(version 1)`");
    return std::nullopt;
  }
  return std::move(context.rules);
}

}  // namespace nd7::seatbelt::read
