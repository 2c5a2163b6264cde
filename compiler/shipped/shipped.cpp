#include "compiler/shipped/shipped.hpp"

#include <algorithm>
#include <span>

#include "compiler/source/embedded_file.hpp"

namespace nd7 {
namespace embedded {
std::span<const EmbeddedFile> rule_sets();  // written by nd7_embed
}

std::optional<std::string_view> shipped_set(std::string_view name) {
  for (const EmbeddedFile& file : embedded::rule_sets()) {
    if (file.name.starts_with(name) && file.name.substr(name.size()) == ".toml") return file.text;
  }
  return std::nullopt;
}

std::vector<std::string> shipped_set_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded::rule_sets()) {
    names.emplace_back(file.name.substr(0, file.name.rfind('.')));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace nd7
