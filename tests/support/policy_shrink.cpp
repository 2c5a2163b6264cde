// Simpler policies: what a failure is cut down to.
#include <algorithm>
#include <functional>
#include <utility>

#include "tests/support/policy_generator.hpp"

namespace nd7::test {
namespace {

using Effect = RuleModel::Effect;
using Form = PathValue::Form;

std::vector<PathValue> simpler_paths(const PathValue& path) {
  std::vector<PathValue> result;
  const PathValue canonical{Form::plain, Place::project, {"a"}};
  if (path == canonical) return result;
  if (path.form != Form::ancestors) result.push_back(canonical);
  const bool pattern =
      path.form == Form::glob || path.form == Form::regex || path.form == Form::name;
  if (!pattern && path.form != Form::plain && path.form != Form::ancestors) {
    result.push_back({Form::plain, path.place, path.parts});
  }
  const std::size_t least = path.form == Form::regex ? 2 : 1;
  for (std::size_t i = 0; path.parts.size() > least && i < path.parts.size(); ++i) {
    PathValue shorter = path;
    shorter.parts.erase(shorter.parts.begin() + static_cast<std::ptrdiff_t>(i));
    if (path.form == Form::prefix && is_alias(shorter.parts)) continue;
    result.push_back(std::move(shorter));
  }
  for (std::size_t i = 0; !pattern && i < path.parts.size(); ++i) {
    if (path.parts[i] == "a" || path.parts[i] == "b") continue;
    PathValue plainer = path;
    plainer.parts[i] = "a";
    result.push_back(std::move(plainer));
  }
  if (!pattern && path.place != Place::project) {
    PathValue here = path;
    here.place = Place::project;
    if (here.parts.empty()) here.parts = {"a"};
    result.push_back(std::move(here));
  }
  std::erase_if(result, ends_inside_alias);
  return result;
}

std::vector<Value> simpler_values(const Value& value) {
  std::vector<Value> result;
  if (const auto* path = std::get_if<PathValue>(&value)) {
    for (PathValue& one : simpler_paths(*path)) result.emplace_back(std::move(one));
  } else if (const auto* socket = std::get_if<SocketValue>(&value)) {
    for (PathValue& one : simpler_paths(socket->path))
      result.emplace_back(SocketValue{std::move(one)});
  } else if (const auto* address = std::get_if<AddressValue>(&value)) {
    const AddressValue canonical{"", "*", 443, 443};
    if (!(*address == canonical)) result.emplace_back(canonical);
    if (address->last != address->first) {
      result.emplace_back(
          AddressValue{address->proto, address->host, address->first, address->first});
    }
  }
  return result;
}

/// Every way to make one value of a list simpler, and to leave one out.
void simpler_lists(const std::vector<Value>& values, std::size_t least, bool change,
                   const std::function<void(std::vector<Value>)>& take) {
  for (std::size_t i = 0; i < values.size() && values.size() > least; ++i) {
    std::vector<Value> fewer = values;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    take(std::move(fewer));
  }
  for (std::size_t i = 0; change && i < values.size(); ++i) {
    for (Value& one : simpler_values(values[i])) {
      std::vector<Value> other = values;
      other[i] = std::move(one);
      take(std::move(other));
    }
  }
}

std::vector<Expression> simpler_expressions(const Expression& expression) {
  std::vector<Expression> result;
  if (expression.kind == Expression::Kind::truth) return result;
  result.emplace_back();
  for (const Expression& kid : expression.kids) result.push_back(kid);
  if (expression.kids.size() > 2) {
    for (std::size_t i = 0; i < expression.kids.size(); ++i) {
      Expression fewer = expression;
      fewer.kids.erase(fewer.kids.begin() + static_cast<std::ptrdiff_t>(i));
      result.push_back(std::move(fewer));
    }
  }
  for (std::size_t i = 0; i < expression.kids.size(); ++i) {
    for (Expression& kid : simpler_expressions(expression.kids[i])) {
      // What a negation holds stays one test.
      if (expression.kind == Expression::Kind::negation && kid.kind != Expression::Kind::test)
        continue;
      Expression other = expression;
      other.kids[i] = std::move(kid);
      result.push_back(std::move(other));
    }
  }
  if (expression.kind == Expression::Kind::test) {
    // A path test's form is its filter's, so its values keep theirs.
    simpler_lists(expression.values, 1, false, [&](std::vector<Value> values) {
      Expression other = expression;
      other.values = std::move(values);
      result.push_back(std::move(other));
    });
  }
  return result;
}

std::vector<RuleModel> simpler_rules(const RuleModel& rule) {
  std::vector<RuleModel> result;
  const auto change = [&](auto&& edit) {
    RuleModel other = rule;
    edit(other);
    result.push_back(std::move(other));
  };
  if (!rule.why.empty()) change([](RuleModel& other) { other.why.clear(); });
  if (!rule.except.empty()) change([](RuleModel& other) { other.except.clear(); });
  for (std::size_t i = 0; i < rule.verbs.size(); ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i);
    if (rule.verbs.size() > 1)
      change([&](RuleModel& other) { other.verbs.erase(other.verbs.begin() + at); });
    simpler_lists(rule.verbs[i].values, 1, true, [&](std::vector<Value> values) {
      change([&](RuleModel& other) { other.verbs[i].values = std::move(values); });
    });
  }
  simpler_lists(rule.except, 1, false, [&](std::vector<Value> values) {
    change([&](RuleModel& other) { other.except = std::move(values); });
  });
  for (std::size_t i = 0; rule.ops.size() > 1 && i < rule.ops.size(); ++i) {
    change([&](RuleModel& other) {
      other.ops.erase(other.ops.begin() + static_cast<std::ptrdiff_t>(i));
    });
  }
  if (!rule.ops.empty()) {
    for (Expression& where : simpler_expressions(rule.where)) {
      if (!is_satisfiable(where)) continue;
      change([&](RuleModel& other) { other.where = std::move(where); });
    }
  }
  return result;
}

}  // namespace

std::vector<PolicyModel> simpler(const PolicyModel& policy) {
  std::vector<PolicyModel> result;
  if (policy.floor) {
    result.push_back(policy);
    result.back().floor = false;
  }
  for (std::size_t i = 0; i < policy.rules.size(); ++i) {
    PolicyModel fewer = policy;
    const RuleModel dropped = policy.rules[i];
    std::erase_if(fewer.rules, [&](const RuleModel& rule) {
      const bool follows = dropped.effect == Effect::deny && rule.effect == Effect::relax;
      return rule.id == dropped.id && (rule.effect == dropped.effect || follows);
    });
    result.push_back(std::move(fewer));
  }
  for (std::size_t i = 0; policy.list.size() > 1 && i < policy.list.size(); ++i) {
    result.push_back(policy);
    result.back().list.erase(result.back().list.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (std::size_t i = 0; i < policy.rules.size(); ++i) {
    for (RuleModel& rule : simpler_rules(policy.rules[i])) {
      result.push_back(policy);
      result.back().rules[i] = std::move(rule);
    }
  }
  return result;
}

}  // namespace nd7::test
