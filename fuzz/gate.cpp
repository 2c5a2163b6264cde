// The gate: what it lets through is UTF-8 without a refused code point, and small enough for the
// parser; what it refuses it names at a place inside the text.
#include "compiler/source/gate.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "compiler/source/ascii_encoding.hpp"
#include "compiler/source/toml_tokens.hpp"

namespace {

using namespace nd7;

void require(bool condition) {
  if (!condition) std::abort();
}

bool refused(std::uint32_t c) {
  return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7F && c <= 0x9F) ||
         c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

/// A second decoder, written differently from the gate's.
bool acceptable(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::uint32_t first = static_cast<unsigned char>(text[i]);
    const std::size_t more = first < 0x80 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    if ((first & 0xC0) == 0x80 || first > 0xF7 || i + more >= text.size()) return false;
    std::uint32_t c = more == 0 ? first : first & (0x3FU >> more);
    for (std::size_t k = 1; k <= more; ++k) {
      const std::uint32_t next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xC0) != 0x80) return false;
      c = (c << 6) | (next & 0x3F);
    }
    constexpr std::uint32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
    if (c < kLeast[more] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF) || refused(c))
      return false;
    if (c == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')) return false;
    i += more + 1;
  }
  return true;
}

void check_places(const Diagnostics& diagnostics, std::size_t size) {
  for (const Diagnostic& d : diagnostics.all()) {
    require(d.primary && d.primary->begin <= d.primary->end && d.primary->end <= size);
    require(!d.message.empty() && !d.helps.empty());
  }
}

void check_tokens(std::string_view text) {
  TomlTokens tokens(text);
  std::uint32_t before = 0;
  for (TomlToken t = tokens.next(); t.kind != TomlToken::Kind::end; t = tokens.next()) {
    require(t.begin >= before && t.end > t.begin && t.end <= text.size());
    require(t.first == text[t.begin]);
    before = t.end;
  }
}

void check_encoding(std::string_view text) {
  const AsciiText ascii(text);
  require(std::all_of(ascii.text().begin(), ascii.text().end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
  std::uint32_t before = 0;
  for (std::uint32_t i = 0; i <= ascii.text().size(); ++i) {
    const std::uint32_t original = ascii.original(i);
    require(original >= before && original <= text.size());
    before = original;
  }
  require(before == text.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  SourceMap sources;
  const FileId file = sources.add("fuzz", "", std::string{text});
  Diagnostics diagnostics;
  const bool passed = gate_text(sources, file, diagnostics);
  require(passed == diagnostics.all().empty());
  require(passed == acceptable(text));
  require(diagnostics.error_count() <= kMaxGateErrors);
  const bool within = gate_toml(sources, file, diagnostics);
  require((passed && within) == diagnostics.all().empty());
  check_places(diagnostics, size);
  check_tokens(text);
  check_encoding(text);
  return 0;
}
