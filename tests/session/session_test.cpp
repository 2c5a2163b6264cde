// nd7 run, allow, deny, sessions and nd7-exec as an ordinary user meets them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/session/script.hpp"

namespace nd7::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Session : public testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    const auto user = ordinary_user(reason);
    if (!user) GTEST_SKIP() << reason;
    user_ = *user;
    if (const std::string why = why_no_sessions(user_); !why.empty()) GTEST_SKIP() << why;
  }

  [[nodiscard]] Output run(const std::string& script) const { return run_script(user_, script); }
  User user_;
};

TEST_F(Session, ExitsWithTheProgramsCode) {
  EXPECT_EQ(run("$ND7 run true").code, 0);
  EXPECT_EQ(run("$ND7 run sh -c 'exit 7'").code, 7);
  EXPECT_EQ(run("$ND7 run sh -c 'kill -TERM $$'").code, 128 + 15);
  EXPECT_EQ(run("$ND7 run no-such-program").code, 127);
  EXPECT_EQ(run("$ND7 run /etc/passwd").code, 126);
  EXPECT_EQ(run("$ND7 run").code, 2);
  EXPECT_EQ(run("$ND7 run --no-such-option true").code, 2);
  EXPECT_EQ(run("$ND7 run --rules /no/such.toml true").code, 126);
}

TEST_F(Session, WhatFollowsTheProgramIsItsOwn) {
  const Output output = run("$ND7 run sh -c 'echo \"$@\"' sh --rules x -D '' --help");
  EXPECT_EQ(output.code, 0);
  EXPECT_THAT(output.text, HasSubstr("--rules x -D  --help"));
}

TEST_F(Session, SaysItsNumberAndLeavesNothingBehind) {
  const Output output = run(R"sh(
    mine() { find /tmp /dev/shm -maxdepth 1 -name 'nd7-??????' -user $(id -un)
             ls -d ~/.nd7/sessions/* ~/.aws ~/.ssh 2>&1; }
    $ND7 run true; before=$(mine); $ND7 run true; after=$(mine)
    [ "$before" = "$after" ] && echo nothing left)sh");
  EXPECT_THAT(output.text, testing::ContainsRegex("nd7 run: session [0-9]+ under nd7's policy"));
  EXPECT_THAT(output.text, HasSubstr("nothing left"));
}

TEST_F(Session, CommandsRunUnderTheRulesOfTheMoment) {
  const Output output = run(R"sh(
    mkdir -p ~/granted
    $ND7 run sh -c '
      touch ~/granted/floor; $ND7_EXEC -c "touch ~/granted/before && echo wrote-before"
      echo ready > started; while [ ! -e go ]; do sleep 0.05; done
      $ND7_EXEC -c "touch ~/granted/after && echo wrote-after"
      touch ~/granted/floor2 && echo floor-wrote
      echo ready > second; while [ ! -e gone ]; do sleep 0.05; done
      $ND7_EXEC -c "touch ~/granted/later && echo wrote-later"' &
    while [ ! -e started ]; do sleep 0.05; done
    $ND7 allow ~/granted; touch go
    while [ ! -e second ]; do sleep 0.05; done
    $ND7 deny ~/granted; touch gone; wait
    rm -rf ~/granted)sh");
  EXPECT_THAT(output.text, Not(HasSubstr("wrote-before")));
  EXPECT_THAT(output.text,
              HasSubstr("writes under " + user_.home + "/granted allowed from the next command"));
  EXPECT_THAT(output.text, HasSubstr("wrote-after"));
  EXPECT_THAT(output.text, Not(HasSubstr("floor-wrote")));
  EXPECT_THAT(output.text, Not(HasSubstr("wrote-later")));
}

TEST_F(Session, AGrantOfAHomeLeavesKeysAndRecordsClosed) {
  const Output output = run(R"sh(
    mkdir -p ~/.ssh; echo secret > ~/.ssh/id
    $ND7 run sh -c 'echo > started; while [ ! -e go ]; do sleep 0.05; done
      $ND7_EXEC -c "cat ~/.ssh/id; ls ~/.nd7; touch ~/.nd7/x; mv ~/.ssh ~/moved; mv ~/.nd7 ~/moved2;
                    touch ~/fine && echo fine; rm ~/fine"' &
    while [ ! -e started ]; do sleep 0.05; done
    $ND7 allow ~; touch go; wait; ls -d ~/moved ~/moved2)sh");
  EXPECT_THAT(output.text, HasSubstr("still closed: "));
  EXPECT_THAT(output.text, HasSubstr("fine"));
  EXPECT_THAT(output.text, Not(HasSubstr("secret")));
  EXPECT_THAT(output.text, HasSubstr("cannot access '" + user_.home + "/moved'"));
  EXPECT_THAT(output.text, HasSubstr("cannot access '" + user_.home + "/moved2'"));
}

TEST_F(Session, WhatIsClosedCannotBeGranted) {
  const Output output = run(R"sh(
    mkdir -p ~/.ssh/sub; ln -sfn ~/.ssh link
    $ND7 run sh -c 'echo > started; while [ ! -e go ]; do sleep 0.05; done' &
    while [ ! -e started ]; do sleep 0.05; done
    for path in ~/.ssh ~/.ssh/sub link ~/.nd7 ~/.nd7/sessions; do
      $ND7 allow "$path" && echo "granted $path"
    done
    $ND7 deny ~/project && echo denied; touch go; wait)sh");
  EXPECT_THAT(output.text, Not(HasSubstr("granted /")));
  EXPECT_THAT(output.text, HasSubstr("is closed by `floor/credentials`: no grant can open it"));
  EXPECT_THAT(output.text, HasSubstr("is closed by `nd7/seal`"));
  EXPECT_THAT(output.text, HasSubstr("was not granted to session"));
  EXPECT_THAT(output.text, Not(HasSubstr("denied\n")));
}

TEST_F(Session, AGrantOfALinkIsOfWhereItLedThen) {
  const Output output = run(R"sh(
    mkdir -p ~/one ~/two; ln -sfn ~/one link
    $ND7 run sh -c 'echo > started; while [ ! -e go ]; do sleep 0.05; done
      $ND7_EXEC -c "touch ~/one/x && echo one; touch ~/two/x && echo two"' &
    while [ ! -e started ]; do sleep 0.05; done
    $ND7 allow link; ln -sfn ~/two link; touch go; wait; rm -r ~/one ~/two)sh");
  EXPECT_THAT(output.text, HasSubstr("one\n"));
  EXPECT_THAT(output.text, Not(HasSubstr("\ntwo\n")));
}

TEST_F(Session, CommandsEndAsTheyWouldBare) {
  const Output output = run(R"sh(
    cat > inside <<'END'
$ND7_EXEC -c 'exit 9'; echo "code $?"
$ND7_EXEC -c 'kill -9 $$'; echo "code $?"
echo input | $ND7_EXEC -c 'cat'
$ND7_EXEC -c 'cat' <&- 2>/dev/null; echo "code $?"
$ND7_EXEC -c "$ND7_EXEC -c 'exit 3'"; echo "code $?"
$ND7_EXEC -c 'ls /proc/self/fd | wc -l' 9</dev/null
HOSTILE=$(printf 'a\n"$(x)`y`\\') $ND7_EXEC -c 'printf "<%s>" "$HOSTILE"'
cd /usr; $ND7_EXEC -c pwd
END
    $ND7 run sh ./inside)sh");
  EXPECT_THAT(output.text, HasSubstr("code 9\n"));
  EXPECT_THAT(output.text, HasSubstr("code 137\n"));
  EXPECT_THAT(output.text, HasSubstr("input\ncode 1\n"));
  EXPECT_THAT(output.text, HasSubstr("code 3\n4\n"));
  EXPECT_THAT(output.text, HasSubstr("<a\n\"$(x)`y`\\>/usr\n"));
}

TEST_F(Session, TheExecProgramNeedsASession) {
  const Output outside = run("$ND7_EXEC -c true");
  EXPECT_EQ(outside.code, 126);
  EXPECT_EQ(outside.text, "nd7-exec: no nd7 session in this process's ancestry\n");
  for (const char* words : {"", "true", "-c", "-c a b", "-x true"}) {
    const Output usage = run(std::string{"$ND7_EXEC "} + words);
    EXPECT_EQ(usage.code, 2) << words;
    EXPECT_EQ(usage.text, "usage: nd7-exec -c COMMAND\n");
  }
}

TEST_F(Session, WithoutAPolicyNothingRuns) {
  const Output output = run(R"sh(
    $ND7 run sh -c 'echo > started; while [ ! -e go ]; do sleep 0.05; done
      $ND7_EXEC -c "echo ran"; echo "code $?"' &
    while [ ! -e started ]; do sleep 0.05; done
    for file in ~/.nd7/sessions/*/policy.plan; do rm "$file"; done; touch go; wait)sh");
  EXPECT_THAT(output.text, Not(HasSubstr("ran\n")));
  EXPECT_THAT(output.text, HasSubstr("has no policy.plan"));
  EXPECT_THAT(output.text, HasSubstr("code 126\n"));
}

TEST_F(Session, SeveralHaveToBeTold) {
  const Output output = run(R"sh(
    mkdir -p ~/granted a b
    cat > inside <<'END'
echo > started; while [ ! -e go ]; do sleep 0.05; done
$ND7_EXEC -c 'touch ~/granted/x && echo wrote in $(basename $PWD)'
END
    for name in a b; do (cd $name && exec $ND7 run sh ../inside 2> said) & done
    while [ ! -e a/started ] || [ ! -e b/started ]; do sleep 0.05; done
    $ND7 allow ~/granted; echo "code $?"
    $ND7 allow ~/granted --session $(sed -n 's/.*session \([0-9]*\) .*/\1/p' a/said)
    $ND7 sessions; touch a/go b/go; wait; rm -r ~/granted)sh");
  EXPECT_THAT(output.text, HasSubstr("several sessions are running; say which with --session PID"));
  EXPECT_THAT(output.text, HasSubstr("code 1\n"));
  EXPECT_THAT(output.text, HasSubstr("wrote in a"));
  EXPECT_THAT(output.text, Not(HasSubstr("wrote in b")));
}

TEST_F(Session, AHundredChangesAtOnceLoseNothing) {
  const Output output = run(R"sh(
    mkdir -p ~/many; for i in $(seq 60); do mkdir -p ~/many/$i; done
    cat > inside <<'END'
echo > started; while [ ! -e go ]; do sleep 0.05; done
$ND7_EXEC -c 'for i in $(seq 60); do touch ~/many/$i/x 2>/dev/null && n=$((n+1)); done; echo wrote $n'
END
    $ND7 run sh ./inside &
    while [ ! -e started ]; do sleep 0.05; done
    for i in $(seq 60); do $ND7 allow ~/many/$i > /dev/null & pids="$pids $!"; done
    for pid in $pids; do wait $pid || echo failed; done
    pids=
    for i in $(seq 21 60); do $ND7 deny ~/many/$i > /dev/null & pids="$pids $!"; done
    for pid in $pids; do wait $pid || echo failed; done
    touch go; wait; rm -r ~/many)sh");
  EXPECT_THAT(output.text, Not(HasSubstr("failed")));
  EXPECT_THAT(output.text, HasSubstr("wrote 20\n"));
}

TEST_F(Session, NothingSurvivesAKill) {
  const Output output = run(R"sh(
    export LONG=1234
    $ND7 run sh -c '$ND7_EXEC -c "exec sleep $LONG.5" & exec sleep $LONG.25' &
    nd7=$!
    while ! pgrep -u $(id -u) -f "sleep $LONG.5" > /dev/null; do sleep 0.05; done
    kill -9 $nd7; sleep 0.5
    pgrep -u $(id -u) -f "sleep $LONG" && echo survived
    ls ~/.nd7/sessions | grep -c . ; $ND7 run true 2>/dev/null; ls -A ~/.nd7/sessions | grep -c .)sh");
  EXPECT_THAT(output.text, Not(HasSubstr("survived")));
  EXPECT_THAT(output.text, HasSubstr("1\n0\n"));
}

TEST_F(Session, TheCommandEndsWithItsClient) {
  const Output output = run(R"sh(
    export LONG=1235
    $ND7 run sh -c '$ND7_EXEC -c "sleep $LONG.5 & sleep $LONG.25" & client=$!; sleep 0.5
      kill -9 $client; sleep 0.5; $ND7_EXEC -c "pgrep -x sleep && echo survived"')sh");
  EXPECT_THAT(output.text, Not(HasSubstr("survived")));
}

TEST_F(Session, RefusesWhatWouldLeadAroundIt) {
  const Output directory = run("$ND7 run true < /");
  EXPECT_EQ(directory.code, 126);
  EXPECT_THAT(directory.text, HasSubstr("descriptor 0 is a directory"));
  const Output keys = run("mkdir -p ~/.ssh; cd ~/.ssh; $ND7 run true");
  EXPECT_EQ(keys.code, 126) << keys.text;
  const Output records = run("mkdir -p ~/.nd7; cd ~/.nd7; $ND7 run true");
  EXPECT_EQ(records.code, 126) << records.text;
}

TEST_F(Session, TheDoctorFindsThatItCanRun) {
  const Output text = run("$ND7 doctor");
  EXPECT_EQ(text.code, 0) << text.text;
  EXPECT_THAT(text.text, HasSubstr("good     a session: started and ended\n"));
  EXPECT_THAT(run("$ND7 doctor --json").text,
              testing::StartsWith("{\"nd7_doctor\":1,\"checks\":["));
  const Output bare =
      run("unshare -U --map-root-user sh -c 'echo 0 > /proc/sys/user/max_user_namespaces; "
          "$ND7 doctor; $ND7 run true; echo \"code $?\"'");
  EXPECT_THAT(bare.text, HasSubstr("MISSING  user namespaces: "));
  EXPECT_THAT(bare.text, HasSubstr("code 126\n"));
}

TEST_F(Session, HasTerminalsOfItsOwn) {
  const Output output = run(R"sh(
    $ND7 run sh -c 'ls /dev/pts; script -qc "tty; echo typed" /dev/null; cd /tmp; $ND7_EXEC -c pwd')sh");
  EXPECT_THAT(output.text, HasSubstr("ptmx\n"));
  EXPECT_THAT(output.text, HasSubstr("/dev/pts/0"));
  EXPECT_THAT(output.text, HasSubstr("typed"));
  EXPECT_THAT(output.text, HasSubstr("/tmp\n"));
}

TEST_F(Session, RefusesToKeepRecordsWhereOthersCould) {
  const Output output = run(R"sh(
    mv ~/.nd7 kept; mkdir elsewhere; ln -s $PWD/elsewhere ~/.nd7; $ND7 run true; echo "code $?"
    rm ~/.nd7; mv kept ~/.nd7)sh");
  EXPECT_THAT(output.text, HasSubstr("is a symbolic link"));
  EXPECT_THAT(output.text, HasSubstr("code 126\n"));
}

}  // namespace
}  // namespace nd7::test
