// The rules file of a model.
#include <algorithm>
#include <utility>

#include "tests/support/policy_model.hpp"
#include "tests/support/toml_writer.hpp"

namespace nd7::test {
namespace {

using Form = PathValue::Form;
using Kind = TomlNode::Kind;

TomlNode string_node(std::string text) { return {Kind::string, std::move(text), 0, {}, {}}; }
TomlNode number_node(std::int64_t number) { return {Kind::number, {}, number, {}, {}}; }
TomlNode flag_node() { return {Kind::boolean, {}, 1, {}, {}}; }
TomlNode table_node(TomlFields fields) { return {Kind::table, {}, 0, {}, std::move(fields)}; }
TomlNode group_node(TomlFields fields) { return {Kind::group, {}, 0, {}, std::move(fields)}; }

TomlNode list_node(const std::vector<std::string>& texts) {
  TomlNode node{Kind::list, {}, 0, {}, {}};
  for (const std::string& text : texts) node.items.push_back(string_node(text));
  return node;
}

TomlNode values_node(const std::vector<Value>& values) {
  std::vector<std::string> texts;
  for (const Value& value : values) texts.push_back(to_text(value));
  return list_node(texts);
}

/// A deny whose files could be moved out of it has to say that it means names only.
bool needs_names_only(const RuleModel& rule) {
  if (rule.effect != RuleModel::Effect::deny) return false;
  if (!rule.ops.empty() || !rule.except.empty()) return true;
  const auto values = values_of(rule);
  return std::any_of(values.begin(), values.end(), [](const Value& value) {
    const auto* path = std::get_if<PathValue>(&value);
    if (const auto* socket = std::get_if<SocketValue>(&value)) path = &socket->path;
    return path != nullptr && (path->form == Form::glob || path->form == Form::regex);
  });
}

/// A deny of every request of an operation can be one that Seatbelt cannot keep.
bool may_be_total(const RuleModel& rule) {
  return rule.effect == RuleModel::Effect::deny &&
         (!rule.ops.empty() ||
          std::any_of(rule.verbs.begin(), rule.verbs.end(),
                      [](const VerbEntry& entry) { return entry.verb == seatbelt::Verb::signal; }));
}

TomlNode rule_node(const RuleModel& rule) {
  TomlFields fields;
  for (const VerbEntry& verb : rule.verbs) {
    fields.emplace_back(std::string{info(verb.verb).name}, values_node(verb.values));
  }
  if (!rule.except.empty()) fields.emplace_back("except", values_node(rule.except));
  if (!rule.ops.empty()) {
    std::vector<std::string> names;
    for (const seatbelt::Op op : rule.ops) names.emplace_back(name(op));
    fields.emplace_back("ops", list_node(names));
    fields.emplace_back("where", TomlNode{Kind::literal, to_text(rule.where), 0, {}, {}});
  }
  if (needs_names_only(rule)) fields.emplace_back("names-only", flag_node());
  if (!rule.why.empty()) fields.emplace_back("why", string_node(rule.why));
  return table_node(std::move(fields));
}

}  // namespace

std::string to_source(const PolicyModel& policy, Style style) {
  TomlNode root = table_node({});
  root.fields.emplace_back("nd7", number_node(1));
  root.fields.emplace_back("name", string_node("p"));
  if (policy.floor) root.fields.emplace_back("extends", string_node("floor"));

  TomlFields params;
  if (uses(policy, Place::directory)) {
    params.emplace_back("dir", table_node({{"default", string_node(std::string{kDirectoryPath})}}));
  }
  if (uses(policy, Place::agent)) {
    params.emplace_back("agent",
                        table_node({{"env", string_node("AGENT")}, {"optional", flag_node()}}));
  }
  if (!params.empty()) root.fields.emplace_back("param", group_node(std::move(params)));
  if (uses(policy, Place::list)) {
    std::vector<Value> members{policy.list.begin(), policy.list.end()};
    root.fields.emplace_back("let", group_node({{"list", values_node(members)}}));
  }
  for (const auto& [effect, key] :
       {std::pair{RuleModel::Effect::allow, "allow"}, std::pair{RuleModel::Effect::deny, "deny"},
        std::pair{RuleModel::Effect::relax, "relax"}}) {
    TomlFields rules;
    for (const RuleModel& rule : policy.rules) {
      if (rule.effect != effect) continue;
      const bool relax = effect == RuleModel::Effect::relax;
      rules.emplace_back((relax ? "p/" : "") + rule.id, rule_node(rule));
    }
    if (!rules.empty()) root.fields.emplace_back(key, group_node(std::move(rules)));
  }
  if (std::any_of(policy.rules.begin(), policy.rules.end(), may_be_total)) {
    root.fields.emplace_back("accept", group_node({{"macos/system-allows", string_node("known")}}));
  }
  return write_toml(root, style.seed);
}

}  // namespace nd7::test
