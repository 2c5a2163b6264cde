// `[never.*]`, `within` and `[[expect]]`: they hold where they should, and fail with a witness of
// the kind that a person would look for.
#include "tests/unit/answer/claims.hpp"

#include <gtest/gtest.h>

#include "compiler/answer/invariants.hpp"

namespace nd7::test {
namespace {

constexpr std::string_view kFloor = "nd7 = 1\nname = \"t\"\nextends = \"floor\"\n";
constexpr std::string_view kAlone =
    "nd7 = 1\nname = \"t\"\n[allow.all]\nread = \"/\"\nwrite = \"${project}\"\n";

std::string with(std::string_view head, std::string_view rest) {
  return std::string{head} + std::string{rest};
}

/// No claim fails.
void expect_proved(const std::string& text, CompileOptions options = {}, MemoryFiles files = {}) {
  for (const Claim& claim : claims_of(text, std::move(options), std::move(files))) {
    std::string notes;
    for (const std::string& note : claim.notes) notes += "\n  " + note;
    ADD_FAILURE() << text << claim.code << " " << claim.message << notes;
  }
}

TEST(Never, HoldsForWhatTheFloorDenies) {
  expect_proved(with(kFloor, "[never.keys]\nread = [\"~/.ssh\", \"~/.aws\"]\n"));
  expect_proved(with(kFloor, "[never.seal]\nread = \"~/.nd7\"\nwrite = \"~/.nd7\"\n"));
  expect_proved(with(kFloor, "[never.smtp]\nconnect = \"*:25\"\n"));
  expect_proved(with(kFloor, "[never.bind]\nbind = \"*:*\"\n"));
}

TEST(Never, FailsOnWhatIsReadableBelow) {
  const Claim claim = failed_claim(with(kAlone, "[never.keys]\nread = \"~/.ssh\"\n"));
  EXPECT_EQ(claim.code, "ND4003");
  EXPECT_TRUE(claim.says("never.keys"));
  EXPECT_TRUE(claim.says("file-read-data --path /Users/me/.ssh`")) << claim.notes.front();
  EXPECT_TRUE(claim.says("t/all (root.toml:3)"));
}

TEST(Never, SeesWhatARelaxationLifts) {
  const std::string lifted = with(kFloor,
                                  "[relax.\"floor/credentials\"]\nread = \"~/.ssh/known_hosts\"\n"
                                  "[never.keys]\nread = \"~/.ssh\"\n");
  const Claim claim = failed_claim(lifted);
  EXPECT_EQ(claim.code, "ND4003");
  EXPECT_TRUE(claim.says("--path /Users/me/.ssh/known_hosts"));
  expect_proved(lifted + "except = \"~/.ssh/known_hosts\"\n");
}

TEST(Never, CountsNamesInEveryCase) {
  const Claim claim = failed_claim(
      "nd7 = 1\nname = \"t\"\n[allow.odd]\nread = [\"${project}\", \"literal:/opt/KEY\"]\n"
      "[never.key]\nread = \"literal:/opt/key\"\n");
  EXPECT_EQ(claim.code, "ND4003");
  EXPECT_TRUE(claim.says("--path /opt/KEY"));
}

TEST(Never, NamesAPortAServiceAndASocket) {
  Claim claim = failed_claim(with(kFloor, "[never.web]\nconnect = \"*:443\"\n"));
  EXPECT_TRUE(claim.says("network-outbound --connect")) << claim.message;
  EXPECT_TRUE(claim.says(":443`"));
  claim = failed_claim(with(kFloor, "[never.dns]\nmach = \"com.apple.dnssd.*\"\n"));
  EXPECT_TRUE(claim.says("mach-lookup --mach com.apple.dnssd.service"));
  claim = failed_claim(with(kFloor, "[never.sockets]\nconnect = \"unix:/var/run\"\n"));
  EXPECT_TRUE(claim.says("--unix /private/var/run/mDNSResponder"));
  claim = failed_claim(with(kFloor, "[never.signals]\nsignal = \"initproc\"\n"));
  EXPECT_TRUE(claim.says("signal --name initproc"));
  claim = failed_claim(with(kFloor, "[never.fork]\nops = [\"process-fork\"]\nwhere = 'true'\n"));
  EXPECT_TRUE(claim.says("process-fork"));
}

TEST(Never, OfExecFindsTheExitLeavingTheSandbox) {
  const Claim claim = failed_claim(
      "nd7 = 1\nname = \"t\"\n[allow.read]\nread = \"/\"\n[never.run]\nexec = \"/usr/local\"\n");
  EXPECT_EQ(claim.code, "ND4003");
  EXPECT_TRUE(
      claim.says("process-exec* --path /usr/local/bin/nd7-exec` is answered "
                 "allow-unconfined by nd7/exit"))
      << (claim.notes.empty() ? claim.message : claim.notes.front());
  EXPECT_TRUE(claim.says("in the floor profile"));
}

TEST(Placements, OneThatBreaksAnInvariantIsNamed) {
  const std::string text = with(kAlone, "[never.docs]\nwrite = \"~/docs\"\n");
  const Claim claim = failed_claim(text);
  EXPECT_EQ(claim.code, "ND4003");
  EXPECT_TRUE(claim.says("the project is the home directory"));
  EXPECT_TRUE(claim.says("HOME=/Users/me PROJ=/Users/me "));
  // Bound places are the only ones.
  expect_proved(text, bound_options());
}

TEST(Placements, OfTheProjectAtANamedDirectoryCount) {
  const Claim claim = failed_claim(with(kAlone, "[never.srv]\nwrite = \"/srv/data\"\n"));
  EXPECT_TRUE(claim.says("PROJ=/srv/data ")) << claim.message;
}

TEST(Placements, OfTheTemporaryDirectoryCount) {
  const Claim claim = failed_claim(
      "nd7 = 1\nname = \"t\"\n[allow.a]\nread = \"/\"\nwrite = \"${tmp}\"\n"
      "[never.home]\nwrite = \"~\"\n");
  EXPECT_TRUE(claim.says("the temporary directory in the home directory")) << claim.message;
}

TEST(Placements, OfOtherParametersCount) {
  const std::string opened =
      "nd7 = 1\nname = \"t\"\n[allow.here]\nread = \"${project}\"\n[param]\ndata = { optional = "
      "true }\n[allow.data]\nwrite = \"${data}\"\n"
      "[never.srv]\nwrite = \"/srv/keys\"\n";
  const Claim claim = failed_claim(opened);
  EXPECT_EQ(claim.code, "ND4003");
  EXPECT_TRUE(claim.says("t.data=/srv/keys")) << claim.message;
  expect_proved(opened + "[deny.keys]\nwrite = \"/srv/keys\"\n");
}

/// Nothing is writable but what the rules say.
constexpr std::string_view kReadOnly =
    "nd7 = 1\nname = \"t\"\n[allow.here]\nread = \"${project}\"\n";

TEST(Placements, OptionalParametersAreUnsetToo) {
  // Only while the parameter is set, and at a path that nothing else has, would this hold.
  const Claim claim = failed_claim(
      with(kReadOnly,
           "[param]\ndata = { optional = true }\n[allow.srv]\nwrite = \"/param/t.data\"\n"
           "[deny.data]\nwrite = \"${data}\"\n[never.param]\nwrite = \"/param/t.data\"\n"));
  EXPECT_EQ(claim.code, "ND4003");
  EXPECT_TRUE(claim.says("t.data unset")) << claim.message;
}

TEST(Placements, WhereTheProjectMayNotBeReadAreNone) {
  // The project at ~/.ssh would make it writable, but no session starts there.
  expect_proved(with(kFloor, "[never.keys]\nwrite = \"~/.ssh\"\n"));
}

TEST(Within, HoldsAndFailsWithTheFirstThingOpened) {
  MemoryFiles files;
  files.put(
      "/rules/limit.toml",
      "nd7 = 1\nname = \"limit\"\nextends = \"floor\"\n[allow.work]\nwrite = \"/opt/work\"\n");
  const std::string head = "nd7 = 1\nname = \"t\"\nextends = \"floor\"\nwithin = \"limit.toml\"\n";
  expect_proved(head, {}, files);
  expect_proved(head + "[allow.less]\nwrite = \"/opt/work/a\"\n", {}, files);
  const Claim claim =
      failed_claim(head + "[allow.more]\nwrite = \"prefix:/opt/work\"\n", {}, files);
  EXPECT_EQ(claim.code, "ND4005");
  EXPECT_TRUE(claim.says("--path /opt/work")) << claim.message;
  EXPECT_FALSE(claim.says("--path /opt/work`"));
  EXPECT_FALSE(claim.says("--path /opt/work/"));
  EXPECT_TRUE(claim.says("t/more"));
}

TEST(Within, SeesADenyOfTheLimit) {
  MemoryFiles files;
  files.put("/rules/limit.toml",
            "nd7 = 1\nname = \"limit\"\nextends = \"floor\"\n[deny.env]\nread = \"name:.env\"\n");
  const std::string head = "nd7 = 1\nname = \"t\"\nextends = \"floor\"\nwithin = \"limit.toml\"\n";
  const Claim claim = failed_claim(head, {}, files);
  EXPECT_EQ(claim.code, "ND4005");
  EXPECT_TRUE(claim.says("/.env")) << claim.message;
  expect_proved(head + "[deny.mine]\nread = \"name:.env\"\n", {}, files);
}

TEST(Within, AFileThatCannotBeReadIsAnError) {
  EXPECT_EQ(failed_claim(with(kFloor, "within = \"nowhere.toml\"\n")).code, "ND2030");
}

TEST(Expect, HoldsAndFails) {
  expect_proved(with(kFloor,
                     "[[expect]]\nis = \"allow\"\nwrite = \"${project}/src/x\"\n"
                     "[[expect]]\nis = \"deny\"\nread = \"~/.ssh/id_rsa\"\n"
                     "[[expect]]\nis = \"deny\"\nconnect = \"*:22\"\n"));
  Claim claim = failed_claim(with(kFloor, "[[expect]]\nis = \"allow\"\nread = \"~/.ssh/id\"\n"));
  EXPECT_EQ(claim.code, "ND4004");
  EXPECT_TRUE(claim.says("--path /Users/me/.ssh/id` is answered deny by floor/credentials"));
  claim = failed_claim(with(kFloor, "[[expect]]\nis = \"deny\"\nread = \"/usr/bin\"\n"));
  EXPECT_EQ(claim.code, "ND4004");
  EXPECT_TRUE(claim.says("is answered allow by floor/reading"));
}

TEST(Expect, IsAboutThePathAsItIsSpelled) {
  const std::string opened = with(kFloor, "[allow.srv]\nwrite = \"/srv/DATA\"\n[[expect]]\n");
  expect_proved(opened + "is = \"deny\"\nwrite = \"/srv/data\"\n");
  expect_proved(opened + "is = \"allow\"\nwrite = \"/srv/DATA\"\n");
  const Claim claim = failed_claim(opened + "is = \"deny\"\nwrite = \"subpath:/srv/DATA\"\n");
  EXPECT_TRUE(claim.says("--path /srv/DATA`")) << claim.message;
}

TEST(Expect, ChecksEveryOperationOfAVerb) {
  // Reading is closed in one of its operations only.
  const Claim claim = failed_claim(with(kFloor,
                                        "[deny.marks]\nops = [\"file-read-xattr\"]\n"
                                        "where = 'subpath(\"/opt/a\")'\n"
                                        "[[expect]]\nis = \"allow\"\nread = \"/opt/a\"\n"));
  EXPECT_TRUE(claim.says("file-read-xattr --path /opt/a")) << claim.message;
}

TEST(Expect, SaysByWhichRule) {
  const std::string_view head = "[allow.caches]\nwrite = \"/opt/cache\"\n[[expect]]\n";
  expect_proved(with(
      kFloor, std::string{head} + "is = \"allow\"\nwrite = \"/opt/cache/x\"\nby = \"caches\"\n"));
  expect_proved(with(kFloor,
                     "[[expect]]\nis = \"deny\"\nwrite = \"/opt/other\"\nby = \"default\"\n"
                     "[[expect]]\nis = \"deny\"\nread = \"~/.nd7/x\"\nby = \"nd7/seal\"\n"
                     "[[expect]]\nis = \"deny\"\nread = \"~/.ssh\"\nby = \"floor/credentials\"\n"));
  Claim claim = failed_claim(with(
      kFloor,
      std::string{head} + "is = \"allow\"\nwrite = \"/opt/cache/x\"\nby = \"floor/project\"\n"));
  EXPECT_EQ(claim.code, "ND4004");
  EXPECT_TRUE(claim.says("floor/project"));
  claim = failed_claim(with(
      kFloor, std::string{head} + "is = \"allow\"\nwrite = \"/opt/cache/x\"\nby = \"nobody\"\n"));
  EXPECT_EQ(claim.code, "ND2006");
  claim = failed_claim(
      with(kFloor, "[[expect]]\nis = \"deny\"\nread = \"~/.ssh\"\nby = \"default\"\n"));
  EXPECT_EQ(claim.code, "ND4004");
}

/// A set that has no small automaton: the letter `letters` before the last decides.
std::string far_back(std::size_t letters) {
  std::string regex = "'regex:^/w/[ab]*a";
  for (std::size_t i = 0; i < letters; ++i) regex += "[ab]";
  return regex + "$'";
}

std::string never_both(std::size_t letters) {
  return "nd7 = 1\nname = \"t\"\n[allow.r]\nread = \"/\"\n[allow.w]\nwrite = " + far_back(letters) +
         "\n[deny.w2]\nnames-only = true\nwrite = " + far_back(letters) +
         "\n[never.w3]\nwrite = " + far_back(letters) + "\n";
}

TEST(Undecided, IsSaidAndNeverTakenForAProof) {
  const Claim claim = failed_claim(never_both(24), bound_options());
  EXPECT_EQ(claim.code, "ND4006") << claim.message;
  EXPECT_TRUE(claim.says("neither proved nor refuted"));
  // The same with a set that is small enough is decided.
  expect_proved(never_both(4), bound_options());
}

TEST(Undecided, WithoutABudgetNothingIsProved) {
  Compilation compilation =
      compile_text(with(kFloor, "[never.keys]\nread = \"~/.ssh\"\nwrite = \"~/.aws\"\n"));
  ASSERT_TRUE(compilation.result) << compilation.log();
  const ir::Policy& policy = compilation.result->policy;
  answer::Quantifiers quantifiers;
  quantifiers.budget = {1, 1};
  answer::Prover prover{policy, compilation.sources, quantifiers};
  for (const ir::Rule& rule : policy.rules) {
    if (rule.effect != ir::Effect::never) continue;
    const answer::Proof proof = prover.never(rule.clauses);
    ASSERT_TRUE(proof.failure);
    EXPECT_TRUE(proof.failure->undecided);
  }
}

}  // namespace
}  // namespace nd7::test
