// The meaning of plan.hpp, line by line.
#include "compiler/linux/model.hpp"

#include <gtest/gtest.h>

namespace nd7::linux_plan {
namespace {

Plan example() {
  Plan plan;
  plan.read = {{"/", false, "r/all"}};
  plan.write = {{"/home/me/work", false, "r/work"},
                {"/home/me/.history", true, "r/history"},
                {"/tmp/mine", false, "r/mine"}};
  plan.exec = {{"/usr", false, "r/run"}};
  plan.closed = {{{"/home/me/.ssh", false, "r/keys"}, {{"/home/me/.ssh/config", true, "r/keys"}}},
                 {{"/usr/secret", false, "r/secret"}, {}}};
  plan.readonly = {{{"/home/me/work/.git/hooks", false, "r/hooks"}, {}},
                   {{"/home/me/work/lock", true, "r/lock"}, {}}};
  plan.noexec = {{{"/usr/games", false, "r/games"}, {{"/usr/games/chess", false, "r/games"}}}};
  plan.connect = {{Protocol::tcp, false, 443, 443, "r/https"},
                  {Protocol::tcp, true, 3000, 3002, "r/dev"}};
  plan.bind = {{Protocol::tcp, true, 8000, 8000, "r/serve"}};
  plan.sockets = {{"/run", false, "r/sockets"}};
  plan.no_sockets = {{{"/run/docker.sock", false, "r/docker"}, {}}};
  return plan;
}

bool may(Access access, std::string_view path) {
  return decide_path(example(), access, path).allowed;
}

TEST(PlanModel, OpensTrees) {
  EXPECT_TRUE(may(Access::read, "/etc/hosts"));
  EXPECT_FALSE(may(Access::write, "/etc/hosts"));
  EXPECT_FALSE(may(Access::exec, "/etc/hosts"));
  EXPECT_TRUE(may(Access::write, "/home/me/work"));
  EXPECT_TRUE(may(Access::write, "/home/me/work/a/b"));
  EXPECT_FALSE(may(Access::write, "/home/me/workshop"));
  EXPECT_TRUE(may(Access::exec, "/usr/bin/sh"));
}

TEST(PlanModel, AFileIsItsPathAlone) {
  EXPECT_TRUE(may(Access::write, "/home/me/.history"));
  EXPECT_FALSE(may(Access::write, "/home/me/.history/x"));
  // What is below it shows that it is a directory, and then all of it is closed.
  EXPECT_FALSE(may(Access::write, "/home/me/work/lock"));
  EXPECT_FALSE(may(Access::write, "/home/me/work/lock/x"));
  EXPECT_TRUE(may(Access::read, "/home/me/work/lock"));
}

TEST(PlanModel, WhatIsClosedIsClosedForEverything) {
  for (const Access access : {Access::read, Access::write, Access::exec}) {
    EXPECT_FALSE(may(access, "/home/me/.ssh"));
    EXPECT_FALSE(may(access, "/usr/secret/tool"));
  }
  EXPECT_TRUE(may(Access::read, "/home/me/.ssh/config"));
  EXPECT_FALSE(may(Access::read, "/home/me/.ssh/config/x"));
  EXPECT_FALSE(may(Access::read, "/home/me/.ssh/id"));
}

TEST(PlanModel, ReadOnlyAndNoExec) {
  EXPECT_TRUE(may(Access::read, "/home/me/work/.git/hooks/x"));
  EXPECT_FALSE(may(Access::write, "/home/me/work/.git/hooks/x"));
  EXPECT_FALSE(may(Access::exec, "/usr/games/nethack"));
  EXPECT_TRUE(may(Access::exec, "/usr/games/chess"));
  EXPECT_TRUE(may(Access::read, "/usr/games/nethack"));
}

TEST(PlanModel, PrivatePlacesAreTheSessionsOwn) {
  for (const std::string_view path :
       {"/tmp", "/tmp/x", "/dev/shm", "/dev/shm/a", "/run/user", "/run/user/1000/bus"}) {
    EXPECT_TRUE(is_private(example(), path)) << path;
    EXPECT_TRUE(decide_path(example(), Access::write, path).own) << path;
  }
  for (const std::string_view path : {"/tmp/mine", "/tmp/mine/x", "/tmpx", "/run", "/dev"}) {
    EXPECT_FALSE(is_private(example(), path)) << path;
    EXPECT_FALSE(decide_path(example(), Access::write, path).own) << path;
  }
  EXPECT_TRUE(may(Access::write, "/tmp/mine/x"));
  EXPECT_TRUE(may(Access::read, "/tmp/mine/x"));
}

TEST(PlanModel, Ports) {
  const Plan plan = example();
  EXPECT_TRUE(decide_connect(plan, Protocol::tcp, false, 443).allowed);
  EXPECT_TRUE(decide_connect(plan, Protocol::tcp, true, 443).allowed);
  EXPECT_FALSE(decide_connect(plan, Protocol::udp, false, 443).allowed);
  EXPECT_TRUE(decide_connect(plan, Protocol::tcp, true, 3001).allowed);
  EXPECT_FALSE(decide_connect(plan, Protocol::tcp, false, 3001).allowed);
  EXPECT_FALSE(decide_connect(plan, Protocol::tcp, true, 3003).allowed);
  EXPECT_TRUE(decide_bind(plan, Protocol::tcp, true, 8000).allowed);
  EXPECT_FALSE(decide_bind(plan, Protocol::tcp, false, 8000).allowed);
}

TEST(PlanModel, Sockets) {
  EXPECT_TRUE(decide_socket(example(), "/run/user/1000/bus").allowed);
  EXPECT_FALSE(decide_socket(example(), "/run/docker.sock").allowed);
  EXPECT_FALSE(decide_socket(example(), "/var/run/x").allowed);
}

TEST(PlanModel, NamesTheRuleThatDecides) {
  EXPECT_EQ(decide_path(example(), Access::read, "/home/me/.ssh/id").rule, "r/keys");
  EXPECT_EQ(decide_path(example(), Access::write, "/home/me/work/x").rule, "r/work");
  EXPECT_EQ(decide_path(example(), Access::write, "/etc/x").rule, "");
  EXPECT_EQ(decide_connect(example(), Protocol::tcp, false, 443).rule, "r/https");
}

}  // namespace
}  // namespace nd7::linux_plan
