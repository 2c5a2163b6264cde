// The whole compiler: whatever compiles is read back, holds the seal, and means the same under
// every reading of Seatbelt's precedence.
//
// An input is a rules file. What follows a line `#---` is a second file, /rules/base.toml. Where
// the text begins with `#` and a letter, the letter's bits choose the profile and what is bound.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/pipeline/compile.hpp"
#include "compiler/seatbelt/read/precedence.hpp"
#include "compiler/seatbelt/read/profile.hpp"

#ifdef ND7_FUZZ_MUTATOR
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);
#endif

namespace {

using namespace nd7;
using namespace nd7::seatbelt;

void require(bool condition, std::string_view what, std::string_view text) {
  if (condition) return;
  std::fprintf(stderr, "%.*s\n%.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(text.size()), text.data());
  std::abort();
}

constexpr std::string_view kHome = "/Users/dev";

struct Case {
  std::string_view root;
  std::string_view base;
  CompileOptions options;
  bool bound = false;
};

Case parse(std::string_view text) {
  Case result;
  unsigned flags = 0;
  if (text.size() > 1 && text[0] == '#' && text[1] >= 'a')
    flags = static_cast<unsigned char>(text[1]);
  constexpr std::string_view kSeparator = "\n#---\n";
  const std::size_t at = text.find(kSeparator);
  result.root = text.substr(0, at);
  if (at != std::string_view::npos) result.base = text.substr(at + kSeparator.size());
  CompileOptions& options = result.options;
  options.profile = (flags & 2U) != 0 ? laws::Profile::command : laws::Profile::floor;
  if ((flags & 4U) != 0) options.check.release = Release::macos13;
  if ((flags & 8U) != 0) options.grants = {"/Users/dev", "/opt/data"};
  result.bound = (flags & 1U) != 0;
  if (result.bound) {
    options.check.bindings = {
        {"HOME", std::string{kHome}}, {"PROJ", "/Users/dev/project"}, {"TMP", "/private/tmp/t"}};
    options.check.exit = "/usr/local/bin/nd7-exec";
  }
  return result;
}

using read::Parameter;

std::optional<read::RuleBase> read_back(const std::string& text, const Compiled& compiled,
                                        std::optional<Release> release, Parameter::Kind optional) {
  read::ReadOptions options;
  options.release = release;
  for (const ir::Param& param : compiled.policy.params) {
    std::string value = "/Users/dev/" + param.key;
    if (param.key == "HOME") value = kHome;
    auto kind = param.optional ? optional : Parameter::Kind::bound;
    // Nobody can say of an exit that stands anywhere that it is not below the seal.
    if (param.key == "EXIT" && kind == Parameter::Kind::opaque) kind = Parameter::Kind::bound;
    options.parameters.push_back({param.key, kind, std::move(value)});
  }
  SourceMap sources;
  Diagnostics diagnostics;
  const std::vector<FileId> files{sources.add("profile", "", text)};
  auto rules = read::read_profile(sources, files, options, diagnostics);
  if (!rules) {
    // A limit of the reader is no fault of the profile.
    const Code code = diagnostics.all().back().code;
    if (code == Code::ND6003 || code == Code::ND6004 || code == Code::ND6016 ||
        code == Code::ND6017 || code == Code::ND6018) {
      return std::nullopt;
    }
    for (const Diagnostic& d : diagnostics.all()) std::fprintf(stderr, "%s\n", d.message.c_str());
    require(false, "the profile is not read back", text);
  }
  return rules;
}

void check_seal(const read::RuleBase& rules, std::optional<Release> release,
                const std::string& text) {
  for (std::size_t i = 1; i < kOpCount; ++i) {
    const Op op = static_cast<Op>(i);
    if (info(op).subject != Subject::path || !is_concrete(op)) continue;
    // Without a release, only what every release knows can be named.
    const ReleaseSet wanted = release ? ReleaseSet::only(*release) : ReleaseSet::all();
    if (!info(op).releases.contains(wanted)) continue;
    read::Request request;
    request.op = op;
    request.subject = read::PathSubject{std::string{kHome} + "/.nd7/x"};
    for (const auto& decision : read::decide_all(rules, request)) {
      require(decision.verdict == read::Verdict::deny, name(op), text);
    }
  }
}

void check_models(const read::RuleBase& rules, const std::string& text) {
  std::size_t left = 8;
  for (const read::Atom& atom : rules.atoms) {
    if (atom.filter != Filter::subpath && atom.filter != Filter::literal) continue;
    if (left-- == 0) return;
    std::string path;
    for (const char c : atom.text) path += c == '\0' ? std::string{"/n"} : std::string{c};
    for (const char* below : {"", "/x"}) {
      for (const Op op : {Op::file_read_data, Op::file_write_create, Op::file_write_unlink,
                          Op::file_link, Op::file_ioctl, Op::process_exec_all}) {
        read::Request request;
        request.op = op;
        request.subject = read::PathSubject{path + below};
        request.user_roots = {"/"};
        const auto decisions = read::decide_all(rules, request);
        require(!read::diverge(decisions), std::string{name(op)} + " " + path + below, text);
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Case input = parse({reinterpret_cast<const char*>(data), size});
  SourceMap sources;
  MemoryFiles files;
  files.put("/rules/base.toml", std::string{input.base});
  const FileId root = sources.add("root.toml", "/rules/root.toml", std::string{input.root});
  Diagnostics diagnostics;
  const auto compiled = compile(sources, files, root, input.options, diagnostics);
  require(compiled.has_value() == (diagnostics.error_count() == 0), "errors and a result", "");
  if (!compiled) return 0;
  const std::string& text = compiled->printed.text;
  for (const std::string& bug : compiled->bugs) require(false, bug, text);
  const auto& release = input.options.check.release;
  for (const auto optional :
       {Parameter::Kind::bound, Parameter::Kind::unset, Parameter::Kind::opaque}) {
    if (const auto rules = read_back(text, *compiled, release, optional)) {
      check_seal(*rules, release, text);
      check_models(*rules, text);
    }
  }
  return 0;
}

#ifdef ND7_FUZZ_MUTATOR
namespace {

/// What a byte-wise mutation hardly ever hits upon.
constexpr std::string_view kTokens[] = {"\n[allow.x]\n",
                                        "\n[deny.y]\n",
                                        "\n[relax.\"t/y\"]\n",
                                        "\n[drop]\n",
                                        "\n[let]\n",
                                        "\n[param]\n",
                                        "read = ",
                                        "write = ",
                                        "exec = ",
                                        "connect = ",
                                        "bind = ",
                                        "mach = ",
                                        "signal = ",
                                        "sysctl = ",
                                        "except = ",
                                        "ops = [\"file-read*\"]\n",
                                        "ops = [\"network-outbound\"]\n",
                                        "ops = [\"file*\"]\n",
                                        "ops = [\"mach-lookup\"]\n",
                                        "where = 'true'\n",
                                        "where = '",
                                        "names-only = true\n",
                                        "extends = \"floor\"\n",
                                        "extends = \"base.toml\"\n",
                                        "use = [\"git\"]\n",
                                        "\"~/.ssh\"",
                                        "\"/\"",
                                        "\"${project}\"",
                                        "\"glob:~/*/x\"",
                                        "\"name:.env*\"",
                                        "\"regex:^/a/[^/]*(/|$)\"",
                                        "\"literal:/x\"",
                                        "\"prefix:/tmp/c-\"",
                                        "\"localhost:80-90\"",
                                        "\"unix:/x\"",
                                        "\"udp/*:53\"",
                                        "\"xpc:a*\"",
                                        "\"any\"",
                                        " and ",
                                        " or ",
                                        "not (",
                                        "subpath(\"/a\")",
                                        "name(\"x*\")",
                                        "port in 1..9",
                                        "vnode == directory",
                                        "\n[accept]\n\"macos/host-by-port\" = \"x\"\n",
                                        "p = { default = \"/d\" }\n",
                                        "q = { env = \"Q\", optional = true }\n",
                                        "\"${p}/x\"",
                                        "\"${q}\"",
                                        "l = [\"/a\", \"~/b\"]\n",
                                        "\"${l}\"",
                                        "\n#---\nnd7 = 1\nname = \"b\"\n",
                                        "process*",
                                        "file-link",
                                        "\n",
                                        "\"",
                                        "'",
                                        ", ",
                                        "]\n"};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  if (seed % 3 == 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::string_view token = kTokens[seed / 3 % std::size(kTokens)];
  if (size + token.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::size_t at = seed / 128 % (size + 1);
  // Most tokens make sense at the beginning of a line only.
  if (seed % 3 == 1) {
    while (at < size && data[at] != '\n') ++at;
    if (at < size) ++at;
  }
  std::copy_backward(data + at, data + size, data + size + token.size());
  std::copy(token.begin(), token.end(), data + at);
  return size + token.size();
}
#endif
