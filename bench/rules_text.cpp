#include "bench/rules_text.hpp"

#include <fmt/format.h>

namespace nd7::bench {
namespace {

constexpr std::size_t kRulesInFile = 8000;

std::string rule(std::size_t i) {
  const std::size_t folder = i / 100;
  switch (i % 20) {
    case 3: return fmt::format("[deny.r{}]\nread = \"/srv/d{}/secret{}\"\n", i, folder, i);
    case 7: return fmt::format("[allow.r{}]\nwrite = \"glob:/srv/d{}/f{}/*.log\"\n", i, folder, i);
    case 11: return fmt::format("[allow.r{}]\nconnect = \"localhost:{}\"\n", i, 1 + i % 65535);
    case 13: return fmt::format("[allow.r{}]\nmach = \"org.example.s{}\"\n", i, i);
    case 17:
      return fmt::format(
          "[allow.r{}]\nops = [\"file-read*\"]\nwhere = 'subpath(\"/srv/d{}\") and "
          "name(\"n{}\")'\n",
          i, folder, i);
    default:
      return fmt::format("[allow.r{}]\n{} = \"/srv/d{}/f{}\"\n", i, i % 2 == 0 ? "read" : "write",
                         folder, i);
  }
}

}  // namespace

Rules rules_of(std::size_t count) {
  Rules result;
  std::string use;
  for (std::size_t begin = 0; begin < count; begin += kRulesInFile) {
    const std::size_t file = begin / kRulesInFile;
    std::string text = fmt::format("nd7 = 1\nname = \"s{}\"\n", file);
    for (std::size_t i = begin; i < std::min(count, begin + kRulesInFile); ++i) text += rule(i);
    result.files.put(fmt::format("/rules/s{}.toml", file), std::move(text));
    use += fmt::format("{}\"s{}.toml\"", use.empty() ? "" : ", ", file);
  }
  result.root = fmt::format("nd7 = 1\nname = \"bench\"\nextends = \"floor\"\nuse = [{}]\n", use);
  return result;
}

}  // namespace nd7::bench
