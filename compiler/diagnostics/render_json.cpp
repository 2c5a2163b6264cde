#include <fmt/format.h>

#include <iterator>

#include "compiler/diagnostics/render_parts.hpp"

namespace nd7::render_formats {
namespace {

using namespace render_parts;

void append_place(std::string& out, const Place& place) {
  const Position begin = place.file->position(place.begin);
  const Position end = place.file->position(place.end);
  fmt::format_to(std::back_inserter(out),
                 "\"file\":{},\"begin\":{},\"end\":{},\"line\":{},\"column\":{},\"end_line\":{},"
                 "\"end_column\":{}",
                 json_string(place.file->name()), place.begin, place.end, begin.line, begin.column,
                 end.line, end.column);
}

/// A place with its label, or null.
void append_label(std::string& out, const Span& span, std::string_view label,
                  const SourceMap& sources) {
  const std::optional<Place> place = place_of(span, sources);
  if (!place) {
    out += "null";
    return;
  }
  out += '{';
  append_place(out, *place);
  out += ",\"label\":" + json_string(label) + '}';
}

void append_fixit(std::string& out, const FixIt& fixit, const Place& place) {
  out += "{\"title\":" + json_string(fixit_title(fixit)) +
         ",\"replacement\":" + json_string(fixit.replacement) + ',';
  append_place(out, place);
  out += '}';
}

void append_strings(std::string& out, const std::vector<std::string>& texts) {
  out += '[';
  for (std::size_t i = 0; i < texts.size(); ++i) out += (i ? "," : "") + json_string(texts[i]);
  out += ']';
}

}  // namespace

void json(std::string& out, const Diagnostic& d, const SourceMap& sources) {
  const CodeInfo& code = info(d.code);
  fmt::format_to(
      std::back_inserter(out),
      "{{\"code\":\"{}\",\"severity\":\"{}\",\"message\":{},\"title\":{},\"primary\":", code.name,
      severity_name(d.severity), json_string(d.message), json_string(code.title));
  if (d.primary) {
    append_label(out, *d.primary, d.primary_label, sources);
  } else {
    out += "null";
  }
  out += ",\"labels\":[";
  bool first = true;
  for (const Label& label : d.labels) {
    if (!place_of(label.span, sources)) continue;
    if (!first) out += ',';
    first = false;
    append_label(out, label.span, label.text, sources);
  }
  out += "],\"notes\":";
  append_strings(out, d.notes);
  out += ",\"helps\":";
  append_strings(out, d.helps);
  out += ",\"fixits\":[";
  first = true;
  for (const FixIt& fixit : d.fixits) {
    const std::optional<Place> place = place_of(fixit.span, sources);
    if (!place) continue;
    if (!first) out += ',';
    first = false;
    append_fixit(out, fixit, *place);
  }
  out += "]}";
}

}  // namespace nd7::render_formats
