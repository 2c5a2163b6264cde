#include "compiler/diagnostics/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "compiler/diagnostics/render_parts.hpp"

namespace nd7 {
namespace {

std::size_t count(const std::vector<Diagnostic>& all, Severity severity) {
  return static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(), [&](const Diagnostic& d) { return d.severity == severity; }));
}

/// Which to show: errors have the first claim on the limit, so that warnings cannot push the reason
/// of a failure out of sight. The order stays.
std::vector<bool> chosen(const std::vector<Diagnostic>& all, std::size_t limit) {
  std::vector<bool> show(all.size(), false);
  for (const bool errors : {true, false}) {
    for (std::size_t i = 0; i < all.size() && limit > 0; ++i) {
      if ((all[i].severity == Severity::error) != errors) continue;
      show[i] = true;
      --limit;
    }
  }
  return show;
}

void render_one(std::string& out, const Diagnostic& d, const SourceMap& sources,
                const RenderOptions& options) {
  switch (options.format) {
    case Format::human: render_formats::human(out, d, sources, options); return;
    case Format::plain: render_formats::plain(out, d, sources); return;
    case Format::compact: render_formats::compact(out, d, sources); return;
    case Format::json: render_formats::json(out, d, sources); return;
  }
}

}  // namespace

std::optional<Format> parse_format(std::string_view name) {
  if (name == "human") return Format::human;
  if (name == "plain") return Format::plain;
  if (name == "compact") return Format::compact;
  if (name == "json") return Format::json;
  return std::nullopt;
}

std::string render(const Diagnostics& diagnostics, const SourceMap& sources,
                   const RenderOptions& options) {
  const std::vector<Diagnostic> all = diagnostics.sorted();
  const std::vector<bool> show = chosen(all, options.limit);
  const bool json = options.format == Format::json;
  const bool paragraphs = options.format == Format::human || options.format == Format::plain;

  std::string out;
  if (json) {
    out += fmt::format("{{\"version\":1,\"errors\":{},\"warnings\":{},\"diagnostics\":[",
                       count(all, Severity::error), count(all, Severity::warning));
  }
  std::size_t shown = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!show[i]) continue;
    if (shown++ != 0) out += json ? "," : paragraphs ? "\n" : "";
    render_one(out, all[i], sources, options);
  }
  const std::size_t more = all.size() - shown;
  if (json) {
    out += fmt::format("],\"truncated\":{}}}\n", more);
  } else if (more != 0) {
    if (paragraphs && shown != 0) out += '\n';
    out += fmt::format("and {} more\n", more);
  }
  return out;
}

}  // namespace nd7
