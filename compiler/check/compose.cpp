#include "compiler/check/compose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/diagnostics/suggest.hpp"
#include "compiler/digest/sha256.hpp"
#include "compiler/shipped/shipped.hpp"
#include "compiler/syntax/toml_document.hpp"

namespace nd7 {
namespace {

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {};
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string last_component(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// A set's name is a word; everything else is a path.
bool is_set_name(std::string_view text) {
  return text.find('/') == std::string_view::npos && text.find('.') == std::string_view::npos;
}

class Composer {
 public:
  Composer(SourceMap& sources, const Files& files, Diagnostics& diagnostics)
      : sources_(sources), files_(files), diagnostics_(diagnostics) {}

  std::optional<Composition> run(FileId root) {
    const std::size_t errors = diagnostics_.error_count();
    const std::string& path = sources_.file(root).path();
    stack_.push_back({path.empty() ? "-" : path, {}});
    visit(root, false, true, {}, {});
    if (diagnostics_.error_count() != errors) return std::nullopt;
    check_names();
    if (diagnostics_.error_count() != errors) return std::nullopt;
    return std::move(result_);
  }

 private:
  struct Frame {
    std::string identity;
    Span span;  ///< the value that named it
  };

  void visit(FileId id, bool shipped, bool in_base_chain,
             std::map<std::string, StringNode> arguments, std::vector<Span> chain) {
    const auto toml = read_toml(sources_, id, diagnostics_);
    if (!toml) return;
    auto file = read_rules_file(*toml, id, diagnostics_);
    if (!file) return;
    LoadedUnit unit;
    unit.shipped = shipped;
    unit.folder = folder_of(sources_.file(id).path());
    unit.arguments = std::move(arguments);
    unit.unit.set = file->name;
    unit.unit.file = id;
    unit.unit.display = shipped ? file->name + ".toml" : last_component(sources_.file(id).name());
    unit.unit.sha256 = sha256_hex(sources_.file(id).text());
    unit.unit.chain = std::move(chain);
    unit.unit.in_base_chain = in_base_chain;
    if (!in_base_chain) check_additive(*file);
    if (file->extends && in_base_chain) follow(*file->extends, unit, true, {});
    for (const UseNode& use : file->use) {
      std::map<std::string, StringNode> given;
      for (const auto& [name, value] : use.arguments) given.emplace(name.text, value);
      follow(use.set, unit, false, std::move(given));
    }
    unit.file = std::move(*file);
    result_.units.push_back(std::move(unit));
  }

  void check_additive(const RulesFile& file) {
    const auto refuse = [&](Code code, Span span, std::string_view what) {
      auto& d = diagnostics_.add(
          code, span, fmt::format("{} in `{}`, which is used as a set", what, file.name));
      d.helps.emplace_back(
          "a set only adds rules; this belongs to the file that is run or its base");
      if (stack_.size() > 1) d.labels.push_back({stack_.back().span, "used here"});
    };
    if (file.extends) refuse(Code::ND2037, file.extends->span, "`extends`");
    if (file.within) refuse(Code::ND2037, file.within->span, "`within`");
    for (const RuleNode& rule : file.rules) {
      if (rule.kind == RuleNode::Kind::relax) refuse(Code::ND2044, rule.id_span, "`relax`");
    }
    for (const ReasonNode& drop : file.drops) refuse(Code::ND2044, drop.key_span, "`drop`");
    for (const ReasonNode& accept : file.accepts) refuse(Code::ND2044, accept.key_span, "`accept`");
  }

  void follow(const StringNode& target, const LoadedUnit& from, bool base,
              std::map<std::string, StringNode> arguments) {
    std::string identity;
    std::optional<std::string> text;
    std::string name;
    std::string path;
    if (is_set_name(target.text)) {
      const auto shipped = shipped_set(target.text);
      if (!shipped) {
        unknown_set(target);
        return;
      }
      identity = "shipped:" + target.text;
      name = "<" + target.text + ">";
      text = std::string{*shipped};
    } else {
      if (target.text.front() != '/' && from.folder.empty()) {
        auto& d = diagnostics_.add(
            Code::ND2030, target.span,
            fmt::format("`{}` is relative to a file that has no folder", target.text));
        d.helps.emplace_back(
            "text from standard input and shipped sets name others by absolute path "
            "or by the name of a shipped set");
        return;
      }
      const std::string wanted = target.text.front() == '/'
                                     ? target.text
                                     : (from.folder == "/" ? "" : from.folder) + "/" + target.text;
      auto read = files_.read(wanted);
      if (const auto* error = std::get_if<FileError>(&read)) {
        auto& d = diagnostics_.add(Code::ND2030, target.span,
                                   fmt::format("`{}` cannot be read: {}", wanted, error->reason));
        note_chain(d);
        return;
      }
      auto& loaded = std::get<FileText>(read);
      identity = loaded.path;
      path = loaded.path;
      // Shown as the author wrote it, from where the root was named.
      name = target.text.front() == '/'
                 ? target.text
                 : sibling(sources_.file(from.unit.file).name(), target.text);
      text = std::move(loaded.text);
    }
    if (reject_cycle(identity, target)) return;
    if (const auto known = loaded_.find(identity); known != loaded_.end()) {
      check_same_arguments(known->second, arguments, target, base);
      return;
    }
    if (loaded_.size() >= kMaxUnits || stack_.size() >= kMaxChain) {
      diagnostics_.add(Code::ND9004, target.span,
                       fmt::format("more than {} files, or more than {} that name each other",
                                   kMaxUnits, kMaxChain));
      return;
    }
    loaded_.emplace(identity, Known{arguments, base, target.span});
    const FileId id = sources_.add(std::move(name), std::move(path), std::move(*text));
    std::vector<Span> chain;
    for (std::size_t i = 1; i < stack_.size(); ++i) chain.push_back(stack_[i].span);
    chain.push_back(target.span);
    stack_.push_back({identity, target.span});
    visit(id, identity.rfind("shipped:", 0) == 0, base, std::move(arguments), std::move(chain));
    stack_.pop_back();
  }

  static std::string sibling(const std::string& of, const std::string& relative) {
    const std::size_t slash = of.rfind('/');
    return slash == std::string::npos ? relative : of.substr(0, slash + 1) + relative;
  }

  void unknown_set(const StringNode& target) {
    const std::vector<std::string> names = shipped_set_names();
    auto& d = diagnostics_.add(Code::ND2032, target.span,
                               fmt::format("`{}` is not a set that comes with nd7", target.text));
    if (const auto near = nearest(target.text, names)) {
      d.fixits.push_back(
          {target.span, "\"" + *near + "\"", fmt::format("did you mean `{}`?", *near)});
    }
    d.helps.push_back(fmt::format("the sets are `{}`; a file is named with its ending, `{}.toml`",
                                  fmt::join(names, "`, `"), target.text));
    note_chain(d);
  }

  void note_chain(Diagnostic& d) {
    for (std::size_t i = stack_.size(); i-- > 1;)
      d.labels.push_back({stack_[i].span, "named here"});
  }

  bool reject_cycle(const std::string& identity, const StringNode& target) {
    const auto at = std::find_if(stack_.begin(), stack_.end(),
                                 [&](const Frame& frame) { return frame.identity == identity; });
    if (at == stack_.end()) return false;
    auto& d = diagnostics_.add(Code::ND2031, target.span, "this closes a circle of files");
    for (auto frame = at + 1; frame < stack_.end(); ++frame) {
      d.labels.push_back({frame->span, "which is named here"});
    }
    return true;
  }

  struct Known {
    std::map<std::string, StringNode> arguments;
    bool base = false;
    Span span;
  };

  void check_same_arguments(const Known& known, const std::map<std::string, StringNode>& arguments,
                            const StringNode& target, bool base) {
    const bool same = known.arguments.size() == arguments.size() &&
                      std::equal(known.arguments.begin(), known.arguments.end(), arguments.begin(),
                                 [](const auto& a, const auto& b) {
                                   return a.first == b.first && a.second.text == b.second.text;
                                 });
    if (same && known.base == base) return;
    auto& d = diagnostics_.add(
        same ? Code::ND2037 : Code::ND2033, target.span,
        same ? fmt::format("`{}` is both a base and a set", target.text)
             : fmt::format("`{}` is used twice, with different parameters", target.text));
    d.labels.push_back({known.span, "the other use"});
    d.helps.emplace_back(
        same ? "a base counts already; leave it out of `use`"
             : "give both uses the same parameters, or copy the set under a new name");
  }

  void check_names() {
    std::map<std::string, Span> seen;
    for (const LoadedUnit& unit : result_.units) {
      const auto [at, fresh] = seen.try_emplace(unit.unit.set, unit.file.name_span);
      if (fresh) continue;
      auto& d = diagnostics_.add(Code::ND2036, unit.file.name_span,
                                 fmt::format("two files are called `{}`", unit.unit.set));
      d.labels.push_back({at->second, "the other one"});
      d.helps.emplace_back("rules are known as `name/id`, so each file needs a name of its own");
    }
  }

  SourceMap& sources_;
  const Files& files_;
  Diagnostics& diagnostics_;
  Composition result_;
  std::vector<Frame> stack_;
  std::map<std::string, Known> loaded_;
};

}  // namespace

std::optional<Composition> compose(SourceMap& sources, const Files& files, FileId root,
                                   Diagnostics& diagnostics) {
  return Composer{sources, files, diagnostics}.run(root);
}

}  // namespace nd7
