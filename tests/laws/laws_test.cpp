// The laws of docs/guarantees.md, one after the other: what is exhausted over a finite world, and
// what is proved with the engine. The properties over random policies are in tests/property.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "compiler/answer/search.hpp"
#include "compiler/pipeline/prove.hpp"
#include "tests/support/compile.hpp"
#include "tests/support/judge.hpp"
#include "tests/support/policy_model.hpp"

namespace nd7::test {
namespace {

using namespace seatbelt::read;
using laws::Profile;
using seatbelt::Op;

constexpr std::array kProfiles{Profile::floor, Profile::command};

/// A policy that opens whatever can be opened, by class and by operation.
const std::string kOpen = R"(nd7 = 1
name = "open"
[allow.classes]
ops = ["file*", "process*", "network*", "mach*", "signal", "sysctl*", "ipc*", "file-write-setugid",
       "file-clone", "file-link", "file-map-executable", "file-test-existence", "fs-rename"]
where = 'true'
[allow.operations]
ops = ["file-read-data", "file-read-metadata", "file-read-xattr", "file-write-create",
       "file-write-data", "file-write-unlink", "file-write-mode", "process-exec*"]
where = 'subpath("/")'
)";

Request about(Op op, std::string path) {
  Request request;
  request.op = op;
  request.subject = PathSubject{std::move(path)};
  return request;
}

Request about(Op op, std::string_view path) { return about(op, std::string{path}); }

std::vector<Op> operations_on_files() {
  std::vector<Op> result;
  for (std::size_t i = 0; i < seatbelt::kOpCount; ++i) {
    const auto op = static_cast<Op>(i);
    const bool everywhere = info(op).releases == seatbelt::ReleaseSet::all();
    if (is_concrete(op) && everywhere && info(op).subject == seatbelt::Subject::path) {
      result.push_back(op);
    }
  }
  return result;
}

void expect_denied(const Judge& judged, const Request& request) {
  for (std::size_t model = 0; model < kModels.size(); ++model) {
    EXPECT_EQ(judged.decide(request, model).verdict, Verdict::deny)
        << name(request.op) << " " << std::get<PathSubject>(request.subject).path << ", model "
        << model;
  }
}

/// No claim of `text` fails, in any placement.
void expect_proved(const std::string& text, CompileOptions options = {}) {
  Compilation compilation = compile_text(text, options);
  ASSERT_TRUE(compilation.result) << compilation.log();
  Diagnostics diagnostics;
  prove(compilation.sources, MemoryFiles{}, *compilation.result, options, Claims::all, diagnostics);
  EXPECT_TRUE(compilation.result->bugs.empty());
  for (const Diagnostic& d : diagnostics.all()) {
    if (d.severity == Severity::error) {
      ADD_FAILURE() << d.message << "\n" << (d.notes.empty() ? "" : d.notes.front());
    }
  }
}

// --- 1: sets, not sequences

TEST(Law1, ProofDoesNotDependOnTheOrderOfTheTerms) {
  Compilation compilation = compile_floor();
  ASSERT_TRUE(compilation.result);
  std::vector<laws::Term> terms = compilation.result->terms;
  std::reverse(terms.begin(), terms.end());
  terms.insert(terms.end(), compilation.result->terms.begin(), compilation.result->terms.end());
  const auto result = validate::validate(compilation.result->policy, terms,
                                         compilation.result->printed.text, std::nullopt);
  EXPECT_EQ(result.outcome, validate::Result::Outcome::equal);
}

// --- 2: the seal

TEST(Law2, ExhaustiveOverOperationsAndSpellings) {
  for (const Profile profile : kProfiles) {
    const std::vector<std::string> grants =
        profile == Profile::command ? std::vector<std::string>{std::string{kHomePath}, "/Users",
                                                               std::string{kHomePath} + "/x"}
                                    : std::vector<std::string>{};
    const Judge judged = judge(kOpen, profile, grants, Imports::kept);
    for (const Op op : operations_on_files()) {
      for (const char* below : {"", "/x", "/sessions/1/policy.sb"}) {
        for (const char* seal : {"/.nd7", "/.ND7", "/.nD7", "/.Nd7"}) {
          expect_denied(judged, about(op, std::string{kHomePath} + seal + below));
        }
      }
    }
    for (const char* above : {"/", "/Users", "/Users/dev"}) {
      expect_denied(judged, about(Op::file_write_unlink, std::string{above}));
    }
  }
}

TEST(Law2, ProofForEveryPlacement) {
  std::string ops;
  for (const Op op : operations_on_files()) {
    ops += (ops.empty() ? "\"" : ", \"") + std::string{name(op)} + "\"";
  }
  expect_proved(kOpen + "[never.seal]\nops = [" + ops + "]\nwhere = 'subpath(\"~/.nd7\")'\n" +
                "[never.move]\nops = [\"file-write-unlink\"]\nwhere = 'ancestors(\"~/.nd7\")'\n");
}

// --- 3: self-protection

TEST(Law3, ExhaustiveOverOperationsThatWrite) {
  for (const Profile profile : kProfiles) {
    CompileOptions options = bound_options(profile);
    options.protect = {"/opt/rules/team.toml"};
    const Compilation compilation = compile_text(kOpen, options);
    ASSERT_TRUE(compilation.result) << compilation.log();
    const Judge judged{compilation.result->printed.text, Imports::kept};
    for (const std::string_view file : {kExitPath, std::string_view{"/opt/rules/team.toml"}}) {
      for (const Op op : seatbelt::family(Op::file_write_all)) {
        if (is_concrete(op)) expect_denied(judged, about(op, file));
      }
      for (const Op op : {Op::file_link, Op::file_write_setugid, Op::fs_rename, Op::file_mknod}) {
        expect_denied(judged, about(op, file));
      }
      for (std::size_t slash = file.rfind('/'); slash != 0; slash = file.rfind('/', slash - 1)) {
        expect_denied(judged, about(Op::file_write_unlink, file.substr(0, slash)));
      }
      EXPECT_TRUE(judged.allows(about(Op::file_read_data, file)));
    }
  }
}

TEST(Law3, ProofForEveryPlacement) {
  CompileOptions options;
  options.protect = {"/opt/rules/team.toml"};
  expect_proved(kOpen +
                    "[never.rules]\nwrite = \"literal:/opt/rules/team.toml\"\n"
                    "[never.move]\nops = [\"file-write-unlink\"]\n"
                    "where = 'ancestors(\"/opt/rules/team.toml\")'\n",
                options);
}

// --- 4: the exit

TEST(Law4, ExhaustiveOverWhatIsNearTheExit) {
  for (const Profile profile : kProfiles) {
    const Judge judged = judge(kOpen, profile);
    const std::string exit{kExitPath};
    for (const std::string& path :
         {exit, exit + "2", exit + "/x", std::string{"/usr/local/bin"}, std::string{"/"},
          std::string{"/usr/local/bin/ND7-EXEC"}, std::string{"/usr/local/bin/nd7-exe"}}) {
      for (const Op op : {Op::process_exec_all, Op::process_exec_interpreter}) {
        for (std::size_t model = 0; model < kModels.size(); ++model) {
          const bool leaves = judged.decide(about(op, path), model).unconfined != Truth::no;
          EXPECT_EQ(leaves, path == exit && op == Op::process_exec_all && profile == Profile::floor)
              << path;
        }
      }
    }
  }
}

TEST(Law4, NoRuleCanNameTheExit) {
  const std::string head = "nd7 = 1\nname = \"t\"\nextends = \"floor\"\n";
  CompileOptions options = bound_options();
  EXPECT_TRUE(compile_text(head + "[deny.tools]\nexec = \"/usr/local\"\n", options).result);
  // A deny that is wide enough to hold the exit leaves it out.
  const Judge judged = judge(head + "[deny.tools]\nexec = \"/usr/local\"\n");
  EXPECT_EQ(judged.decide(about(Op::process_exec_all, kExitPath)).unconfined, Truth::yes);
  EXPECT_FALSE(judged.allows(about(Op::process_exec_all, std::string{kExitPath} + "2")));
}

// --- 6: fail closed

/// The text of a profile with bound places, as a side of the engine.
answer::Side side_of(const std::string& text, Profile profile) {
  return answer::Side{judge(text, profile).rules()};
}

TEST(Law6, ProofThatACommandWithoutGrantsHasNoMoreThanTheFloor) {
  for (const std::string& text : {kOpen, std::string{"nd7 = 1\nname = \"t\"\nextends = \"floor\"\n"
                                                     "[deny.tools]\nexec = \"/usr/local\"\n"}}) {
    answer::Side command = side_of(text, Profile::command);
    answer::Side floor = side_of(text, Profile::floor);
    for (const Op op : operations_of_interest(command, floor)) {
      EXPECT_EQ(find(command, floor, op, answer::Relation::above).answer, decide::Answer::no)
          << name(op);
    }
    // And the floor has more in the exit alone.
    for (const Op op : operations_of_interest(floor, command)) {
      const auto found = find(floor, command, op, answer::Relation::above);
      if (found.answer == decide::Answer::no) continue;
      EXPECT_EQ(op, Op::process_exec_all);
      EXPECT_EQ(std::get<PathSubject>(found.request.subject).path, kExitPath);
    }
  }
}

// --- 7: a deny protects its subject

/// After `mv from to` or `ln from to`, if the text lets it happen, is something open that a deny
/// had closed?
bool escapes(const Judge& judged, const std::string& from, const std::string& to,
             const std::string& rest, Op op) {
  const bool moves = judged.allows(about(Op::file_write_unlink, from)) &&
                     judged.allows(about(Op::file_write_create, to));
  // There are hard links of files only, so nothing stands below one.
  const bool links = rest.empty() && judged.allows(about(Op::file_link, from)) &&
                     judged.allows(about(Op::file_write_create, to));
  return (moves || links) && !judged.allows(about(op, from + rest)) &&
         judged.allows(about(op, to + rest));
}

TEST(Law7, ExhaustiveOverMovesInATree) {
  const std::array<std::string, 5> nodes{"/w", "/w/a", "/w/a/b", "/w/a/b/c", "/w/z"};
  const std::array<std::string, 4> rests{"", "/a", "/a/b", "/b"};
  std::size_t moves = 0;
  for (const char* verb : {"read", "write"}) {
    for (const char* form : {"", "literal:", "prefix:"}) {
      for (std::size_t denied = 0; denied < 4; ++denied) {
        const Judge judged = judge("nd7 = 1\nname = \"t\"\n[allow.all]\nwrite = \"/\"\n[deny.d]\n" +
                                   std::string{verb} + " = \"" + form + nodes[denied] + "\"\n");
        for (const std::string& from : nodes) {
          for (const std::string& to : {std::string{"/z"}, std::string{"/w/y"}, from + "2"}) {
            for (const std::string& rest : rests) {
              for (const Op op : {Op::file_read_data, Op::file_write_data}) {
                ++moves;
                EXPECT_FALSE(escapes(judged, from, to, rest, op))
                    << verb << " " << form << nodes[denied] << ": mv " << from << " " << to
                    << " opens " << to << rest;
              }
            }
          }
        }
      }
    }
  }
  EXPECT_GE(moves, 2000U);
}

TEST(Law7, ADenyByOperationIsKeptInItsPlace) {
  for (const char* op : {"file-write-data", "file-read-data", "file-write-mode"}) {
    const Judge judged =
        judge("nd7 = 1\nname = \"t\"\n[allow.all]\nwrite = \"/\"\n[deny.d]\nops = [\"" +
              std::string{op} + "\"]\nwhere = 'subpath(\"/w/a\")'\n");
    for (const char* path : {"/w/a", "/w/a/x", "/w"}) {
      expect_denied(judged, about(Op::file_write_unlink, std::string{path}));
    }
    expect_denied(judged, about(Op::file_link, std::string_view{"/w/a/x"}));
    EXPECT_TRUE(judged.allows(about(Op::file_write_unlink, std::string_view{"/w/b"})));
  }
}

TEST(Law7, ProofThatNothingAboveADenyMoves) {
  expect_proved(
      "nd7 = 1\nname = \"t\"\n[allow.all]\nwrite = \"/\"\n[deny.keys]\nread = \"~/.ssh\"\n"
      "[never.move]\nops = [\"file-write-unlink\", \"file-link\"]\n"
      "where = 'subpath(\"~/.ssh\")'\n"
      "[never.parents]\nops = [\"file-write-unlink\"]\nwhere = 'ancestors(\"~/.ssh\")'\n");
}

TEST(Law7, AnUnstableDenyIsRefused) {
  const std::string head = "nd7 = 1\nname = \"t\"\nextends = \"floor\"\n[deny.d]\n";
  EXPECT_NE(compile_text(head + "read = \"glob:${project}/*/x\"\n").log().find("ND3001"),
            std::string::npos);
  EXPECT_TRUE(compile_text(head + "names-only = true\nread = \"glob:${project}/*/x\"\n")
                  .result.has_value());
}

// --- 8: what cannot be kept is said

TEST(Law8, AWideningLossIsAnErrorUntilItIsAccepted) {
  struct Case {
    const char* rule;
    const char* loss;
    const char* code;
  };
  for (const Case& one : {
           Case{"[allow.ssh]\nconnect = \"github.com:22\"\n", "macos/host-by-port", "ND5002"},
           Case{"[deny.track]\nconnect = \"t.example.com:443\"\n", "macos/deny-host", "ND5001"},
           Case{"[deny.signals]\nsignal = \"any\"\n", "macos/system-allows", "ND5001"},
           // An operation below the class that macOS 13 has not.
           Case{"[deny.info]\nops = [\"process-info*\"]\nwhere = 'target == others'\n",
                "macos/system-allows", "ND5001"},
       }) {
    const std::string text = "nd7 = 1\nname = \"t\"\nextends = \"floor\"\n" + std::string{one.rule};
    const Compilation refused = compile_text(text);
    EXPECT_FALSE(refused.result) << text;
    EXPECT_NE(refused.log().find(one.code), std::string::npos) << refused.log();
    const Compilation accepted =
        compile_text(text + "[accept]\n\"" + one.loss + "\" = \"known\"\n");
    ASSERT_TRUE(accepted.result) << accepted.log();
    EXPECT_TRUE(accepted.result->bugs.empty()) << accepted.result->bugs.front();
    // Without the loss, the acceptance is reported.
    const Compilation gone =
        compile_text("nd7 = 1\nname = \"t\"\nextends = \"floor\"\n[accept]\n\"" +
                     std::string{one.loss} + "\" = \"known\"\n");
    EXPECT_NE(gone.log().find("ND2046"), std::string::npos) << gone.log();
  }
}

TEST(Law8, ADenyWhoseFilterFitsPartOfAClassIsProved) {
  for (const char* where : {"not xattr == \"x\"", "xattr == \"x\""}) {
    const auto compiled = [&](const std::string& op) {
      return compile_text(
          "nd7 = 1\nname = \"t\"\nextends = \"floor\"\n"
          "[allow.a]\nops = [\"file-write-data\", \"file-write-xattr\"]\nwhere = "
          "'subpath(\"/opt\")'\n"
          "[deny.d]\nops = [\"" +
          op + "\"]\nnames-only = true\nwhere = 'subpath(\"/opt\") and " + std::string{where} +
          "'\n");
    };
    // The class holds operations that have no attribute, so the filter does not fit it.
    EXPECT_TRUE(compiled("file-write*").diagnostics.has(Code::ND2007));
    const Compilation compilation = compiled("file-write-xattr");
    ASSERT_TRUE(compilation.result) << compilation.log();
    EXPECT_TRUE(compilation.result->bugs.empty()) << compilation.result->bugs.front();
  }
}

TEST(Law8, ADenyOfAllOfAClassIsProved) {
  // Classes whose operations are about different things, and with parts that some release lacks.
  for (const char* ops : {"ipc*", "mach*", "process*", "system*", "network*", "sysctl*", "file*",
                          "process-info*", "user-preference*", "iokit*", "nvram*", "signal"}) {
    for (const std::string& allow :
         {std::string{}, "[allow.a]\nops = [\"" + std::string{ops} + "\"]\nwhere = 'true'\n"}) {
      const Compilation compilation = compile_text(
          "nd7 = 1\nname = \"t\"\nextends = \"floor\"\n" + allow + "[deny.d]\nops = [\"" + ops +
          "\"]\nwhere = 'true'\n[accept]\n" + "\"macos/system-allows\" = \"known\"\n");
      ASSERT_TRUE(compilation.result) << ops << compilation.log();
      EXPECT_TRUE(compilation.result->bugs.empty())
          << ops << " " << compilation.result->bugs.front();
    }
  }
}

TEST(Law8, ProofIsMadeForEveryShippedOption) {
  for (const Profile profile : kProfiles) {
    for (const auto release : seatbelt::kReleases) {
      CompileOptions options;
      options.profile = profile;
      options.check.release = release;
      if (profile == Profile::command) options.grants = {"/opt/data"};
      const Compilation compilation = compile_floor(options);
      ASSERT_TRUE(compilation.result) << compilation.log();
      EXPECT_EQ(compilation.result->validation.outcome, validate::Result::Outcome::equal);
      EXPECT_GT(compilation.result->validation.comparisons, 500U);
    }
  }
}

}  // namespace
}  // namespace nd7::test
