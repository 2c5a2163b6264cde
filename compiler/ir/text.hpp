// Text with holes: bytes in which parameters stand for machine paths that are not known yet.
//
// A Text is a byte string; the two bytes NUL, (index + 1) stand for parameter `index` of the policy
// (see pattern::encode_hole). NUL cannot occur otherwise: every input refuses it. Keeping the holes
// in the string makes equality, hashing and ordering of texts those of strings.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nd7::ir {

using Text = std::string;

/// Index into Policy::params.
struct ParamId {
  std::uint32_t value = 0;
  friend bool operator==(ParamId, ParamId) = default;
  friend auto operator<=>(ParamId, ParamId) = default;
};
inline constexpr std::uint32_t kMaxParams = 250;

/// The parameters that every policy has, at fixed indices.
inline constexpr ParamId kHome{0};
inline constexpr ParamId kProject{1};
inline constexpr ParamId kTmp{2};
inline constexpr ParamId kExit{3};

/// A maximal run of literal bytes, or one parameter.
struct Piece {
  std::string literal;
  std::optional<ParamId> param;
};

[[nodiscard]] Text hole(ParamId param);
[[nodiscard]] bool has_holes(std::string_view text);
[[nodiscard]] std::vector<Piece> pieces(std::string_view text);
/// Each parameter once, in order of appearance.
[[nodiscard]] std::vector<ParamId> params_of(std::string_view text);
/// Replaces the holes for which `value` has an answer; the others stay.
[[nodiscard]] Text substitute(std::string_view text,
                              const std::function<std::optional<std::string>(ParamId)>& value);
/// For people: holes as `${key}`.
[[nodiscard]] std::string to_display(std::string_view text,
                                     const std::function<std::string(ParamId)>& key);

}  // namespace nd7::ir
