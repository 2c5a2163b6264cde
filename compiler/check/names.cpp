#include "compiler/check/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "compiler/diagnostics/suggest.hpp"

namespace nd7 {
namespace {

constexpr std::array<std::string_view, 4> kBuiltins{"home", "project", "tmp", "here"};

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

/// A component `.` or `..`, which would climb out of the path around it.
bool has_dots(std::string_view text) {
  while (true) {
    const std::string_view part = text.substr(0, text.find('/'));
    if (part == "." || part == "..") return true;
    if (part.size() == text.size()) return false;
    text.remove_prefix(part.size() + 1);
  }
}

/// A run of literal text, or a name.
struct Part {
  std::string text;
  bool is_name = false;
  std::size_t begin = 0;  ///< in the decoded string
  std::size_t end = 0;
};

struct Split {
  std::vector<Part> parts;
  std::optional<std::pair<std::size_t, std::string>> error;  ///< offset, message
};

/// `${name}` is a name, `$${` a literal `${`, every other `$` itself.
Split split(std::string_view text) {
  Split result;
  std::string literal;
  std::size_t at = 0;
  const auto flush = [&] {
    if (!literal.empty()) result.parts.push_back({std::exchange(literal, {}), false, 0, 0});
  };
  while (at < text.size()) {
    if (text.substr(at, 3) == "$${") {
      literal += "${";
      at += 3;
      continue;
    }
    if (text.substr(at, 2) != "${") {
      literal.push_back(text[at++]);
      continue;
    }
    std::size_t end = at + 2;
    while (end < text.size() && is_name_character(text[end])) ++end;
    if (end >= text.size() || text[end] != '}' || end == at + 2) {
      result.error = {
          at, "`${` begins a name, which letters, digits, `-`, `_` and then `}` must follow"};
      return result;
    }
    flush();
    result.parts.push_back({std::string{text.substr(at + 2, end - at - 2)}, true, at, end + 1});
    at = end + 1;
  }
  flush();
  return result;
}

}  // namespace

Names::Names(const LoadedUnit& unit, const std::map<std::string, std::string>& bound,
             ir::Policy& policy, Diagnostics& diagnostics)
    : unit_(unit), policy_(policy), diagnostics_(diagnostics) {
  declare_builtins();
  declare_params(bound);
  declare_lets();
}

void Names::declare_builtins() {
  const auto declare = [&](const char* name, ir::Text text) {
    known_[name] = {{{std::move(text), {}, {}}}, false};
  };
  declare("home", ir::hole(ir::kHome));
  declare("project", ir::hole(ir::kProject));
  declare("tmp", ir::hole(ir::kTmp));
  if (!unit_.folder.empty()) declare("here", unit_.folder);
}

void Names::declare_params(const std::map<std::string, std::string>& bound) {
  std::vector<std::string> declared;
  for (const ParamNode& node : unit_.file.params) {
    declared.push_back(node.name);
    if (std::find(kBuiltins.begin(), kBuiltins.end(), node.name) != kBuiltins.end()) {
      diagnostics_.add(Code::ND2014, node.name_span,
                       fmt::format("`{}` is a built-in name", node.name));
      continue;
    }
    if (policy_.params.size() >= ir::kMaxParams) {
      diagnostics_.add(Code::ND9004, node.name_span,
                       fmt::format("more than {} parameters", ir::kMaxParams));
      return;
    }
    ir::Param param;
    param.key = unit_.unit.set + "." + node.name;
    param.optional = node.optional && node.optional->value;
    param.span = node.name_span;
    if (node.environment) {
      param.source = ir::ParamSource::environment;
      param.environment = node.environment->text;
    } else if (node.git) {
      param.source = ir::ParamSource::git_common_dir;
    }
    if (const auto given = bound.find(param.key); given != bound.end()) {
      param.value = given->second;
    } else if (const auto argument = unit_.arguments.find(node.name);
               argument != unit_.arguments.end()) {
      if (check_no_nul(argument->second)) param.value = argument->second.text;
    } else if (node.fallback) {
      if (check_no_nul(*node.fallback)) param.value = node.fallback->text;
    }
    if (param.value && has_dots(*param.value)) {
      diagnostics_
          .add(Code::ND5007, node.name_span,
               fmt::format("`{}` is given `{}`, which holds a component `.` or `..`", node.name,
                           *param.value))
          .helps.emplace_back("a value is plain text in a path: write the place that is meant");
      continue;
    }
    const ir::ParamId id{static_cast<std::uint32_t>(policy_.params.size())};
    Expanded value{param.value ? *param.value : ir::hole(id), {}, node.name_span};
    // Whoever sets a parameter chooses a value, not what kind of pattern it is.
    if (param.value) value.literal.emplace_back(0, value.text.size());
    known_[node.name] = {{std::move(value)}, false};
    policy_.params.push_back(std::move(param));
  }
  for (const auto& [name, value] : unit_.arguments) {
    if (std::find(declared.begin(), declared.end(), name) != declared.end()) continue;
    auto& d = diagnostics_.add(Code::ND2034, value.span,
                               fmt::format("`{}` has no parameter `{}`", unit_.unit.set, name));
    if (const auto near = nearest(name, declared)) {
      d.helps.push_back(fmt::format("did you mean `{}`?", *near));
    }
  }
}

void Names::declare_lets() {
  for (const LetNode& let : unit_.file.lets) {
    const auto& top = top_level_keys();
    const bool key = std::find(top.begin(), top.end(), let.name) != top.end();
    const bool builtin = std::find(kBuiltins.begin(), kBuiltins.end(), let.name) != kBuiltins.end();
    if (key || builtin || known_.count(let.name) != 0) {
      auto& d = diagnostics_.add(Code::ND2014, let.name_span,
                                 fmt::format("`{}` is {}", let.name,
                                             key       ? "a key of rules files"
                                             : builtin ? "a built-in name"
                                                       : "a parameter"));
      if (key) d.helps.push_back(fmt::format("`{}` belongs above the first `[table]`", let.name));
      continue;
    }
    lets_.emplace(let.name, &let);
  }
}

bool Names::check_no_nul(const StringNode& node) {
  if (node.text.find('\0') == std::string::npos) return true;
  diagnostics_.add(Code::ND2022, node.span, "a NUL character")
      .helps.emplace_back("no path or name can hold one; remove the escape");
  return false;
}

void Names::unknown(std::string_view name, Span span) {
  if (name == "here") {
    diagnostics_.add(Code::ND2006, span, "`here` has no meaning in a text that has no folder");
    return;
  }
  auto& d = diagnostics_.add(Code::ND2006, span, fmt::format("nothing here is called `{}`", name));
  if (diagnostics_.error_count() > kMostSuggestions) return;
  std::vector<std::string> candidates;
  for (const auto& [known, value] : known_) candidates.push_back(known);
  for (const auto& [let, node] : lets_) candidates.push_back(let);
  if (const auto near = nearest(name, candidates)) {
    d.helps.push_back(fmt::format("did you mean `{}`?", *near));
  } else {
    d.helps.push_back(
        fmt::format("the names of this file are `{}`", fmt::join(candidates, "`, `")));
  }
}

std::optional<Names::Resolved> Names::resolve(std::string_view name, Span span) {
  used_.emplace(name);
  if (const auto known = known_.find(name); known != known_.end()) return known->second;
  const auto let = lets_.find(name);
  if (let == lets_.end()) {
    unknown(name, span);
    return std::nullopt;
  }
  const auto open = std::find(resolving_.begin(), resolving_.end(), let->second);
  if (open != resolving_.end()) {
    auto& d = diagnostics_.add(Code::ND2015, span, fmt::format("`{}` is defined by itself", name));
    for (auto at = open; at != resolving_.end(); ++at) {
      d.labels.push_back({(*at)->name_span, fmt::format("by way of `{}`", (*at)->name)});
    }
    return std::nullopt;
  }
  if (resolving_.size() >= kMaxChain) {
    diagnostics_.add(Code::ND9004, span,
                     fmt::format("more than {} names that define each other", kMaxChain));
    return std::nullopt;
  }
  resolving_.push_back(let->second);
  auto result = resolve_let(*let->second);
  resolving_.pop_back();
  if (result) known_.emplace(std::string{name}, *result);
  return result;
}

std::optional<Names::Resolved> Names::resolve_let(const LetNode& let) {
  Resolved result;
  result.list = let.values.list;
  result.values = expand(let.values);
  if (result.values.empty()) return std::nullopt;
  return result;
}

std::vector<Expanded> Names::expand(const StringNode& node) {
  if (spent_ > kMaxExpandedBytes || !check_no_nul(node)) return {};
  const Split parts = split(node.text);
  // Spans inside the string are exact where the source shows the content as it is.
  const auto span_of = [&](const Part& part) {
    const bool exact =
        node.span.size() == node.text.size() + 2 || node.span.size() == node.text.size() + 6;
    if (!exact) return node.span;
    return Span{node.span.file, node.content_begin + static_cast<std::uint32_t>(part.begin),
                node.content_begin + static_cast<std::uint32_t>(part.end)};
  };
  if (parts.error) {
    auto& d = diagnostics_.add(Code::ND1023, node.span, parts.error->second);
    d.helps.emplace_back("for the characters `${` themselves, write `$${`");
    return {};
  }
  std::vector<Expanded> result{{{}, {}, node.span}};
  const bool whole = parts.parts.size() == 1;
  for (const Part& part : parts.parts) {
    if (!part.is_name) {
      for (Expanded& one : result) one.text += part.text;
      continue;
    }
    const auto resolved = resolve(part.text, span_of(part));
    if (!resolved) return {};
    if (result.size() * resolved->values.size() > kMaxExpansion) {
      diagnostics_.add(Code::ND9004, node.span,
                       fmt::format("this stands for more than {} values", kMaxExpansion));
      return {};
    }
    std::vector<Expanded> product;
    for (const Expanded& one : result) {
      for (const Expanded& value : resolved->values) {
        Expanded next = one;
        const std::size_t begin = next.text.size();
        next.text += value.text;
        if (whole) {
          next.literal = value.literal;
        } else {
          next.literal.emplace_back(begin, next.text.size());
        }
        if (next.text.size() > 65536) {
          diagnostics_.add(Code::ND9004, node.span, "this value grows beyond 64 KiB");
          return {};
        }
        if (!take(next.text.size() + sizeof(Expanded), node.span)) return {};
        product.push_back(std::move(next));
      }
    }
    result = std::move(product);
  }
  return result;
}

/// Reports once, at what goes too far.
bool Names::take(std::size_t bytes, Span span) {
  if (spent_ <= kMaxExpandedBytes && spent_ + bytes > kMaxExpandedBytes) {
    diagnostics_
        .add(Code::ND9004, span,
             fmt::format("the names of this file grow its values beyond {} MiB",
                         kMaxExpandedBytes >> 20U))
        .helps.emplace_back("name a directory instead of everything in it");
  }
  spent_ += bytes;
  return spent_ <= kMaxExpandedBytes;
}

std::vector<Expanded> Names::expand(const ValuesNode& values) {
  std::vector<Expanded> result;
  for (const StringNode& item : values.items) {
    auto some = expand(item);
    if (some.empty()) return {};
    result.insert(result.end(), std::make_move_iterator(some.begin()),
                  std::make_move_iterator(some.end()));
    if (result.size() > 16 * kMaxExpansion) {
      diagnostics_.add(Code::ND9004, values.span, "this list grows beyond 65536 values");
      return {};
    }
  }
  return result;
}

std::vector<Expanded> Names::expand_name(std::string_view name, Span span) {
  auto resolved = resolve(name, span);
  if (!resolved) return {};
  for (Expanded& value : resolved->values) value.span = span;
  return std::move(resolved->values);
}

void Names::report_unused() {
  for (const LetNode& let : unit_.file.lets) {
    if (used_.count(let.name) != 0 || lets_.count(let.name) == 0) continue;
    diagnostics_.add(Code::ND2016, let.name_span, fmt::format("nothing uses `{}`", let.name));
  }
  for (const ParamNode& param : unit_.file.params) {
    if (used_.count(param.name) != 0) continue;
    diagnostics_.add(Code::ND2016, param.name_span,
                     fmt::format("nothing uses the parameter `{}`", param.name));
  }
}

}  // namespace nd7
