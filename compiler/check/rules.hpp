// One rule: verbs or `ops` and `where`, as clauses of the IR.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/check/check.hpp"
#include "compiler/check/names.hpp"
#include "compiler/check/values.hpp"
#include "compiler/check/where.hpp"

namespace nd7 {

class RuleBuilder {
 public:
  RuleBuilder(const CheckOptions& options, Names& names, ir::Policy& policy,
              Diagnostics& diagnostics);

  /// Allow, deny, never and relax. nullopt after an error.
  [[nodiscard]] std::optional<ir::Rule> build(const RuleNode& node, std::uint32_t unit);
  [[nodiscard]] std::optional<ir::Expectation> build(const ExpectNode& node, std::uint32_t unit);

  /// False if `on` names other systems only. Unknown names were reported by build().
  [[nodiscard]] bool applies(const RuleNode& node) const;

  /// Moves the directories that the last built rule wants made to the policy.
  void take_directories(const ir::Rule& rule, std::uint32_t index);

 private:
  enum class Use : std::uint8_t { open, close, lift, mean, expect };

  [[nodiscard]] std::vector<ir::Clause> clauses(const RuleBody& body, Use use);
  void verb_clause(const VerbNode& verb, const RuleBody& body, Use use,
                   std::vector<ir::Clause>& into);
  [[nodiscard]] std::optional<std::vector<VerbCondition>> parse_exceptions(
      seatbelt::Verb verb, const ValuesNode& values);
  [[nodiscard]] ir::CondId exactly(ir::CondId cond, seatbelt::Verb verb);
  [[nodiscard]] ir::CondId without(const VerbCondition& value,
                                   const std::vector<VerbCondition>& exceptions, Use use);
  void full_clauses(const RuleBody& body, Use use, std::vector<ir::Clause>& into);
  void check_on(const RuleNode& node);
  void check_exit(const RuleNode& node, const ir::Rule& rule);
  void check_seal(const RuleNode& node, const ir::Rule& rule);

  const CheckOptions& options_;
  Names& names_;
  ir::Policy& policy_;
  Diagnostics& diagnostics_;
  std::vector<ir::Text> directories_;
};

}  // namespace nd7
