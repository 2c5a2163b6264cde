// The one way for text to enter a profile.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "compiler/ir/text.hpp"

namespace nd7::seatbelt {

/// The key of a parameter, as `(param "KEY")` names it.
using ParamKey = std::function<std::string(ir::ParamId)>;

/// A string literal that reads back as exactly `bytes`, whatever they are (NUL excepted: the C
/// interface ends there, and every input refuses it).
[[nodiscard]] std::string encode_string(std::string_view bytes);

/// A regular expression as a literal: raw (`#"…"`) unless it holds a double quote.
[[nodiscard]] std::string encode_regex(std::string_view regex);

/// An expression whose value is the text: a literal, `(param …)`, or `(string-append …)`.
[[nodiscard]] std::string encode_text(std::string_view text, const ParamKey& key);
/// The same for a regular expression, with parameters quoted: `(regex-quote (param …))`.
[[nodiscard]] std::string encode_regex_text(std::string_view text, const ParamKey& key);

/// `text` for a comment: what could end the line or not be seen is written as an escape.
[[nodiscard]] std::string encode_comment(std::string_view text);

}  // namespace nd7::seatbelt
