// Reading profiles out of string literals, and requests out of one line of text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/seatbelt/read/precedence.hpp"
#include "compiler/seatbelt/read/profile.hpp"
#include "compiler/source/source_map.hpp"

namespace nd7::seatbelt::read::test {

struct Reading {
  SourceMap sources;
  Diagnostics diagnostics;
  std::optional<RuleBase> rules;

  /// The first error, or nullptr.
  [[nodiscard]] const Diagnostic* error() const;
  /// The text that the first error points at.
  [[nodiscard]] std::string blamed() const;
  /// "ND6006: nothing is called `x`" of everything, one a line.
  [[nodiscard]] std::string log() const;
};

[[nodiscard]] Reading read_text(std::string_view text, const ReadOptions& options = {});
[[nodiscard]] Reading read_texts(const std::vector<std::string>& texts,
                                 const ReadOptions& options = {});
/// As a fragment: without `(version 1)`.
[[nodiscard]] Reading read_fragment(std::string_view text, ReadOptions options = {});

/// "path P", "unix P", "tcp A:P", "local udp A:P", "control N", "global N", "local N", "xpc N",
/// "name N", "number N", "-"; after " ; " more words: `K=V` (a load parameter), `extension A B`,
/// `vnode T`.
struct Question {
  Request request;
  std::vector<Parameter> parameters;
};
[[nodiscard]] std::optional<Question> parse_question(std::string_view operation,
                                                     std::string_view argument);

[[nodiscard]] std::string_view to_string(Verdict verdict);

/// The verdict of `profile` for a question, by the measured model.
[[nodiscard]] std::string verdict(std::string_view profile, std::string_view operation,
                                  std::string_view argument, Model model = {});

struct Table {
  std::vector<std::vector<std::string>> rows;  ///< without the header
};
/// A file of tab-separated columns; nullopt if it is not there.
[[nodiscard]] std::optional<Table> read_table(const std::string& path);
[[nodiscard]] std::optional<std::string> read_file(const std::string& path);

}  // namespace nd7::seatbelt::read::test
