// What the tools have to say about an input: coded, located, with a way to fix it.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/source/source_map.hpp"

namespace nd7 {

enum class Severity : std::uint8_t { note, warning, error };

/// One enumerator per line of codes.def: Code::ND1001 and so on.
enum class Code : std::uint16_t {
#define ND7_CODE(number, severity, title) number,
#include "compiler/diagnostics/codes.def"
};

struct CodeInfo {
  std::string_view name;   ///< "ND1001"
  Severity severity;       ///< the severity a diagnostic of this code has
  std::string_view title;  ///< short, lower case
};
[[nodiscard]] const CodeInfo& info(Code code);
[[nodiscard]] std::optional<Code> find_code(std::string_view name);
[[nodiscard]] std::size_t code_count();
[[nodiscard]] Code code_at(std::size_t index);

/// A second place that explains the first.
struct Label {
  Span span;
  std::string text;
};

/// A replacement that a tool may apply as it stands.
struct FixIt {
  Span span;
  std::string replacement;
  std::string title;  ///< imperative: "write `subpath`"
};

/// Text is plain UTF-8 as built from the input; sinks escape what a terminal would obey.
struct Diagnostic {
  Code code;
  Severity severity;
  std::string message;
  std::optional<Span> primary;  ///< none when no text is to blame (a missing file, an option)
  std::string primary_label;
  std::vector<Label> labels;
  std::vector<std::string> notes;  ///< rendered as `= note:`; may hold several lines
  std::vector<std::string> helps;  ///< rendered as `= help:`
  std::vector<FixIt> fixits;
};

/// Collects diagnostics. Passes add; sinks sort and render. Never prints.
class Diagnostics {
 public:
  /// Adds a diagnostic with the code's own severity; the reference is good until the next add.
  Diagnostic& add(Code code, std::optional<Span> primary, std::string message);

  [[nodiscard]] bool has_errors() const { return errors_ != 0; }
  [[nodiscard]] std::size_t error_count() const { return errors_; }
  [[nodiscard]] bool has(Code code) const;
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return all_; }
  /// By file, position, code; stable; exact repetitions once. Those without a place come first.
  [[nodiscard]] std::vector<Diagnostic> sorted() const;
  void append(Diagnostics other);

 private:
  std::vector<Diagnostic> all_;
  std::size_t errors_ = 0;
};

}  // namespace nd7
