// What a compiled policy answers: the emitted text, read back by the profile reader, which shares
// nothing with the compiler but the tables.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/pipeline/compile.hpp"
#include "compiler/seatbelt/read/precedence.hpp"
#include "compiler/seatbelt/read/profile.hpp"

namespace nd7::test {

/// Whether the profile is read with the import of Apple's rules, of which not all are known, or as
/// if that line were not there.
enum class Imports : std::uint8_t { kept, left_out };

class Judge {
 public:
  /// `text` is a profile. Its open parameters get the values of policy_model.hpp.
  explicit Judge(std::string text, Imports imports = Imports::left_out,
                 std::optional<seatbelt::Release> release = std::nullopt);

  /// False if the reader refuses the text; then log() says why.
  [[nodiscard]] bool good() const { return rules_.has_value(); }
  [[nodiscard]] std::string log() const;
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const seatbelt::read::RuleBase& rules() const { return *rules_; }

  [[nodiscard]] seatbelt::read::Decision decide(const seatbelt::read::Request& request,
                                                std::size_t model = 0) const;
  [[nodiscard]] bool allows(const seatbelt::read::Request& request) const;
  /// The comment above the deciding rule: "root.toml:7 caches", "nd7/seal"; empty if none decides.
  [[nodiscard]] std::string decider(const seatbelt::read::Decision& decision) const;

 private:
  std::string text_;
  SourceMap sources_;
  Diagnostics diagnostics_;
  std::optional<seatbelt::read::RuleBase> rules_;
  mutable std::map<std::pair<seatbelt::Op, std::size_t>, std::vector<seatbelt::read::Step>> steps_;
};

/// Compiles a rules file and reads the profile back. Throws std::runtime_error, which fails a
/// property, if it does not compile or is not read.
[[nodiscard]] Judge judge(std::string_view source, CompileOptions options,
                          Imports imports = Imports::left_out);
/// With bound places, as bound_options() has them.
[[nodiscard]] Judge judge(std::string_view source, laws::Profile profile = laws::Profile::floor,
                          std::vector<std::string> grants = {},
                          Imports imports = Imports::left_out);

/// The text without comments and empty lines.
[[nodiscard]] std::vector<std::string> operative_lines(std::string_view text);

}  // namespace nd7::test
