// The shape of a TOML text as far as a broken text has one: statements, open brackets, keys. Part
// of toml_document, for its error messages; nothing else includes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "compiler/source/toml_tokens.hpp"

namespace nd7 {

class TomlOutline {
 public:
  explicit TomlOutline(std::string_view text);

  /// What surrounds a byte. All numbers are indices of tokens.
  struct Context {
    std::size_t statement = 0;          ///< the first token of the statement
    std::optional<std::size_t> header;  ///< the first token of the last header
    std::vector<std::size_t> open;      ///< brackets of values that are not closed, outermost first
  };
  /// Of the tokens that begin before `byte`.
  [[nodiscard]] Context context_at(std::uint32_t byte) const;

  /// The first token that ends after `byte`; the last one if none does.
  [[nodiscard]] std::size_t token_at(std::uint32_t byte) const;
  [[nodiscard]] const TomlToken& operator[](std::size_t index) const { return tokens_[index]; }
  [[nodiscard]] std::size_t size() const { return tokens_.size(); }

  /// The segments of the key that begins at a token; empty if none does.
  [[nodiscard]] std::vector<TomlToken> key_at(std::size_t index) const;
  /// The key of a header that begins at a token.
  [[nodiscard]] std::vector<TomlToken> header_key(std::size_t index) const;
  /// The keys of the inline table opened by a token, as far as it goes.
  [[nodiscard]] std::vector<std::vector<TomlToken>> inline_keys(std::size_t open) const;

  /// Whether a token stands where a value or a key begins.
  [[nodiscard]] bool begins_value(std::size_t index) const;
  [[nodiscard]] bool begins_key_segment(std::size_t index) const;

 private:
  std::vector<TomlToken> tokens_;
};

}  // namespace nd7
