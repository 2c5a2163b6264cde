#include "compiler/ir/text.hpp"

#include <algorithm>
#include <utility>

namespace nd7::ir {

Text hole(ParamId param) {
  return {'\0', static_cast<char>(static_cast<unsigned char>(param.value + 1))};
}

bool has_holes(std::string_view text) { return text.find('\0') != std::string_view::npos; }

std::vector<Piece> pieces(std::string_view text) {
  std::vector<Piece> result;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t nul = text.find('\0', at);
    const std::size_t end = nul == std::string_view::npos ? text.size() : nul;
    if (end > at) result.push_back({std::string{text.substr(at, end - at)}, std::nullopt});
    if (nul == std::string_view::npos || nul + 1 >= text.size()) break;
    const auto index = static_cast<unsigned char>(text[nul + 1]);
    result.push_back({{}, ParamId{static_cast<std::uint32_t>(index) - 1}});
    at = nul + 2;
  }
  return result;
}

std::vector<ParamId> params_of(std::string_view text) {
  std::vector<ParamId> result;
  for (const Piece& piece : pieces(text)) {
    if (piece.param && std::find(result.begin(), result.end(), *piece.param) == result.end()) {
      result.push_back(*piece.param);
    }
  }
  return result;
}

Text substitute(std::string_view text,
                const std::function<std::optional<std::string>(ParamId)>& value) {
  if (!has_holes(text)) return Text{text};
  Text result;
  for (const Piece& piece : pieces(text)) {
    if (!piece.param) {
      result += piece.literal;
    } else if (const std::optional<std::string> bound = value(*piece.param)) {
      result += *bound;
    } else {
      result += hole(*piece.param);
    }
  }
  return result;
}

std::string to_display(std::string_view text, const std::function<std::string(ParamId)>& key) {
  return substitute(text, [&](ParamId param) { return "${" + key(param) + "}"; });
}

}  // namespace nd7::ir
