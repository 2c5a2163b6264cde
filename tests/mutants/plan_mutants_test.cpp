// Mistakes that lowering to Linux and printing could make. None of them means the same as the right
// plan, so the judge of every build has to notice each.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "compiler/linux/lower.hpp"
#include "compiler/linux/print.hpp"
#include "compiler/linux/validate.hpp"
#include "tests/support/compile.hpp"

namespace nd7::test {
namespace {

using linux_plan::Carve;
using linux_plan::Plan;
using linux_plan::Port;
using linux_plan::Protocol;
using linux_plan::Tree;
using linux_plan::Validation;

constexpr std::string_view kRules = R"(
nd7     = 1
name    = "rich"
extends = "floor"

[param]
agent = { optional = true }

[allow.caches]
write  = ["~/cache/", "literal:~/.history"]
except = "~/cache/locked"

[allow.tools]
exec = "~/tools"

[allow.mine]
write = "/tmp/mine"

[allow.ports]
connect = ["localhost:3000-3002", "*:8000", "unix:${agent}", "unix:/run/docker"]
bind    = "localhost:9000"

[deny.secret]
read   = "~/secret"
except = "~/secret/public"

[deny.hooks]
write = "${project}/.git/hooks"

[deny.profile]
write = "literal:~/.profile"

[deny.games]
exec = "/usr/games"

[deny.port]
connect = ["*:8001", "unix:/run/docker/control"]

[deny.env]
read = "name:.env"

[accept]
"linux/patterns" = "not what is tested here"
)";

struct PlanMutant {
  std::string name;
  std::function<bool(Plan&)> in_plan;  ///< false if there is nothing to damage
  std::function<bool(std::string&)> in_text;
};

void PrintTo(const PlanMutant& mutant, std::ostream* out) { *out << mutant.name; }

template <class Item>
const std::string& path_of(const Item& item) {
  if constexpr (std::is_same_v<Item, Carve>) {
    return item.tree.path;
  } else {
    return item.path;
  }
}

bool ends_with(const std::string& text, const std::string& ending) {
  return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

/// The entry of a list whose path ends so is dropped.
template <class Item>
PlanMutant drop(std::string name, std::vector<Item> Plan::*list, const std::string& ending) {
  return {std::move(name),
          [=](Plan& plan) {
            return std::erase_if(plan.*list, [&](const Item& item) {
                     return ends_with(path_of(item), ending);
                   }) > 0;
          },
          {}};
}

/// The first entry of a list whose path ends so is changed.
template <class Item>
PlanMutant change(std::string name, std::vector<Item> Plan::*list, const std::string& ending,
                  std::function<void(Plan&, Item&)> damage) {
  return {std::move(name),
          [=](Plan& plan) {
            for (Item& item : plan.*list) {
              if (!ends_with(path_of(item), ending)) continue;
              damage(plan, item);
              return true;
            }
            return false;
          },
          {}};
}

PlanMutant damage(std::string name, std::function<void(Plan&)> function) {
  return {std::move(name),
          [=](Plan& plan) {
            function(plan);
            return true;
          },
          {}};
}

PlanMutant replace(std::string name, const std::string& from, const std::string& to) {
  return {std::move(name), {}, [=](std::string& text) {
            const std::size_t at = text.find(from);
            if (at != std::string::npos) text.replace(at, from.size(), to);
            return at != std::string::npos;
          }};
}

void add_trees(std::vector<PlanMutant>& all) {
  all.push_back(drop("read_is_missing", &Plan::read, "/"));
  all.push_back(drop("write_is_missing", &Plan::write, "/cache"));
  all.push_back(drop("file_is_missing", &Plan::write, "/.history"));
  all.push_back(drop("exec_is_missing", &Plan::exec, "/"));
  all.push_back(drop("tree_in_tmp_is_missing", &Plan::write, "/tmp/mine"));
  all.push_back(drop("socket_is_missing", &Plan::sockets, "/run/docker"));
  all.push_back(change<Tree>("tree_is_a_file", &Plan::write, "/cache",
                             [](Plan&, Tree& tree) { tree.file = true; }));
  all.push_back(change<Tree>("file_is_a_tree", &Plan::write, "/.history",
                             [](Plan&, Tree& tree) { tree.file = false; }));
  all.push_back(change<Tree>("write_is_read", &Plan::write, "/cache", [](Plan& plan, Tree& tree) {
    plan.read.push_back(tree);
    tree.path = "/dev/null";
    tree.rule = "floor/devices";
  }));
  all.push_back(change<Tree>("read_is_write", &Plan::read, "/",
                             [](Plan& plan, Tree& tree) { plan.write.push_back(tree); }));
  all.push_back(change<Tree>("path_is_its_parent", &Plan::write, "/cache",
                             [](Plan&, Tree& tree) { tree.path.erase(tree.path.rfind('/')); }));
  all.push_back(change<Tree>("path_is_a_child", &Plan::write, "/cache",
                             [](Plan&, Tree& tree) { tree.path += "/x"; }));
  all.push_back(change<Tree>("path_has_another_ending", &Plan::write, "/cache",
                             [](Plan&, Tree& tree) { tree.path.pop_back(); }));
  all.push_back(change<Tree>("parameter_is_another", &Plan::write, "/cache",
                             [](Plan&, Tree& tree) { tree.path[1] = '\2'; }));
  all.push_back(change<Tree>("label_is_a_strangers", &Plan::write, "/cache",
                             [](Plan&, Tree& tree) { tree.rule = "rich/nobody"; }));
  all.push_back(damage("tree_that_nobody_opens", [](Plan& plan) {
    plan.write.push_back({"/opt", false, "rich/caches"});
  }));
  all.push_back(damage("sockets_that_nobody_opens", [](Plan& plan) {
    plan.sockets.push_back({"/", false, "rich/ports"});
  }));
}

void add_carves(std::vector<PlanMutant>& all) {
  all.push_back(drop("deny_of_reading_is_missing", &Plan::closed, "/.ssh"));
  all.push_back(drop("seal_is_missing", &Plan::closed, "/.nd7"));
  all.push_back(drop("seal_of_sockets_is_missing", &Plan::no_sockets, "/.nd7"));
  all.push_back(drop("deny_of_writing_is_missing", &Plan::readonly, "/hooks"));
  all.push_back(drop("deny_of_a_file_is_missing", &Plan::readonly, "/.profile"));
  all.push_back(drop("deny_of_running_is_missing", &Plan::noexec, "/usr/games"));
  all.push_back(drop("deny_of_a_socket_is_missing", &Plan::no_sockets, "/control"));
  all.push_back(drop("what_an_allow_leaves_out_is_open", &Plan::readonly, "/locked"));
  all.push_back({"protection_is_missing",
                 [](Plan& plan) {
                   return std::erase_if(plan.readonly, [](const Carve& carve) {
                            return carve.tree.rule == "nd7/protect";
                          }) > 0;
                 },
                 {}});
  all.push_back(
      change<Carve>("closed_is_readonly", &Plan::closed, "/secret", [](Plan& plan, Carve& carve) {
        plan.readonly.push_back(carve);
        carve = plan.closed.front();
      }));
  all.push_back(change<Carve>("readonly_is_closed", &Plan::readonly, "/hooks",
                              [](Plan& plan, Carve& carve) { plan.closed.push_back(carve); }));
  all.push_back(change<Carve>("noexec_is_readonly", &Plan::noexec, "/usr/games",
                              [](Plan& plan, Carve& carve) {
                                plan.readonly.push_back(carve);
                                carve.tree.path = "/usr/gamesx";
                              }));
  all.push_back(change<Carve>("closed_tree_is_a_child", &Plan::closed, "/secret",
                              [](Plan&, Carve& carve) { carve.tree.path += "/x"; }));
  all.push_back(change<Carve>(
      "closed_tree_is_its_parent", &Plan::closed, "/secret",
      [](Plan&, Carve& carve) { carve.tree.path.erase(carve.tree.path.rfind('/')); }));
  all.push_back(change<Carve>("exception_is_missing", &Plan::closed, "/secret",
                              [](Plan&, Carve& carve) { carve.except.clear(); }));
  all.push_back(change<Carve>("exception_is_all_of_it", &Plan::closed, "/secret",
                              [](Plan&, Carve& carve) { carve.except.front().path = "/"; }));
  all.push_back(
      change<Carve>("exception_is_too_wide", &Plan::closed, "/secret",
                    [](Plan&, Carve& carve) { carve.except.front().path = carve.tree.path; }));
  all.push_back(
      change<Carve>("exception_that_nobody_made", &Plan::closed, "/.ssh", [](Plan&, Carve& carve) {
        carve.except.push_back(carve.tree);
        carve.except.back().path += "/config";
      }));
  all.push_back(damage("carve_that_nobody_made", [](Plan& plan) {
    plan.closed.push_back({{"/usr/lib", false, "rich/secret"}, {}});
  }));
}

std::function<bool(Plan&)> port(std::uint16_t first, std::function<void(Port&)> function) {
  return [=](Plan& plan) {
    for (Port& one : plan.connect) {
      if (one.first != first) continue;
      function(one);
      return true;
    }
    return false;
  };
}

void add_ports(std::vector<PlanMutant>& all) {
  all.push_back({"port_is_another", port(443, [](Port& one) { one.first = one.last = 80; }), {}});
  all.push_back({"range_is_longer", port(3000, [](Port& one) { one.last = 3003; }), {}});
  all.push_back({"range_is_shorter", port(3000, [](Port& one) { one.first = 3001; }), {}});
  all.push_back({"denied_port_is_open", port(8000, [](Port& one) { one.last = 8001; }), {}});
  all.push_back(
      {"localhost_is_everybody", port(3000, [](Port& one) { one.localhost = false; }), {}});
  all.push_back({"everybody_is_localhost", port(443, [](Port& one) { one.localhost = true; }), {}});
  all.push_back({"udp_is_tcp", port(53, [](Port& one) { one.protocol = Protocol::tcp; }), {}});
  all.push_back(damage("no_ports", [](Plan& plan) { plan.connect.clear(); }));
  all.push_back(damage("no_listening", [](Plan& plan) { plan.bind.clear(); }));
  all.push_back(
      damage("listening_that_nobody_opens", [](Plan& plan) { plan.bind.front().first = 1; }));
}

void add_texts(std::vector<PlanMutant>& all) {
  all.push_back(replace("text_of_another_profile", "\"floor\",", "\"command\","));
  all.push_back(replace("text_of_another_policy", "\"rich\"", "\"poor\""));
  all.push_back(replace("text_without_a_parameter", "\"name\": \"HOME\"", "\"name\": \"HOMES\""));
  all.push_back(replace("parameter_becomes_text", "${HOME}/secret\"", "$${HOME}/secret\""));
  all.push_back(replace("parameter_becomes_optional", "\"HOME\", \"optional\": false",
                        "\"HOME\", \"optional\": true"));
  all.push_back(replace("string_ends_early", "/secret\"", "/secret"));
  all.push_back(replace("directory_is_missing", "[\n    \"${HOME}/cache\"\n  ]", "[]"));
  all.push_back(replace("directory_is_another", "    \"${HOME}/cache\"\n", "    \"${HOME}/c\"\n"));
  all.push_back(replace("dots_in_a_path", "/secret\"", "/secret/../open\""));
  all.push_back(replace("list_is_missing", "\"noexec\"", "\"exec-no\""));
  all.push_back(replace("key_stands_twice", "\"read\": [", "\"read\": [], \"read\": ["));
}

std::vector<PlanMutant> all_mutants() {
  std::vector<PlanMutant> all;
  add_trees(all);
  add_carves(all);
  add_ports(all);
  add_texts(all);
  return all;
}

struct Rich {
  SourceMap sources;
  Analysed analysed;
  Plan plan;
};

Rich rich() {
  Rich result;
  CompileOptions options;
  options.check.target = ir::Target::linux;
  Diagnostics diagnostics;
  const FileId root = result.sources.add("rich.toml", "/rules/rich.toml", std::string{kRules});
  auto analysed = analyse(result.sources, MemoryFiles{}, root, options, diagnostics);
  EXPECT_TRUE(analysed);
  if (!analysed) return result;
  result.analysed = std::move(*analysed);
  result.plan =
      linux_plan::lower(result.analysed.policy, result.analysed.terms, laws::Profile::floor);
  return result;
}

Validation judged(const Rich& one, const std::string& text) {
  return linux_plan::validate(one.analysed.policy, one.analysed.terms, laws::Profile::floor, text,
                              one.sources);
}

class PlanMutants : public testing::TestWithParam<PlanMutant> {};

TEST_P(PlanMutants, Is) {
  Rich one = rich();
  const std::string right = linux_plan::print(one.plan);
  std::string text = right;
  if (GetParam().in_plan) {
    ASSERT_TRUE(GetParam().in_plan(one.plan)) << "nothing to damage";
    text = linux_plan::print(one.plan);
  } else {
    ASSERT_TRUE(GetParam().in_text(text)) << "nothing to damage\n" << text;
  }
  ASSERT_NE(text, right);
  const Validation validation = judged(one, text);
  EXPECT_TRUE(validation.outcome == Validation::Outcome::different ||
              validation.outcome == Validation::Outcome::unreadable)
      << "it lives";
  EXPECT_FALSE(validation.reason.empty());
  RecordProperty("killed", validation.reason);
}

INSTANTIATE_TEST_SUITE_P(Killed, PlanMutants, testing::ValuesIn(all_mutants()),
                         [](const testing::TestParamInfo<PlanMutant>& mutant) {
                           return mutant.param.name;
                         });

TEST(JudgeOfPlanMutants, FindsTheRightPlanKept) {
  const Rich one = rich();
  const Validation validation = judged(one, linux_plan::print(one.plan));
  EXPECT_EQ(validation.outcome, Validation::Outcome::kept) << validation.reason;
  std::set<std::string> names;
  for (const PlanMutant& mutant : all_mutants()) names.insert(mutant.name);
  EXPECT_EQ(names.size(), all_mutants().size());
  EXPECT_GE(names.size(), 50U);
}

}  // namespace
}  // namespace nd7::test
