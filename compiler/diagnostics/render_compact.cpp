#include <fmt/format.h>

#include <iterator>

#include "compiler/diagnostics/render_parts.hpp"

namespace nd7::render_formats {

using namespace render_parts;

void compact(std::string& out, const Diagnostic& d, const SourceMap& sources) {
  std::optional<Place> place;
  if (d.primary) place = place_of(*d.primary, sources);
  if (place) out += location(*place) + ": ";
  fmt::format_to(std::back_inserter(out), "{}[{}]: {}\n", severity_name(d.severity),
                 info(d.code).name, one_line(d.message));
}

}  // namespace nd7::render_formats
