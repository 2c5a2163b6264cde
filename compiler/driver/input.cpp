#include "compiler/driver/input.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>
#include <variant>

#include "compiler/check/files.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/source/gate.hpp"

namespace nd7::driver {
namespace {

std::variant<FileText, FileError> read_standard_input() {
  FileText result;
  std::array<char, 65536> buffer{};
  while (result.text.size() <= kMaxFileBytes) {
    const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return FileError{std::generic_category().message(errno)};
    if (got == 0) break;
    result.text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return result;
}

}  // namespace

std::optional<FileId> read_input(const std::string& name, SourceMap& sources,
                                 Diagnostics& diagnostics) {
  auto read = name == "-" ? read_standard_input() : DiskFiles{}.read(name);
  if (const auto* error = std::get_if<FileError>(&read)) {
    auto& d = diagnostics.add(Code::ND9001, std::nullopt,
                              fmt::format("`{}` cannot be read: {}", name, error->reason));
    if (const auto command = nearest_command(name)) {
      d.helps.push_back(fmt::format("did you mean the command `nd7c {}`?", *command));
    }
    return std::nullopt;
  }
  auto& file = std::get<FileText>(read);
  return sources.add(name == "-" ? "<stdin>" : name, std::move(file.path), std::move(file.text));
}

}  // namespace nd7::driver
