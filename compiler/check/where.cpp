#include "compiler/check/where.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "compiler/check/paths.hpp"
#include "compiler/check/values.hpp"
#include "compiler/diagnostics/suggest.hpp"
#include "compiler/pattern/regex.hpp"

namespace nd7 {
namespace {

using seatbelt::Filter;
using seatbelt::FilterValue;
using seatbelt::Op;
using seatbelt::Subject;
using seatbelt::Variant;

constexpr std::array kPathForms{
    std::pair<std::string_view, PathForm>{"subpath", PathForm::subpath},
    std::pair<std::string_view, PathForm>{"literal", PathForm::literal},
    std::pair<std::string_view, PathForm>{"prefix", PathForm::prefix},
    std::pair<std::string_view, PathForm>{"glob", PathForm::glob},
    std::pair<std::string_view, PathForm>{"regex", PathForm::regex},
    std::pair<std::string_view, PathForm>{"name", PathForm::name},
    std::pair<std::string_view, PathForm>{"ancestors", PathForm::ancestors},
};

/// Fields of an address; together they make one filter.
constexpr std::array<std::string_view, 3> kAddressFields{"port", "host", "proto"};

std::optional<PathForm> find_form(std::string_view word) {
  for (const auto& [name, form] : kPathForms) {
    if (name == word) return form;
  }
  return std::nullopt;
}

std::vector<std::string_view> known_words() {
  std::vector<std::string_view> words;
  for (const auto& [name, form] : kPathForms) words.push_back(name);
  words.insert(words.end(), kAddressFields.begin(), kAddressFields.end());
  words.insert(words.end(), {"name", "target", "vnode", "signal"});
  for (std::size_t i = 0; i < seatbelt::kFilterCount; ++i) {
    const std::string_view word = seatbelt::name(static_cast<Filter>(i));
    if (word.find(' ') == std::string_view::npos) words.push_back(word);
  }
  return words;
}

std::string upper(std::string_view text) {
  std::string result{text};
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

/// A condition, and which variants of the subject it speaks about.
struct Part {
  ir::CondId cond;
  std::set<Variant> variants;
};

class Resolver {
 public:
  Resolver(const Expr& expr, const std::vector<NamedOperation>& ops, Names& names,
           ir::Policy& policy, Diagnostics& diagnostics)
      : expr_(expr),
        ops_(ops),
        subject_(info(ops.front().op).subject),
        names_(names),
        policy_(policy),
        diagnostics_(diagnostics) {}

  std::optional<ir::CondId> run() {
    const auto part = resolve(expr_.root);
    if (!part) return std::nullopt;
    return part->cond;
  }

 private:
  ir::Conditions& conditions() { return policy_.conditions; }

  // Depth is bounded by the parser (kMaxExpressionDepth).
  std::optional<Part> resolve(std::uint32_t index) {
    const ExprNode& node = expr_.nodes[index];
    switch (node.kind) {
      case ExprNode::Kind::truth: return Part{ir::kAlways, {}};
      case ExprNode::Kind::all:
      case ExprNode::Kind::any: return combine(node);
      case ExprNode::Kind::negation: return negate(node);
      case ExprNode::Kind::call: return call(node);
      case ExprNode::Kind::equals:
      case ExprNode::Kind::in_list:
      case ExprNode::Kind::in_range: return test(node);
    }
    return std::nullopt;
  }

  std::optional<Part> combine(const ExprNode& node) {
    std::vector<ir::CondId> kids;
    Part result;
    bool good = true;
    for (const std::uint32_t kid : node.kids) {
      const auto part = resolve(kid);
      good = good && part.has_value();
      if (!part) continue;
      kids.push_back(part->cond);
      result.variants.insert(part->variants.begin(), part->variants.end());
    }
    if (!good) return std::nullopt;
    result.cond = node.kind == ExprNode::Kind::all ? conditions().all(std::move(kids))
                                                   : conditions().any(std::move(kids));
    return result;
  }

  std::optional<Part> negate(const ExprNode& node) {
    auto part = resolve(node.kids.front());
    if (!part) return std::nullopt;
    const ir::CondId negated = conditions().negate(part->cond);
    if (seatbelt::variants(subject_).size() == 1 || part->variants.empty()) {
      return Part{negated, part->variants};
    }
    if (part->variants.size() > 1) {
      diagnostics_.add(Code::ND2029, node.span, "a negation over more than one kind of subject")
          .helps.emplace_back("negate each kind by itself: what is left over would be ambiguous");
      return std::nullopt;
    }
    const auto guard = guard_of(*part->variants.begin());
    if (!guard) {
      auto& d = diagnostics_.add(Code::ND2029, node.span,
                                 "Seatbelt cannot say \"every address but these\"");
      d.helps.emplace_back("name the addresses and ports that are meant");
      return std::nullopt;
    }
    return Part{conditions().all({*guard, negated}), part->variants};
  }

  /// What matches every request of a variant, and nothing of the others.
  std::optional<ir::CondId> guard_of(Variant variant) {
    const auto atom = [&](Filter filter) { return conditions().atom({filter, {}, 0, {}}); };
    switch (variant) {
      case Variant::unix_socket:
        if (subject_ == Subject::outbound) return atom(Filter::remote_unix);
        if (subject_ == Subject::inbound) return atom(Filter::local_unix);
        return std::nullopt;
      case Variant::global_name: return atom(Filter::global_name_prefix);
      case Variant::local_name: return atom(Filter::local_name_prefix);
      case Variant::xpc_name: return atom(Filter::xpc_service_name_prefix);
      default: return std::nullopt;
    }
  }

  bool fits(Filter filter, Span span) {
    for (const NamedOperation& op : ops_) {
      if (accepts(op.op, filter)) continue;
      auto& d = diagnostics_.add(
          Code::ND2007, span, fmt::format("`{}` does not fit `{}`", word_, seatbelt::name(op.op)));
      d.labels.push_back({op.span, "the operation"});
      d.helps.push_back(explain_subject(op.op));
      return false;
    }
    return true;
  }

  static std::string explain_subject(Op op) {
    const std::string_view operation = seatbelt::name(op);
    switch (info(op).subject) {
      case Subject::path: return fmt::format("a request of `{}` is about a path", operation);
      case Subject::network:
      case Subject::outbound:
        return fmt::format("a request of `{}` is about an address, a socket's path or a control",
                           operation);
      case Subject::inbound:
        return fmt::format("a request of `{}` is about an own address or a socket's path",
                           operation);
      case Subject::mach:
        return fmt::format("a request of `{}` is about a service name", operation);
      case Subject::process:
      case Subject::signal: return fmt::format("a request of `{}` is about a process", operation);
      case Subject::none: return fmt::format("a request of `{}` has nothing to test", operation);
      default: return fmt::format("see `nd7c help ND2007` for the filters of `{}`", operation);
    }
  }

  std::optional<Part> unknown_word(const ExprNode& node, std::string_view what) {
    const std::vector<std::string_view> words = known_words();
    auto& d = diagnostics_.add(Code::ND2005, node.word_span,
                               fmt::format("`{}` is not a {}", node.word, what));
    if (const auto near = nearest(node.word, words)) {
      d.fixits.push_back({node.word_span, *near, fmt::format("did you mean `{}`?", *near)});
    } else {
      d.helps.emplace_back(
          "filters are `subpath literal prefix regex glob name ancestors` and "
          "Seatbelt's own names");
    }
    return std::nullopt;
  }

  /// The texts that the operands stand for; nullopt after an error.
  std::optional<std::vector<Expanded>> texts(const ExprNode& node) {
    std::vector<Expanded> result;
    for (const ExprValue& value : node.values) {
      std::vector<Expanded> some;
      if (value.kind == ExprValue::Kind::string) {
        StringNode string;
        string.text = value.text;
        string.span = value.span;
        string.content_begin = value.span.begin + 1;
        some = names_.expand(string);
      } else if (value.kind == ExprValue::Kind::word) {
        some = names_.expand_name(value.text, value.span);
      } else {
        diagnostics_.add(Code::ND2002, value.span,
                         fmt::format("`{}` takes strings, not numbers", node.word));
        return std::nullopt;
      }
      if (some.empty()) return std::nullopt;
      result.insert(result.end(), some.begin(), some.end());
    }
    return result;
  }

  Part union_of(std::vector<ir::CondId> kids, Filter filter) {
    Part part{conditions().any(std::move(kids)), {}};
    if (const auto variant = variant_of(filter, subject_)) part.variants.insert(*variant);
    return part;
  }

  std::optional<Part> call(const ExprNode& node) {
    word_ = node.word;
    if (node.values.empty()) {
      if (const auto filter = seatbelt::find_filter(node.word);
          filter && info(*filter).value == FilterValue::none) {
        if (!fits(*filter, node.word_span)) return std::nullopt;
        return union_of({conditions().atom({*filter, {}, 0, {}})}, *filter);
      }
      if (!find_form(node.word) && !seatbelt::find_filter(node.word)) {
        return unknown_word(node, "filter");
      }
      diagnostics_.add(Code::ND2012, node.span,
                       fmt::format("`{}` without anything to match", node.word));
      return std::nullopt;
    }
    if (const auto form = find_form(node.word)) return path_call(node, *form);
    const auto filter = seatbelt::find_filter(node.word);
    if (!filter || info(*filter).value == FilterValue::address) return unknown_word(node, "filter");
    return filter_values(node, *filter);
  }

  std::optional<Part> path_call(const ExprNode& node, PathForm form) {
    const Filter probe = form == PathForm::ancestors ? Filter::path_ancestors : Filter::subpath;
    if (!fits(probe, node.word_span)) return std::nullopt;
    const auto values = texts(node);
    if (!values) return std::nullopt;
    std::vector<ir::CondId> kids;
    for (const Expanded& value : *values) {
      auto parsed = parse_path(value, form, policy_.target, diagnostics_);
      if (!parsed) return std::nullopt;
      const bool everything = subject_ == Subject::path && parsed->atom.filter == Filter::subpath &&
                              parsed->atom.text == "/";
      kids.push_back(everything ? ir::kAlways : conditions().atom(std::move(parsed->atom)));
    }
    return union_of(std::move(kids), probe);
  }

  /// The filter that a field of a test means, given the subject.
  std::optional<Filter> field(std::string_view word) const {
    if (word == "target") return Filter::target;
    if (word == "vnode") return Filter::vnode_type;
    if (word == "signal") return Filter::signal_number;
    if (word == "name") {
      switch (subject_) {
        case Subject::mach: return Filter::global_name;
        case Subject::sysctl: return Filter::sysctl_name;
        case Subject::ipc: return Filter::ipc_posix_name;
        case Subject::preference: return Filter::preference_domain;
        case Subject::nvram: return Filter::nvram_variable;
        default: return std::nullopt;
      }
    }
    const auto filter = seatbelt::find_filter(word);
    if (!filter || info(*filter).value == FilterValue::address ||
        info(*filter).value == FilterValue::none) {
      return std::nullopt;
    }
    return filter;
  }

  std::optional<Part> test(const ExprNode& node) {
    word_ = node.word;
    if (std::find(kAddressFields.begin(), kAddressFields.end(), node.word) !=
        kAddressFields.end()) {
      return address_test(node);
    }
    const auto filter = field(node.word);
    if (!filter) {
      if (node.word == "name") {
        diagnostics_
            .add(Code::ND2007, node.word_span,
                 fmt::format("`name ==` does not fit `{}`", seatbelt::name(ops_.front().op)))
            .helps.emplace_back("for a component of a path, write `name(\"…\")`");
        return std::nullopt;
      }
      return unknown_word(node, "field");
    }
    if (node.kind == ExprNode::Kind::in_range && info(*filter).value != FilterValue::integer) {
      diagnostics_.add(Code::ND2002, node.span, fmt::format("`{}` is not a number", node.word));
      return std::nullopt;
    }
    return filter_values(node, *filter);
  }

  std::optional<Part> filter_values(const ExprNode& node, Filter filter) {
    if (!fits(filter, node.word_span)) return std::nullopt;
    std::vector<ir::CondId> kids;
    const FilterValue kind = info(filter).value;
    if (kind == FilterValue::integer) {
      const auto numbers = integers(node);
      if (!numbers) return std::nullopt;
      for (const std::int64_t number : *numbers) {
        kids.push_back(conditions().atom({filter, {}, number, {}}));
      }
      return union_of(std::move(kids), filter);
    }
    if (kind == FilterValue::symbol) {
      for (const ExprValue& value : node.values) {
        const auto symbol = symbol_of(filter, value);
        if (!symbol) return std::nullopt;
        kids.push_back(conditions().atom({filter, *symbol, 0, {}}));
      }
      return union_of(std::move(kids), filter);
    }
    const auto values = texts(node);
    if (!values) return std::nullopt;
    for (const Expanded& value : *values) {
      const auto atom = text_atom(filter, value);
      if (!atom) return std::nullopt;
      kids.push_back(conditions().atom(*atom));
    }
    return union_of(std::move(kids), filter);
  }

  std::optional<ir::Atom> text_atom(Filter filter, const Expanded& value) {
    if (info(filter).value == FilterValue::path) {
      auto parsed = parse_path(value, PathForm::subpath, policy_.target, diagnostics_);
      if (!parsed) return std::nullopt;
      return ir::Atom{filter, parsed->atom.text, 0, {}};
    }
    if (has_control_character(value.text)) {
      diagnostics_.add(Code::ND2022, value.span, "a value with a control character");
      return std::nullopt;
    }
    if (ir::has_holes(value.text)) {
      diagnostics_.add(Code::ND2035, value.span, "a parameter here needs its value when compiling")
          .helps.emplace_back("give it a `default`, or bind it with -D");
      return std::nullopt;
    }
    if (info(filter).value == FilterValue::regex) {
      if (!value.literal.empty()) {
        diagnostics_.add(Code::ND2025, value.span, "a name inside a regular expression")
            .helps.emplace_back("its value would be read as a pattern; write the value out");
        return std::nullopt;
      }
      const auto parsed = pattern::parse_regex(value.text, pattern::RegexMode::strict);
      if (!parsed.regex) {
        auto& d =
            diagnostics_.add(parsed.error->unsupported ? Code::ND1021 : Code::ND1020, value.span,
                             fmt::format("{} at byte {} of the expression", parsed.error->message,
                                         parsed.error->offset + 1));
        if (!parsed.error->help.empty()) d.helps.push_back(parsed.error->help);
        return std::nullopt;
      }
    }
    return ir::Atom{filter, value.text, 0, {}};
  }

  std::optional<std::string> symbol_of(Filter filter, const ExprValue& value) {
    std::string text =
        value.kind == ExprValue::Kind::integer ? std::to_string(value.integer) : value.text;
    if (filter == Filter::vnode_type) text = upper(text);
    const bool shape = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '_' || c == '-';
    });
    if (shape && knows_symbol(filter, text)) return text;
    diagnostics_
        .add(Code::ND2009, value.span, fmt::format("`{}` is not a value of `{}`", text, word_))
        .helps.emplace_back("see docs/language.md, \"Filters\"");
    return std::nullopt;
  }

  std::optional<std::vector<std::int64_t>> integers(const ExprNode& node) {
    for (const ExprValue& value : node.values) {
      if (value.kind == ExprValue::Kind::integer) continue;
      diagnostics_.add(Code::ND2002, value.span, fmt::format("`{}` takes numbers", node.word));
      return std::nullopt;
    }
    std::vector<std::int64_t> result;
    if (node.kind != ExprNode::Kind::in_range) {
      for (const ExprValue& value : node.values) result.push_back(value.integer);
      return result;
    }
    const std::int64_t first = node.values[0].integer;
    const std::int64_t last = node.values[1].integer;
    // Compared without subtracting: the ends may be the ends of the type.
    if (first > last || first < 0 || last > INT64_C(0xffffffff) ||
        last - first >= kMaxPortsInRange) {
      diagnostics_.add(
          Code::ND2028, node.span,
          fmt::format("a range holds from 1 to {} numbers, in rising order", kMaxPortsInRange));
      return std::nullopt;
    }
    for (std::int64_t number = first; number <= last; ++number) result.push_back(number);
    return result;
  }

  std::optional<Part> address_test(const ExprNode& node) {
    const Filter filter = subject_ == Subject::inbound ? Filter::local : Filter::remote;
    if (!fits(filter, node.word_span)) return std::nullopt;
    if (node.word == "port") return port_test(node, filter);
    std::vector<ir::CondId> kids;
    for (const ExprValue& value : node.values) {
      ir::Address address;
      address.proto = ir::Proto::ip;
      if (node.word == "host") {
        if (value.kind == ExprValue::Kind::integer || !is_seatbelt_host(value.text)) {
          auto& d = diagnostics_.add(Code::ND2027, value.span,
                                     "a host is `\"*\"` or `\"localhost\"` here");
          d.helps.emplace_back(
              "Seatbelt refuses a profile with any other; the verb `connect` takes a "
              "real host name where its loss is accepted");
          return std::nullopt;
        }
        address.host = value.text;
      } else {
        const auto proto = proto_of(value);
        if (!proto) return std::nullopt;
        address.proto = *proto;
      }
      kids.push_back(conditions().atom({filter, {}, 0, address}));
    }
    return union_of(std::move(kids), filter);
  }

  std::optional<ir::Proto> proto_of(const ExprValue& value) {
    for (int i = 0; i <= static_cast<int>(ir::Proto::udp6); ++i) {
      const auto proto = static_cast<ir::Proto>(i);
      if (value.kind != ExprValue::Kind::integer && ir::to_string(proto) == value.text)
        return proto;
    }
    diagnostics_.add(Code::ND2009, value.span, "this is not a protocol")
        .helps.emplace_back("the protocols are `ip tcp udp` and each with 4 or 6");
    return std::nullopt;
  }

  std::optional<Part> port_test(const ExprNode& node, Filter filter) {
    const auto ports = integers(node);
    if (!ports) return std::nullopt;
    std::vector<ir::CondId> kids;
    for (const std::int64_t port : *ports) {
      if (port < 1 || port > 65535) {
        diagnostics_.add(Code::ND2028, node.span, "a port is from 1 to 65535");
        return std::nullopt;
      }
      ir::Address address{ir::Proto::ip, "*", static_cast<std::int32_t>(port)};
      kids.push_back(conditions().atom({filter, {}, 0, address}));
    }
    return union_of(std::move(kids), filter);
  }

  const Expr& expr_;
  const std::vector<NamedOperation>& ops_;
  Subject subject_;
  std::string word_;  ///< the filter or field at hand, for messages
  Names& names_;
  ir::Policy& policy_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::vector<NamedOperation> resolve_operations(const ValuesNode& ops,
                                               std::optional<seatbelt::Release> release,
                                               Names& names, Diagnostics& diagnostics) {
  std::vector<NamedOperation> result;
  bool good = true;
  for (const Expanded& value : names.expand(ops)) {
    const auto op = seatbelt::find_operation(value.text, release);
    if (!op || *op == Op::default_) {
      good = false;
      std::vector<std::string_view> candidates;
      for (std::size_t i = 1; i < seatbelt::kOpCount; ++i) {
        candidates.push_back(seatbelt::name(static_cast<Op>(i)));
      }
      auto& d = diagnostics.add(Code::ND2004, value.span,
                                fmt::format("`{}` is not an operation of Seatbelt", value.text));
      if (op) {
        d.helps.emplace_back("everything is denied unless a rule allows it; name what is meant");
      } else if (const auto near = nearest(value.text, candidates)) {
        d.fixits.push_back(
            {value.span, "\"" + *near + "\"", fmt::format("did you mean `{}`?", *near)});
      }
      continue;
    }
    const seatbelt::ReleaseSet wanted =
        release ? seatbelt::ReleaseSet::only(*release) : seatbelt::ReleaseSet::all();
    if (!info(*op).releases.contains(wanted)) {
      good = false;
      auto& d = diagnostics.add(Code::ND3002, value.span,
                                fmt::format("not every supported macOS knows `{}`", value.text));
      d.helps.emplace_back(
          "a profile with an unknown name does not load; name the release with --os, "
          "or a class that every release has");
      continue;
    }
    const bool repeated = std::any_of(result.begin(), result.end(),
                                      [&](const NamedOperation& known) { return known.op == *op; });
    if (!repeated) result.push_back({*op, value.span});
  }
  if (!good) return {};
  return result;
}

std::optional<ir::CondId> resolve_where(const Expr& expr, const std::vector<NamedOperation>& ops,
                                        Names& names, ir::Policy& policy,
                                        Diagnostics& diagnostics) {
  return Resolver{expr, ops, names, policy, diagnostics}.run();
}

}  // namespace nd7
