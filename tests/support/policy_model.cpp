#include "tests/support/policy_model.hpp"

#include <algorithm>
#include <array>

namespace nd7::test {
namespace {

using seatbelt::Filter;
using Form = PathValue::Form;

std::string_view place_text(Place place) {
  constexpr std::array<std::string_view, 7> kTexts{"",       "~",        "${project}", "${tmp}",
                                                   "${dir}", "${agent}", "${list}"};
  return kTexts[static_cast<std::size_t>(place)];
}

std::string_view form_text(Form form) {
  constexpr std::array<std::string_view, 9> kTexts{
      "", "", "subpath:", "literal:", "prefix:", "glob:", "regex:", "name:", ""};
  return kTexts[static_cast<std::size_t>(form)];
}

std::string quoted_for_regex(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view{".^$*+?()[]{}|\\"}.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string result;
  for (const std::string& part : parts) result += "/" + part;
  return result;
}

std::string path_text(const PathValue& path) {
  if (path.form == Form::name) return path.parts.back();
  if (path.form == Form::regex) return "^" + quoted_for_regex(joined(path.parts)) + "(/|$)";
  std::string text{place_text(path.place)};
  text += joined(path.parts);
  if (text.empty() || (path.form == Form::directory && !path.parts.empty())) text += "/";
  return text;
}

std::string ports_text(const AddressValue& address) {
  if (address.first < 0) return "*";
  if (address.last == address.first) return std::to_string(address.first);
  return std::to_string(address.first) + "-" + std::to_string(address.last);
}

std::string with_kind(const NameValue& name) {
  return name.kind + name.name + (name.star ? "*" : "");
}

std::string expression_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\'') {
      result += "\\u{27}";
      continue;
    }
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string_view path_word(Form form) {
  switch (form) {
    case Form::literal: return "literal";
    case Form::prefix: return "prefix";
    case Form::glob: return "glob";
    case Form::regex: return "regex";
    case Form::name: return "name";
    case Form::ancestors: return "ancestors";
    default: return "subpath";
  }
}

std::string operand(const Value& value) {
  if (const auto* path = std::get_if<PathValue>(&value)) return expression_string(path_text(*path));
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* name = std::get_if<NameValue>(&value)) return name->name;
  return {};
}

/// `word == a`, `word in [a, b]`.
std::string comparison(std::string_view word, const std::vector<std::string>& operands) {
  if (operands.size() == 1) return std::string{word} + " == " + operands.front();
  std::string list;
  for (const std::string& one : operands) list += (list.empty() ? "" : ", ") + one;
  return std::string{word} + " in [" + list + "]";
}

std::string test_text(const Expression& test) {
  using seatbelt::FilterValue;
  std::vector<std::string> operands;
  std::string list;
  for (const Value& value : test.values) {
    operands.push_back(operand(value));
    if (info(test.filter).value == FilterValue::name ||
        info(test.filter).value == FilterValue::regex) {
      if (std::holds_alternative<NameValue>(value))
        operands.back() = expression_string(operands.back());
    }
    list += (list.empty() ? "" : ", ") + operands.back();
  }
  switch (test.filter) {
    case Filter::target: return comparison("target", operands);
    case Filter::vnode_type: return comparison("vnode", operands);
    case Filter::signal_number: return comparison("signal", operands);
    case Filter::remote_unix:
    case Filter::local_unix: return "subpath(\"/\")";
    default: break;
  }
  if (info(test.filter).value == FilterValue::address) {
    const auto& address = std::get<AddressValue>(test.values.front());
    if (!address.proto.empty()) return "proto == " + address.proto;
    if (address.first < 0) return "host == " + expression_string(address.host);
    if (address.first == address.last) return "port == " + std::to_string(address.first);
    return "port in " + std::to_string(address.first) + ".." + std::to_string(address.last);
  }
  if (!test.values.empty() && std::holds_alternative<PathValue>(test.values.front())) {
    return std::string{path_word(std::get<PathValue>(test.values.front()).form)} + "(" + list + ")";
  }
  if (info(test.filter).value == FilterValue::name) {
    return std::string{name(test.filter)} + "(" + list + ")";
  }
  return comparison(name(test.filter), operands);
}

std::string physical(std::string path) {
  for (const std::string_view alias : {"/tmp", "/var", "/etc"}) {
    if (path == alias || path.rfind(std::string{alias} + "/", 0) == 0) return "/private" + path;
  }
  return path;
}

/// A name that a component's pattern matches.
std::string component_sample(std::string_view pattern) {
  if (pattern == "**") return "k";
  std::string result;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '*' || pattern[i] == '?') {
      result += 'k';
    } else if (pattern[i] == '[' && pattern.find(']', i) != std::string_view::npos) {
      result += pattern[i + 1];
      i = pattern.find(']', i);
    } else {
      result += pattern[i];
    }
  }
  return result;
}

/// One filter over one value.
std::string atom_of(const Expression& test, const Value& value) {
  return std::string{name(test.filter)} + " " + to_text(value);
}

void collect_atoms(const Expression& expression, std::vector<std::string>& into) {
  for (const Value& value : expression.values) {
    std::string atom = atom_of(expression, value);
    if (std::find(into.begin(), into.end(), atom) == into.end()) into.push_back(std::move(atom));
  }
  for (const Expression& kid : expression.kids) collect_atoms(kid, into);
}

/// Whether the expression is true where the atoms with a bit in `truth` hold.
bool evaluate(const Expression& expression, const std::vector<std::string>& atoms,
              std::uint32_t truth) {
  const auto holds = [&](const Value& value) {
    const auto at = std::find(atoms.begin(), atoms.end(), atom_of(expression, value));
    return (truth >> (at - atoms.begin()) & 1U) != 0;
  };
  const auto kid = [&](const Expression& one) { return evaluate(one, atoms, truth); };
  switch (expression.kind) {
    case Expression::Kind::truth: return true;
    case Expression::Kind::all:
      return std::all_of(expression.kids.begin(), expression.kids.end(), kid);
    case Expression::Kind::any:
      return std::any_of(expression.kids.begin(), expression.kids.end(), kid);
    case Expression::Kind::negation: return !kid(expression.kids.front());
    case Expression::Kind::test: break;
  }
  return std::any_of(expression.values.begin(), expression.values.end(), holds);
}

void collect(const Expression& expression, std::vector<Value>& into) {
  into.insert(into.end(), expression.values.begin(), expression.values.end());
  for (const Expression& kid : expression.kids) collect(kid, into);
}

}  // namespace

std::string to_text(const Value& value) {
  if (const auto* path = std::get_if<PathValue>(&value)) {
    return std::string{form_text(path->form)} + path_text(*path);
  }
  if (const auto* socket = std::get_if<SocketValue>(&value)) return "unix:" + to_text(socket->path);
  if (const auto* name = std::get_if<NameValue>(&value)) return with_kind(*name);
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  const auto& address = std::get<AddressValue>(value);
  return (address.proto.empty() ? "" : address.proto + "/") + address.host + ":" +
         ports_text(address);
}

std::string to_text(const Expression& expression) {
  const auto list = [&](std::string_view between) {
    std::string result;
    for (const Expression& kid : expression.kids) {
      const std::string text = to_text(kid);
      const bool group = kid.kind == Expression::Kind::all || kid.kind == Expression::Kind::any;
      if (!result.empty()) result += between;
      result += group ? "(" + text + ")" : text;
    }
    return result;
  };
  switch (expression.kind) {
    case Expression::Kind::truth: return "true";
    case Expression::Kind::all: return list(" and ");
    case Expression::Kind::any: return list(" or ");
    case Expression::Kind::negation: return "not (" + to_text(expression.kids.front()) + ")";
    case Expression::Kind::test: break;
  }
  return test_text(expression);
}

bool is_satisfiable(const Expression& expression) {
  std::vector<std::string> atoms;
  collect_atoms(expression, atoms);
  constexpr std::size_t kMostAtoms = 12;
  const std::size_t tried = std::min(atoms.size(), kMostAtoms);
  for (std::uint32_t truth = 0; truth < (1U << tried); ++truth) {
    if (evaluate(expression, atoms, truth)) return true;
  }
  return false;
}

std::vector<std::string> samples(const PathValue& path, const PolicyModel& policy) {
  std::string below;
  for (const std::string& part : path.parts) below += "/" + component_sample(part);
  std::vector<std::string> fronts;
  switch (path.place) {
    case Place::root: fronts = {""}; break;
    case Place::home: fronts = {std::string{kHomePath}}; break;
    case Place::project: fronts = {std::string{kProjectPath}}; break;
    case Place::tmp: fronts = {std::string{kTmpPath}}; break;
    case Place::directory: fronts = {std::string{kDirectoryPath}}; break;
    case Place::agent: fronts = {std::string{kAgentPath}}; break;
    case Place::list:
      for (const PathValue& member : policy.list) fronts.push_back(samples(member, policy).front());
      break;
  }
  if (path.form == Form::name) fronts = {std::string{kProjectPath} + "/sub"};
  std::vector<std::string> result;
  for (const std::string& front : fronts) {
    const std::string whole = front == "/" ? below : front + below;
    result.push_back(whole.empty() ? "/" : physical(whole));
  }
  return result;
}

bool is_alias(const std::vector<std::string>& parts) {
  return parts.size() == 1 && parts.front() == "tmp";
}

std::vector<Value> values_of(const RuleModel& rule) {
  std::vector<Value> result = rule.except;
  for (const VerbEntry& verb : rule.verbs) {
    result.insert(result.end(), verb.values.begin(), verb.values.end());
  }
  collect(rule.where, result);
  return result;
}

std::vector<seatbelt::Op> operations_of(const RuleModel& rule) {
  std::vector<seatbelt::Op> result = rule.ops;
  for (const VerbEntry& verb : rule.verbs) {
    const auto& table = info(verb.verb);
    const auto ops = rule.effect == RuleModel::Effect::allow  ? table.opens
                     : rule.effect == RuleModel::Effect::deny ? table.closes
                                                              : table.lifts;
    result.insert(result.end(), ops.begin(), ops.end());
  }
  return result;
}

bool uses(const PolicyModel& policy, Place place) {
  const auto is_there = [&](const Value& value) {
    if (const auto* path = std::get_if<PathValue>(&value)) {
      return path->place == place && path->form != Form::name && path->form != Form::regex;
    }
    const auto* socket = std::get_if<SocketValue>(&value);
    return socket != nullptr && socket->path.place == place;
  };
  return std::any_of(policy.rules.begin(), policy.rules.end(), [&](const RuleModel& rule) {
    const auto values = values_of(rule);
    return std::any_of(values.begin(), values.end(), is_there);
  });
}

}  // namespace nd7::test
