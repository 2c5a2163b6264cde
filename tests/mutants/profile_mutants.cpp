// Mistakes of lowering.
#include <algorithm>
#include <utility>

#include "tests/mutants/mutants.hpp"

namespace nd7::test {
namespace {

using ir::CondId;
using ir::CondKind;
using ir::Policy;
using laws::Profile;
using laws::Role;
using seatbelt::Filter;
using seatbelt::Op;
using seatbelt::ProfileRule;
using seatbelt::SeatbeltProfile;
using Rules = std::vector<ProfileRule>;

bool names(const ProfileRule& rule, Op op) {
  return std::find(rule.ops.begin(), rule.ops.end(), op) != rule.ops.end();
}

Rules::iterator find(Rules& rules, const std::string& label, Role role, Op op = Op::default_) {
  return std::find_if(rules.begin(), rules.end(), [&](const ProfileRule& rule) {
    return rule.label == label && rule.role == role && (op == Op::default_ || names(rule, op));
  });
}

/// A mutant that changes the first rule of a label and role (that names `op`).
Mutant change(std::string name, const std::string& label, Role role,
              std::function<bool(Policy&, ProfileRule&)> damage, Op op = Op::default_,
              Profile kind = Profile::floor) {
  return {std::move(name),
          kind,
          [=](Policy& policy, SeatbeltProfile& profile) {
            const auto at = find(profile.rules, label, role, op);
            return at != profile.rules.end() && damage(policy, *at);
          },
          {}};
}

Mutant drop(std::string name, const std::string& label, Role role, Op op = Op::default_,
            Profile kind = Profile::floor) {
  return {std::move(name),
          kind,
          [=](Policy&, SeatbeltProfile& profile) {
            const auto at = find(profile.rules, label, role, op);
            if (at == profile.rules.end()) return false;
            profile.rules.erase(at);
            return true;
          },
          {}};
}

/// The operation is left out of every rule of the label.
Mutant forget(std::string name, const std::string& label, Op op) {
  return {std::move(name),
          Profile::floor,
          [=](Policy&, SeatbeltProfile& profile) {
            bool found = false;
            for (ProfileRule& rule : profile.rules) {
              if (rule.label == label && !rule.allow) found = std::erase(rule.ops, op) > 0 || found;
            }
            std::erase_if(profile.rules, [](const ProfileRule& rule) { return rule.ops.empty(); });
            return found;
          },
          {}};
}

/// The rule goes to the front or the end.
Mutant move(std::string name, const std::string& label, Role role, bool to_front,
            Op op = Op::default_) {
  return {std::move(name),
          Profile::floor,
          [=](Policy&, SeatbeltProfile& profile) {
            const auto at = find(profile.rules, label, role, op);
            if (at == profile.rules.end()) return false;
            const ProfileRule rule = *at;
            profile.rules.erase(at);
            profile.rules.insert(to_front ? profile.rules.begin() : profile.rules.end(), rule);
            return true;
          },
          {}};
}

Mutant add(std::string name, ProfileRule rule, std::function<CondId(Policy&)> filter,
           Profile kind = Profile::floor) {
  return {std::move(name),
          kind,
          [rule = std::move(rule), filter = std::move(filter)](Policy& policy,
                                                               SeatbeltProfile& profile) {
            profile.rules.push_back(rule);
            profile.rules.back().filters = {filter(policy)};
            return true;
          },
          {}};
}

CondId path(Policy& policy, Filter filter, ir::Text text) {
  return policy.conditions.atom({filter, std::move(text), 0, {}});
}

bool is(const Policy& policy, CondId cond, Filter filter) {
  const ir::CondNode& node = policy.conditions.node(cond);
  return node.kind == CondKind::atom && policy.conditions.get(node.atom).filter == filter;
}

bool drop_filters(const Policy& policy, ProfileRule& rule, Filter filter) {
  return std::erase_if(rule.filters, [&](CondId id) { return is(policy, id, filter); }) > 0 &&
         !rule.filters.empty();
}

std::vector<Mutant> of_denies() {
  const auto clear = [](Policy&, ProfileRule& rule) {
    rule.filters.clear();
    return true;
  };
  return {
      drop("ADenyIsLost", "rich/hooks", Role::deny),
      drop("AnInheritedDenyIsLost", "floor/credentials", Role::deny, Op::file_read_data),
      forget("OneOperationOfADenyIsLost", "rich/keys", Op::file_write_data),
      change("ADenyNamesItsClassOnly", "rich/hooks", Role::deny,
             [](Policy&, ProfileRule& rule) {
               rule.ops = {Op::file_write_all, Op::file_link};
               return true;
             }),
      change("ADenyLosesItsFilter", "rich/hooks", Role::deny, clear),
      change("ADenyOfATargetLosesItsFilter", "rich/secret-services", Role::deny, clear, Op::signal),
      change("ADenyLosesOneOfItsFilters", "rich/samples", Role::deny,
             [](Policy&, ProfileRule& rule) {
               rule.filters.pop_back();
               return true;
             }),
      change("ADenyWantsAllItsFilters", "rich/samples", Role::deny,
             [](Policy& policy, ProfileRule& rule) {
               rule.filters = {policy.conditions.all(rule.filters)};
               return true;
             }),
      change("ADenyGetsTheFilterOfAnother", "rich/hooks", Role::deny,
             [](Policy& policy, ProfileRule& rule) {
               rule.filters.push_back(path(policy, Filter::subpath, "/opt/note"));
               return true;
             }),
      change("ADenyLosesItsOtherCase", "rich/hooks", Role::deny,
             [](Policy& policy, ProfileRule& rule) {
               return drop_filters(policy, rule, Filter::regex);
             }),
      change("ADenyBecomesAnAllow", "rich/scratch", Role::deny,
             [](Policy&, ProfileRule& rule) { return rule.allow = true; }),
      change(
          "ARelaxationIsLost", "floor/credentials", Role::deny,
          [](Policy& policy, ProfileRule& rule) {
            const ir::CondNode node = policy.conditions.node(rule.filters.front());
            rule.filters = {node.kids.front()};
            return node.kind == CondKind::all;
          },
          Op::file_read_data),
      forget("ADenyForgetsLinking", "rich/keys", Op::file_link),
      forget("ADenyForgetsCloning", "rich/keys", Op::file_clone),
      forget("ADenyForgetsExistence", "rich/keys", Op::file_test_existence),
      forget("ADenyForgetsMapping", "rich/keys", Op::file_map_executable),
      forget("ADenyForgetsMetadata", "rich/keys", Op::file_read_metadata),
      forget("ADenyForgetsWhatARuleOpened", "rich/keys", Op::fs_rename),
      forget("ADenyForgetsUnlinking", "rich/scratch", Op::file_write_unlink),
      drop("TheDirectoriesAboveMayMove", "rich/hooks", Role::kept),
      change("OneDirectoryAboveMayMove", "rich/keys", Role::kept,
             [](Policy&, ProfileRule& rule) {
               rule.filters.pop_back();
               return true;
             }),
      change("TheDirectoriesAboveAreMadeSafeFromTheWrongThing", "rich/hooks", Role::kept,
             [](Policy&, ProfileRule& rule) {
               rule.ops = {Op::file_write_create};
               return true;
             }),
      {"DeniesStandBeforeAllows",
       Profile::floor,
       [](Policy&, SeatbeltProfile& profile) {
         std::stable_partition(profile.rules.begin(), profile.rules.end(),
                               [](const ProfileRule& rule) { return !rule.allow; });
         return true;
       },
       {}},
      {"TwoRulesAreSwapped",
       Profile::floor,
       [](Policy&, SeatbeltProfile& profile) {
         const auto allow = find(profile.rules, "rich/data", Role::allow);
         const auto deny = find(profile.rules, "rich/scratch", Role::deny);
         if (allow == profile.rules.end() || deny == profile.rules.end()) return false;
         std::iter_swap(allow, deny);
         return true;
       },
       {}},
      drop("LinksAreNotDeniedInGeneral", "nd7/links", Role::kept),
  };
}

std::vector<Mutant> of_allows() {
  return {
      drop("AnAllowIsLost", "rich/data", Role::allow),
      change("AnAllowNamesAClassAbove", "rich/flags", Role::allow,
             [](Policy&, ProfileRule& rule) {
               rule.ops = {Op::file_write_all};
               return true;
             }),
      change("AnAllowLosesItsFilter", "rich/flags", Role::allow,
             [](Policy&, ProfileRule& rule) {
               rule.filters.clear();
               return true;
             }),
      change("AnAllowForgetsLinking", "rich/data", Role::allow,
             [](Policy&, ProfileRule& rule) { return std::erase(rule.ops, Op::file_link) > 0; }),
      {"AnAllowStandsOnceMoreAfterTheDenies",
       Profile::floor,
       [](Policy&, SeatbeltProfile& profile) {
         const auto at = find(profile.rules, "rich/data", Role::allow);
         if (at == profile.rules.end()) return false;
         const ProfileRule copy = *at;
         profile.rules.push_back(copy);
         return true;
       },
       {}},
      add("AnAllowIsAdded", {true, false, {Op::file_write_data}, {}, {}, {}, Role::allow, "x", ""},
          [](Policy& policy) { return path(policy, Filter::literal, "/private/etc/hosts"); }),
      change("AnAllowOfExecLeavesTheSandbox", "floor/run", Role::allow,
             [](Policy&, ProfileRule& rule) { return rule.no_sandbox = true; }),
      add("AGrantIsInTheFloor",
          {true, false, {Op::file_write_all}, {}, {}, {}, Role::grant, "grant /srv", ""},
          [](Policy& policy) { return path(policy, Filter::subpath, "/srv"); }),
      drop("AGrantIsLost", "grant /srv", Role::grant, Op::default_, Profile::command),
      {"AGrantStandsAfterTheDenies",
       Profile::command,
       [](Policy&, SeatbeltProfile& profile) {
         const auto at = find(profile.rules, "grant /opt/data", Role::grant);
         if (at == profile.rules.end()) return false;
         const ProfileRule grant = *at;
         profile.rules.erase(at);
         profile.rules.push_back(grant);
         return true;
       },
       {}},
      change("AGuardIsLost", "rich/agent-control", Role::deny,
             [](Policy&, ProfileRule& rule) {
               const bool guarded = !rule.if_set.empty();
               rule.if_set.clear();
               return guarded;
             }),
      change("AGuardIsTurnedAround", "rich/agent-control", Role::deny,
             [](Policy&, ProfileRule& rule) {
               std::swap(rule.if_set, rule.if_unset);
               return !rule.if_unset.empty();
             }),
      change("ARuleIsGuardedByTheWrongParameter", "rich/agent-control", Role::deny,
             [](Policy&, ProfileRule& rule) {
               if (rule.if_set.empty()) return false;
               rule.if_set = {ir::kExit};
               return true;
             }),
      change("ARuleThatAlwaysCountsIsGuarded", "rich/hooks", Role::deny,
             [](Policy&, ProfileRule& rule) {
               rule.if_set = {ir::kExit};
               return true;
             }),
  };
}

std::vector<Mutant> of_the_exit_and_the_seal() {
  return {
      drop("TheExitIsLost", "nd7/exit", Role::exit),
      move("TheExitStandsAfterTheSeal", "nd7/exit", Role::exit, false),
      move("TheExitStandsBeforeTheAllows", "nd7/exit", Role::exit, true),
      change("TheExitIsADirectory", "nd7/exit", Role::exit,
             [](Policy& policy, ProfileRule& rule) {
               rule.filters = {path(policy, Filter::subpath, ir::hole(ir::kExit))};
               return true;
             }),
      change("TheExitIsAnotherProgram", "nd7/exit", Role::exit,
             [](Policy& policy, ProfileRule& rule) {
               rule.filters = {path(policy, Filter::literal, ir::hole(ir::kExit) + "2")};
               return true;
             }),
      change("TheExitStaysConfined", "nd7/exit", Role::exit,
             [](Policy&, ProfileRule& rule) { return !(rule.no_sandbox = false); }),
      add(
          "TheExitIsInTheCommandProfile",
          {true, true, {Op::process_exec_all}, {}, {ir::kExit}, {}, Role::exit, "nd7/exit", ""},
          [](Policy& policy) { return path(policy, Filter::literal, ir::hole(ir::kExit)); },
          Profile::command),
      add("ThereIsASecondExit",
          {true, true, {Op::process_exec_all}, {}, {}, {}, Role::exit, "nd7/exit", ""},
          [](Policy& policy) { return path(policy, Filter::literal, "/usr/bin/env"); }),
      drop("TheSealIsLost", "nd7/seal", Role::seal, Op::file_read_data),
      move("TheSealStandsFirst", "nd7/seal", Role::seal, true, Op::file_read_data),
      drop("TheHomeDirectoryMayMove", "nd7/seal", Role::seal, Op::file_write_unlink),
      forget("TheSealForgetsSetugid", "nd7/seal", Op::file_write_setugid),
      forget("TheSealForgetsSockets", "nd7/seal", Op::network_outbound),
      forget("TheSealForgetsExec", "nd7/seal", Op::process_exec_all),
      forget("TheSealForgetsExistence", "nd7/seal", Op::file_test_existence),
      change(
          "TheSealLosesItsOtherCase", "nd7/seal", Role::seal,
          [](Policy& policy, ProfileRule& rule) {
            return drop_filters(policy, rule, Filter::regex);
          },
          Op::file_read_data),
      change(
          "TheSealIsInTheProject", "nd7/seal", Role::seal,
          [](Policy& policy, ProfileRule& rule) {
            rule.filters = {path(policy, Filter::subpath, ir::hole(ir::kProject) + "/.nd7")};
            return true;
          },
          Op::file_read_data),
      change(
          "TheSealIsOneFile", "nd7/seal", Role::seal,
          [](Policy& policy, ProfileRule& rule) {
            rule.filters = {path(policy, Filter::literal, ir::hole(ir::kHome) + "/.nd7")};
            return true;
          },
          Op::file_read_data),
      drop("TheProgramsMayBeWritten", "nd7/protect", Role::protect, Op::file_write_data),
      drop("TheProgramsMayBeMoved", "nd7/protect", Role::protect, Op::file_write_unlink),
  };
}

}  // namespace

std::vector<Mutant> profile_mutants() {
  std::vector<Mutant> all = of_denies();
  for (auto* const part : {&of_allows, &of_the_exit_and_the_seal}) {
    for (Mutant& mutant : (*part)()) all.push_back(std::move(mutant));
  }
  return all;
}

}  // namespace nd7::test
