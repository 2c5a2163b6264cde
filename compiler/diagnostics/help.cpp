#include "compiler/diagnostics/help.hpp"

#include <span>

#include "compiler/source/embedded_file.hpp"

namespace nd7 {
namespace embedded {
std::span<const EmbeddedFile> help_pages();  // written by nd7_embed
}

std::optional<std::string_view> help_page(Code code) {
  const std::string_view name = info(code).name;
  for (const EmbeddedFile& page : embedded::help_pages()) {
    if (page.name.starts_with(name) && page.name.substr(name.size()) == ".md") return page.text;
  }
  return std::nullopt;
}

}  // namespace nd7
