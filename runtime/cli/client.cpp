#include "runtime/cli/client.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "runtime/hook/client_arguments.hpp"
#include "runtime/hook/command_line.hpp"
#include "runtime/hook/json.hpp"
#include "runtime/os/descriptor.hpp"

namespace nd7::runtime::cli {
namespace {

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }
std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

std::optional<std::string> read_file(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  std::string text;
  std::array<char, 1U << 16U> block{};
  while (text.size() <= hook::kMaxJsonBytes) {
    const ssize_t count = ::read(file.get(), block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) return text;
    text.append(block.data(), static_cast<std::size_t>(count));
  }
  return std::nullopt;
}

std::optional<std::string> real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real{::realpath(path.c_str(), nullptr),
                                                         &std::free};
  if (!real) return std::nullopt;
  return std::string{real.get()};
}

/// Where the program lies, found as it will be started.
std::optional<std::string> find_program(const std::string& program) {
  if (program.find('/') != std::string::npos) return real_path(program);
  const char* const path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    std::string candidate{rest.substr(0, end)};
    rest.remove_prefix(std::min(end + 1, rest.size()));
    candidate += "/" + program;
    if (::access(candidate.c_str(), X_OK) == 0) return real_path(candidate);
  }
  return std::nullopt;
}

/// Without running it: by the name of its file, as the native installer lays it out, or by the
/// package that it is in.
std::optional<hook::Version> client_version(const std::string& program) {
  const auto path = find_program(program);
  if (!path) return std::nullopt;
  if (const auto version = hook::version_of(name_of(*path))) return version;
  const std::string own = folder_of(*path);
  for (const std::string& folder : {own, folder_of(own)}) {
    const auto text = read_file(folder + "/package.json");
    if (!text) continue;
    std::string why;
    const auto package = hook::read_json(*text, why);
    if (!package || !package->is_object()) continue;
    const auto name = package->find("name");
    const auto version = package->find("version");
    if (name == package->end() || version == package->end() || !name->is_string() ||
        !version->is_string() ||
        !name->get_ref<const std::string&>().starts_with("@anthropic-ai/claude-code")) {
      continue;
    }
    return hook::version_of(version->get_ref<const std::string&>());
  }
  return std::nullopt;
}

/// What no other command is by chance; nothing is run for it.
std::string new_greeting() {
  std::array<std::uint8_t, 16> random{};
  if (::getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size()))
    return {};
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text{": nd7 hooks are in force "};
  for (const std::uint8_t byte : random) {
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

}  // namespace

bool is_client(const std::string& program) { return name_of(program) == "claude"; }

std::variant<Client, std::string> prepare_client(const std::vector<std::string>& arguments,
                                                 const Installed& installed) {
  hook::ClientRequest request;
  request.arguments = arguments;
  request.installation = {installed.nd7, installed.nd7_exec, new_greeting()};
  request.version = client_version(arguments.front());
  request.read_file = read_file;
  auto result = hook::client_arguments(request);
  if (auto* const why = std::get_if<std::string>(&result)) return std::move(*why);
  auto& prepared = std::get<hook::ClientArguments>(result);
  Client client;
  client.arguments = std::move(prepared.arguments);
  client.notes = std::move(prepared.notes);
  client.shell_prefix = hook::shell_prefix(installed.nd7_exec);
  if (prepared.conversation) client.greeting = request.installation.canary;
  return client;
}

}  // namespace nd7::runtime::cli
