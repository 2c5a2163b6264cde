// Tables of the documentation that are facts of the code, between `<!-- table: NAME -->` and
// `<!-- end -->`. With ND7_UPDATE_GOLDEN=1 they are written instead, and the case fails.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "compiler/check/check.hpp"
#include "compiler/check/compose.hpp"
#include "compiler/check/names.hpp"
#include "compiler/check/values.hpp"
#include "compiler/ir/text.hpp"
#include "compiler/pattern/glob.hpp"
#include "compiler/pattern/regex.hpp"
#include "compiler/pipeline/compile.hpp"
#include "compiler/seatbelt/tables/filter.hpp"
#include "compiler/seatbelt/tables/verb.hpp"
#include "compiler/source/gate.hpp"
#include "compiler/syntax/expression.hpp"
#include "tests/docs/sandbox.hpp"

namespace nd7::test {
namespace {

using namespace seatbelt;
namespace fs = std::filesystem;

std::string row(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string head(const std::vector<std::string>& cells) {
  std::string rule = "|";
  for (std::size_t i = 0; i < cells.size(); ++i) rule += "---|";
  return row(cells) + rule + "\n";
}

std::string quoted(std::span<const Op> ops) {
  std::string result;
  for (const Op op : ops) result += fmt::format("{}`{}`", result.empty() ? "" : " ", name(op));
  return result;
}

std::string_view values_of(VerbValue value) {
  switch (value) {
    case VerbValue::path: return "paths";
    case VerbValue::address: return "addresses";
    case VerbValue::service: return "service names";
    case VerbValue::target: return "processes";
    case VerbValue::name: return "names";
  }
  return {};
}

std::string verbs() {
  std::string result = head({"verb", "values", "an allow opens", "a deny closes", "a relax lifts"});
  for (const Verb verb : kVerbs) {
    const VerbInfo& of = info(verb);
    result += row({fmt::format("`{}`", of.name), std::string{values_of(of.value)}, quoted(of.opens),
                   quoted(of.closes), quoted(of.lifts)});
  }
  return result;
}

std::string losses_table() {
  std::string result = head({"loss", "open is", "what happens"});
  for (const Loss& loss : losses()) {
    result += row({fmt::format("`{}`", loss.name), loss.widening ? "more" : "less",
                   std::string{loss.meaning}});
  }
  return result;
}

std::string limits() {
  std::string result = head({"what", "at most"});
  const auto add = [&](const char* what, std::size_t most) {
    result += row({what, std::to_string(most)});
  };
  add("bytes of a rules file", kMaxSourceBytes);
  add("tables and lists inside each other", kMaxNesting);
  add("dotted parts of a key", kMaxKeySegments);
  add("files that take part", kMaxUnits);
  add("files that name each other in a chain", kMaxChain);
  add("names that define each other in a chain", kMaxChain);
  add("parameters, the built-in four included", ir::kMaxParams);
  add("strings that one value may become by its names", kMaxExpansion);
  add("groups and negations inside each other in `where`", kMaxExpressionDepth);
  add("bytes of a glob", pattern::kMaxGlobBytes);
  add("groups inside each other in a regular expression", pattern::kMaxRegexDepth);
  add("nodes of a regular expression", pattern::kMaxRegexNodes);
  add("ports in a range of `connect` and `bind`", static_cast<std::size_t>(kMaxPortsInVerb));
  add("numbers in a range of `where`", static_cast<std::size_t>(kMaxPortsInRange));
  add("bytes of a profile, without comments (`--size-budget`)", kSizeBudget);
  return result;
}

std::string_view subject_name(Subject subject) {
  switch (subject) {
    case Subject::none: return "nothing";
    case Subject::path: return "a path";
    case Subject::network:
    case Subject::outbound: return "a peer";
    case Subject::inbound: return "an own address";
    case Subject::mach: return "a service";
    case Subject::process: return "a process";
    case Subject::signal: return "a process and a signal";
    case Subject::sysctl: return "a setting";
    case Subject::ipc: return "an IPC name";
    case Subject::iokit: return "a device";
    case Subject::preference: return "a preference";
    case Subject::nvram: return "an NVRAM variable";
    case Subject::socket: return "a socket";
    case Subject::syscall: return "a system call";
    case Subject::name: return "a name";
    case Subject::port: return "a port number";
    case Subject::kext: return "a kernel extension";
    case Subject::infotype: return "a kind of information";
    case Subject::macsyscall: return "a policy call";
    case Subject::fcntl: return "an fcntl";
    case Subject::privilege: return "a privilege";
  }
  return {};
}

std::string releases_of(const OperationInfo& operation) {
  std::string result;
  for (const Release release : kReleases) {
    if (!operation.releases.contains(release)) continue;
    result += fmt::format("{}{}", result.empty() ? "" : ", ", to_string(release).substr(6));
  }
  return operation.releases == ReleaseSet::all() ? "all" : result;
}

std::string operations() {
  std::string result = head({"operation", "below", "about", "without a rule", "macOS"});
  for (std::size_t i = 1; i < kOpCount; ++i) {
    const OperationInfo& of = info(static_cast<Op>(i));
    const std::string_view answer = of.builtin == Builtin::allow  ? "allowed"
                                    : of.builtin == Builtin::deny ? "denied always"
                                                                  : "";
    const std::string below = of.parent == Op::default_ ? "" : fmt::format("`{}`", name(of.parent));
    result += row({fmt::format("`{}`", of.name), below, std::string{subject_name(of.subject)},
                   std::string{answer}, releases_of(of)});
  }
  return result;
}

std::string_view argument_name(FilterValue value) {
  switch (value) {
    case FilterValue::none: return "none";
    case FilterValue::path: return "paths";
    case FilterValue::name: return "strings";
    case FilterValue::regex: return "regular expressions";
    case FilterValue::integer: return "numbers";
    case FilterValue::symbol: return "symbols";
    case FilterValue::address: break;
  }
  return {};
}

/// Operations that take the filter: by subject where all of a subject do, else by name.
std::string fits(Filter filter) {
  std::set<Subject> whole;
  std::set<Subject> partly;
  std::vector<Op> taking;
  for (std::size_t i = 1; i < kOpCount; ++i) {
    const Op op = static_cast<Op>(i);
    if (accepts(op, filter)) {
      taking.push_back(op);
      whole.insert(info(op).subject);
    } else {
      partly.insert(info(op).subject);
    }
  }
  if (partly.empty()) return "all";
  std::set<std::string_view> parts;
  for (const Subject subject : whole) {
    if (partly.count(subject) != 0) return quoted(taking);
    parts.insert(subject_name(subject));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string filters() {
  std::string result = head({"filter", "takes", "fits operations about"});
  for (std::size_t i = 0; i < kFilterCount; ++i) {
    const Filter filter = static_cast<Filter>(i);
    // Written otherwise in `where`: `port`, `host`, `proto`.
    if (info(filter).value == FilterValue::address || !find_filter(name(filter))) continue;
    result += row({fmt::format("`{}`", name(filter)),
                   std::string{argument_name(info(filter).value)}, fits(filter)});
  }
  return result;
}

void expect_table(const char* document, const char* table, const std::string& wanted) {
  const fs::path path = fs::path{ND7_SOURCE_DIR} / document;
  std::string text = read_file(path);
  const std::string begin_mark = fmt::format("<!-- table: {} -->\n", table);
  std::size_t begin = text.find(begin_mark);
  ASSERT_NE(begin, std::string::npos) << document << " has no table " << table;
  begin += begin_mark.size();
  const std::size_t end = text.find("<!-- end -->", begin);
  ASSERT_NE(end, std::string::npos);
  if (text.substr(begin, end - begin) == wanted) return;
  if (std::getenv("ND7_UPDATE_GOLDEN") == nullptr) {
    EXPECT_EQ(text.substr(begin, end - begin), wanted) << document << ", table " << table;
    return;
  }
  text.replace(begin, end - begin, wanted);
  std::ofstream{path, std::ios::binary} << text;
  ADD_FAILURE() << "wrote the table " << table << "; look at the change and run again";
}

TEST(Tables, AreThoseOfTheCode) {
  expect_table("docs/language.md", "verbs", verbs());
  expect_table("docs/language.md", "losses", losses_table());
  expect_table("docs/language.md", "limits", limits());
  expect_table("docs/operations.md", "operations", operations());
  expect_table("docs/operations.md", "filters", filters());
}

TEST(Tables, TheReferenceHasEveryKey) {
  const std::string text = read_file(fs::path{ND7_SOURCE_DIR} / "docs/language.md");
  for (const std::string_view key : top_level_keys()) {
    EXPECT_NE(text.find(fmt::format("| `{}` |", key)), std::string::npos) << key;
  }
}

}  // namespace
}  // namespace nd7::test
