#include "runtime/session/render.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "compiler/diagnostics/render.hpp"
#include "compiler/linux/model.hpp"
#include "compiler/pipeline/compile_linux.hpp"
#include "compiler/shipped/shipped.hpp"

namespace nd7::runtime {
namespace {

std::string toml_string(std::string_view text) {
  std::string result{"\""};
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\u{:04x}", byte);
      continue;
    }
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

/// Texts of the record first; what is read beside them becomes part of it.
class RecordFiles final : public Files {
 public:
  RecordFiles(Record& record, const Files* more) : record_(record), more_(more) {}

  [[nodiscard]] std::variant<FileText, FileError> read(const std::string& path) const override {
    if (const auto known = record_.sources.find(path); known != record_.sources.end()) {
      return FileText{known->first, known->second};
    }
    if (more_ == nullptr) return FileError{"not part of the session"};
    auto result = more_->read(path);
    if (const auto* const text = std::get_if<FileText>(&result)) {
      record_.sources.emplace(path, text->text);
      record_.sources.emplace(text->path, text->text);
    }
    return result;
  }

 private:
  Record& record_;
  const Files* more_;
};

/// The rules of a session that adds sets to those that were asked for.
std::string rules_of(const Record& record) {
  std::string text = "nd7 = 1\nname = \"nd7-run\"\nextends = " + toml_string(record.root);
  text += "\nuse = [";
  for (const std::string& set : record.sets) text += toml_string(set) + ",";
  return text + "]\n";
}

std::string report_of(const Diagnostics& diagnostics, const SourceMap& sources) {
  RenderOptions options;
  // What does not keep a session from starting is a line each.
  if (!diagnostics.has_errors()) options.format = Format::compact;
  options.color = ::isatty(STDERR_FILENO) == 1;
  return render(diagnostics, sources, options);
}

}  // namespace

RenderResult render(Record& record, laws::Profile profile, const Files* files) {
  const RecordFiles all{record, files};
  SourceMap sources;
  Diagnostics diagnostics;
  CompileOptions options;
  options.check.target = ir::Target::linux;
  options.check.bindings = record.bindings;
  options.check.bindings["HOME"] = record.home;
  options.check.bindings["PROJ"] = record.project;
  options.check.bindings["TMP"] = record.temporary;
  options.check.exit = record.exit;
  options.profile = profile;
  if (profile == laws::Profile::command) options.grants = record.grants;
  options.protect = record.protect;
  options.protect_sources = true;

  FileId id;
  if (!record.sets.empty()) {
    id = sources.add("nd7 run", {}, rules_of(record));
  } else if (const auto set = shipped_set(record.root)) {
    id = sources.add(record.root + ".toml", {}, std::string{*set});
  } else {
    auto root = all.read(record.root);
    if (const auto* const error = std::get_if<FileError>(&root)) {
      return {std::nullopt, fmt::format("{}: {}\n", printable(record.root), error->reason)};
    }
    auto& text = std::get<FileText>(root);
    id = sources.add(text.path, text.path, std::move(text.text));
  }
  auto compiled = compile_linux(sources, all, id, options, diagnostics);
  RenderResult result;
  result.report = report_of(diagnostics, sources);
  if (!compiled) return result;
  for (const std::string& bug : compiled->bugs) result.report += bug + "\n";
  if (!compiled->bugs.empty() || diagnostics.has_errors()) return result;
  Rendered rendered;
  rendered.plan = std::move(compiled->plan);
  remove_unset(rendered.plan);
  resolve_links(rendered.plan);
  // Programs that lie where a session has a directory of its own would not be there.
  if (linux_plan::is_private(rendered.plan, record.exit)) {
    rendered.plan.read.push_back({record.exit, true, "nd7/exit"});
  }
  rendered.params = std::move(compiled->policy.params);
  rendered.protect = std::move(compiled->protect);
  const auto& accepted = compiled->policy.acceptances;
  for (const linux_plan::Loss& loss : compiled->losses) {
    const bool known = std::any_of(accepted.begin(), accepted.end(), [&](const auto& acceptance) {
      return acceptance.loss == loss.name;
    });
    if (!known) rendered.losses.push_back(loss.message);
  }
  result.rendered = std::move(rendered);
  return result;
}

}  // namespace nd7::runtime
